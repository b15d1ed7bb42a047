import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runImportCommand } from '../../../src/server/cli/import'
import { readConfig } from '../../../src/server/config'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { fileWays } from '../../../src/server/moving/needs'
import { executable } from '../../support/executable'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { FILES, writeWithFiles } from '../../support/foreign/podfetch-files'
import { startRandom } from '../../support/random'
import { wholeDumpOf } from '../../support/whole-dump'
import { readRow, untilRow } from '../../support/watched-row'

const KILLS = Number(process.env.UNDO_KILLS ?? 6)
const SEED = Number(process.env.UNDO_SEED ?? 1)

async function startLibrary() {
  const app = await startTestApp()
  app.prefill(0)
  await app[Symbol.asyncDispose]()
  return app.folder
}

async function importInto(folder: string, ...args: string[]) {
  const lines: string[] = []
  const config = readConfig({ DATA_DIRECTORY: folder, DISK_RESERVE: '0' })
  const isDone = await runImportCommand(args, config, line => lines.push(line))
  return { isDone, text: lines.join('\n') }
}

/** Names and bytes of all files of a folder, but for our mark in it. */
const treeOf = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name !== '.castellan' && statSync(join(folder, name)).isFile())
    .map(name => `${name} ${Bun.hash(readFileSync(join(folder, name)))}`)
    .sort()

/** The place down to which the move is taken back, and how many changes there are. */
const progress = `SELECT coalesce(undo, '') AS undo, coalesce(undo_place, 1 << 30) AS place,
                         (SELECT max(place) FROM move_change) AS changes FROM move`
type Progress = { undo: string; place: number; changes: number }
const progressOf = (folder: string) => readRow<Progress>(folder, progress)!

function countsOf(folder: string) {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  try {
    return db.query('SELECT kind, outcome, reason, total FROM move_undo_count ORDER BY kind, outcome, reason').all()
  } finally {
    db.close()
  }
}

/** Takes the move of a library back in many processes, each of which is killed at a random instant. */
async function undoWithKills(folder: string) {
  const random = startRandom(SEED)
  const { changes } = progressOf(folder)
  const places = Array.from({ length: KILLS }, () => random.below(changes)).sort((one, other) => other - one)
  for (const place of places) {
    const child = Bun.spawn([executable, 'import', '--undo', '1'], {
      env: { ...process.env, DATA_DIRECTORY: folder, DISK_RESERVE: '0' },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    await untilRow<Progress>(folder, progress, row => row!.place <= place, child)
    // Not always right after a transaction.
    await Bun.sleep(random.below(8))
    child.kill('SIGKILL')
    await child.exited
  }
  if (progressOf(folder).undo !== 'undone') await refusal(importInto(folder, join(folder, 'nothing')))
  expect(progressOf(folder).undo).toBe('undone')
  // What the last process did not delete any more goes at the next start.
  await using app = await startTestApp({ folder })
  await app.context.downloads.recover()
  await app.context.removals.run()
}

for (const way of fileWays)
  test(`an undo of files and people that is killed again and again loses none: ${way}`, async () => {
    using host = startFeedHost()
    const folder = await startLibrary()
    const { path, media } = writeWithFiles(host)
    const [before, tree] = [wholeDumpOf(folder), treeOf(media)]
    await importInto(folder, path, '--with-users', '--files-from', `podcasts=${media}`, '--files', way)
    const whole = temporaryFolder()
    // Files that were moved are in one library only.
    const isShared = way !== 'move'
    if (isShared) {
      cpSync(folder, whole, { recursive: true, preserveTimestamps: true })
      expect((await importInto(whole, '--undo')).text).toMatch(/^files +40 +0 +0$/m)
      expect(wholeDumpOf(whole)).toEqual(before)
    }
    await undoWithKills(folder)
    expect(wholeDumpOf(folder)).toEqual(before)
    expect(treeOf(media)).toEqual(tree)
    expect(treeOf(join(folder, 'podcasts'))).toEqual([])
    const totals = { episodes: FILES / 2, files: FILES, podcasts: 1, users: 2 }
    expect(countsOf(folder)).toEqual(
      Object.entries(totals).map(([kind, total]) => ({ kind, outcome: 'undone', reason: '', total })),
    )
    if (isShared) expect(countsOf(folder)).toEqual(countsOf(whole))
  }, 120_000)

test('an undo of a folder of files that is killed again and again loses none', async () => {
  const folder = await startLibrary()
  const given = join(temporaryFolder(), 'Night Watch')
  mkdirSync(given)
  for (let number = 0; number < 30; number++) writeFileSync(join(given, `Part ${number}.mp3`), silentMp3(1))
  const [before, tree] = [wholeDumpOf(folder), treeOf(given)]
  await importInto(folder, given, '--files', 'move')
  expect(treeOf(given)).toEqual([])
  await undoWithKills(folder)
  expect(wholeDumpOf(folder)).toEqual(before)
  expect(treeOf(given)).toEqual(tree)
  expect(treeOf(join(folder, 'podcasts'))).toEqual([])
}, 120_000)
