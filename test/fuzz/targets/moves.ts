import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { openSource } from '../../../src/server/moving/tasks'
import { recordHead } from '../../../src/server/moving/lines'
import { MoveRefused } from '../../../src/server/moving/item'
import { Problem } from '../../../src/server/platform/problem'
import { ForeignDatabaseError } from '../../../src/server/store/foreign-database'
import { writeApplePodcasts } from '../../support/foreign/apple-podcasts'
import { listActions } from '../../support/foreign/gpodder-server'
import { preferences, writePodcastAddict } from '../../support/foreign/podcast-addict'
import { writeList, writePocketCasts } from '../../support/foreign/pocket-casts'
import { writeZip } from '../../support/foreign/zip'
import { require, type Target } from '../target'

/** A change of a file: a place as a part of its length, and the bytes there. */
type Edit = { place: number; bytes: Uint8Array }
type Input = { seed: number; edits: Edit[]; cut: number }

const origin = 'https://pods.example'
const names = new Set(['source', 'source-inside', 'source-list-inside', 'source-part'])

/** Files that people bring, changed at some places or cut: each is read to its end, or refused for a reason. */
export function moves(): Target<Input> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-fuzz-moves-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const seeds = writeSeeds(folder)
  const edit = fc.record({
    place: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.9, max: 1, noNaN: true })),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      fc.constantFrom(Uint8Array.of(255, 255, 255, 255), Uint8Array.of(0, 0, 0, 0), Uint8Array.of(127)),
    ),
  })
  return {
    name: 'moves',
    inputs: fc.record({
      seed: fc.nat(seeds.length - 1),
      edits: fc.array(edit, { maxLength: 6 }),
      cut: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    async check({ seed, edits, cut }) {
      const own = join(folder, 'move')
      rmSync(own, { recursive: true, force: true })
      mkdirSync(own)
      const path = join(own, 'source')
      writeFileSync(path, changed(seeds[seed]!, edits, cut))
      const isRead = await readAll(path)
      require(isRead || cut < 1 || edits.length > 0, 'a sound file is refused', seed)
      const strangers = readdirSync(own).filter(name => !names.has(name))
      require(strangers.length === 0, 'a file was written under a name of the archive', strangers)
    },
  }
}

function writeSeeds(folder: string): Buffer[] {
  const path = join(folder, 'seed')
  const database = (write: (path: string, origin: string) => string) => readFileSync(write(path, origin))
  const zip = (contents: Parameters<typeof writeZip>[1], isLarge: boolean) =>
    readFileSync(writeZip(path, contents, isLarge))
  const records = listActions(origin).map(action => JSON.stringify({ is: 'action', ...(action as object) }))
  return [
    database(writeApplePodcasts),
    zip(
      [
        { name: 'podcastAddict.db', content: database(writePodcastAddict), isStored: true },
        { name: 'com.bambuna.podcastaddict_preferences.xml', content: preferences },
      ],
      false,
    ),
    zip(
      [
        { name: 'a/pocketcasts', content: database(writePocketCasts) },
        { name: '../list.opml', content: writeList(origin) },
      ],
      true,
    ),
    Buffer.from([recordHead('gpodder-server'), `{"is":"feed","feed":"${origin}/alpha.xml"}`, ...records].join('\n')),
  ]
}

function changed(seed: Buffer, edits: readonly Edit[], cut: number): Buffer {
  const bytes = Buffer.from(seed)
  for (const { place, bytes: some } of edits) bytes.set(some, Math.floor(place * (bytes.length - some.length)))
  return bytes.subarray(0, Math.ceil(cut * bytes.length))
}

/** Answers whether it was read to its end. */
async function readAll(path: string): Promise<boolean> {
  try {
    const { source, file, close } = await openSource({ path, from: null, now: Date.UTC(2026, 5, 1), isChecked: false })
    try {
      for await (const item of source.read(file)) requireSound(item)
      return true
    } finally {
      close()
    }
  } catch (error) {
    if (error instanceof MoveRefused || error instanceof ForeignDatabaseError || error instanceof Problem) return false
    throw error
  }
}

function requireSound(item: object) {
  const numbers = ['position', 'total', 'at', 'time', 'skipIntro', 'skipOutro'] as const
  for (const name of numbers) {
    const value: unknown = (item as Record<string, unknown>)[name]
    const isSound = value === undefined || value === null || (Number.isSafeInteger(value) && (value as number) >= 0)
    require(isSound, `the ${name} of an item is no whole number`, item)
  }
}
