import fc from 'fast-check'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SNIFF_BYTES, sniffMedia } from '../../../src/server/downloads/media-type'
import { mediaLimits } from '../../../src/server/media/limits'
import { readMedia, readPicture, readTags } from '../../../src/server/media/read'
import { require, type Target } from '../target'

const fixtures = join(import.meta.dir, '../../fixtures/media')
const names = readdirSync(fixtures)
  .filter(name => !/\.(?:json|md|sh)$/.test(name))
  .toSorted()
const types = [
  'audio/mpeg',
  'audio/aac',
  'audio/vnd.dolby.dd-raw',
  'audio/ogg',
  'audio/flac',
  'audio/mp4',
  'audio/wav',
  'audio/webm',
  'video/x-matroska',
  'video/mp2t',
]
const MAX_BYTES = 200_000

type Edit = {
  /** A byte from the beginning, or a share of the file. */
  at: number
  bytes: number[]
  /** The bytes are put in rather than written over, so often. */
  times: number
}
type Copy = { from: number; length: number; to: number; times: number }
type Input = {
  file: number
  edits: Edit[]
  copies: Copy[]
  length: number
  /** Null for the type that the bytes show. */
  type: string | null
}

const byte = fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff), fc.nat(255))
const lengths: fc.Arbitrary<number[]> = fc.constantFrom(
  [0xff, 0xff, 0xff, 0xff],
  [0x7f, 0xff, 0xff, 0xff],
  [0, 0, 0, 0],
  [0, 0, 0, 1],
  [1, 0, 0, 0],
  [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0x80],
)
const place = fc.oneof(fc.nat(1500), fc.double({ min: 0, max: 1, noNaN: true }))
const times = fc.constantFrom(0, 0, 0, 1, 30, 3000)

/** Whatever is broken in a file of any container: its facts, tags and picture are read in time, or there are none. */
export function media(): Target<Input> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-fuzz-files-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'file')
  const files = names.map(name => readFileSync(join(fixtures, name)))
  return {
    name: 'media',
    texts: [],
    // Twice as many reads as a file may cost.
    slowMs: 5000,
    inputs: fc.record({
      file: fc.nat(files.length - 1),
      edits: fc.array(
        fc.record({ at: place, bytes: fc.oneof(lengths, fc.array(byte, { minLength: 1, maxLength: 8 })), times }),
        { maxLength: 5 },
      ),
      copies: fc.array(fc.record({ from: place, length: fc.nat(3000), to: place, times }), { maxLength: 2 }),
      length: fc.oneof({ weight: 4, arbitrary: fc.constant(MAX_BYTES) }, fc.nat(60_000)),
      type: fc.option(fc.constantFrom(...types), { freq: 4, nil: null }),
    }),
    async check({ file, edits, copies, length, type }) {
      const bytes = changed(files[file]!, edits, copies).subarray(0, length)
      await Bun.write(path, bytes)
      const shown = type ?? (await sniffMedia(bytes.subarray(0, SNIFF_BYTES)))?.type ?? 'audio/mpeg'
      await check(path, shown)
    },
  }
}

function changed(file: Buffer, edits: readonly Edit[], copies: readonly Copy[]): Buffer {
  let bytes = Buffer.from(file)
  const placeOf = (at: number) => Math.min(bytes.length, at < 1 ? Math.floor(at * bytes.length) : at)
  const insert = (at: number, piece: Uint8Array, times: number) => {
    const pieces = Array.from({ length: Math.min(times, Math.ceil(MAX_BYTES / (piece.length + 1))) }, () => piece)
    bytes = Buffer.concat([bytes.subarray(0, at), ...pieces, bytes.subarray(at)])
  }
  for (const { at, bytes: written, times } of edits) {
    const from = placeOf(at)
    if (times > 0) insert(from, Uint8Array.from(written), times)
    else bytes.set(written.slice(0, bytes.length - from), from)
  }
  for (const { from, length, to, times } of copies)
    insert(placeOf(to), bytes.subarray(placeOf(from), placeOf(from) + length), times)
  return bytes
}

async function check(path: string, type: string) {
  const request = { path, type, limits: mediaLimits }
  const { duration, chapters } = await readMedia(request)
  require(duration === null ||
    (Number.isSafeInteger(duration) && duration > 0), 'the length of a file is none', duration)
  const starts = chapters.map(({ startMs }) => startMs)
  require(starts.every(
    (start, at) => Number.isSafeInteger(start) && start > (starts[at - 1] ?? -1),
  ), 'chapters of a file are out of order', starts)
  for (const { startMs, endMs, title, href } of chapters) {
    require(endMs === null ||
      (Number.isSafeInteger(endMs) && endMs > startMs), 'a chapter ends before it begins', endMs)
    require(title.length <= 500 && (href === null || /^https?:/.test(href)), 'a chapter has an odd title or link', href)
  }
  const { number, ...texts } = await readTags(request)
  require(number === null || Number.isFinite(number), 'the number in the tags is none', number)
  for (const text of Object.values(texts))
    require(text === null || text.length <= 10_000, 'a text of the tags is too long', text?.length)
  const picture = await readPicture(request)
  require((picture?.length ?? 0) <= mediaLimits.tagBytes, 'a picture is larger than its file', picture?.length)
}
