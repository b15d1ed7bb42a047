import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runImportCommand } from '../../../src/server/cli/import'
import { readConfig } from '../../../src/server/config'
import { examineMedia } from '../../../src/server/upkeep/doctor/media'
import { executable } from '../../support/executable'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { reportOf } from '../../support/foreign/dump'
import { FILES, writeWithFiles } from '../../support/foreign/podfetch-files'
import { startRandom } from '../../support/random'
import { readRow, untilRow } from '../../support/watched-row'

const KILLS = Number(process.env.MOVE_KILLS ?? 6)

async function startLibrary(folder = temporaryFolder()) {
  const app = await startTestApp({ folder })
  app.prefill(0)
  await app[Symbol.asyncDispose]()
  return folder
}

async function importInto(folder: string, ...args: string[]) {
  const lines: string[] = []
  const isDone = await runImportCommand(args, readConfig({ DATA_DIRECTORY: folder, DISK_RESERVE: '0' }), line =>
    lines.push(line),
  )
  return { isDone, text: lines.join('\n') }
}

async function filesIn(folder: string) {
  await using app = await startTestApp({ folder })
  const { store, downloads, files, now } = app.context
  await downloads.recover()
  return {
    paths: store.episodes
      .allWithFiles()
      .map(({ file_path }) => file_path)
      .toSorted(),
    findings: (await examineMedia(store, files, now())).filter(({ level }) => level !== 'fine'),
  }
}

const leftIn = (folder: string) =>
  readdirSync(folder, { recursive: true }).filter(name => String(name).endsWith('.mp3'))

test('files come when their folder is named, and a dry run says the same without touching any', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const { path, media } = writeWithFiles(host)
  const without = await importInto(folder, path, '--dry-run')
  expect(without.text).toContain(
    `files, imported only with --files-from, or from a Castellan with --with-files: ${FILES}`,
  )
  const dry = await importInto(folder, path, '--dry-run', '--files-from', `podcasts=${media}`, '--files', 'move')
  const line = (text: string) => /^files .*$/m.exec(text)?.[0]
  expect(line(dry.text)).toMatch(/^files +40 +0 +0$/)
  expect(existsSync(join(folder, 'podcasts'))).toBe(false)
  expect(leftIn(media)).toHaveLength(FILES)

  const real = await importInto(folder, path, '--files-from', `podcasts=${media}`, '--files', 'move')
  expect(line(real.text)).toBe(line(dry.text))
  expect(leftIn(media)).toEqual([])
  const { paths, findings } = await filesIn(folder)
  expect(paths).toHaveLength(FILES)
  expect(findings).toEqual([])
}, 120_000)

test('a wrong call about files is refused with what to do', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const { path, media } = writeWithFiles(host)
  const refused = async (...args: string[]) => ((await refusal(importInto(folder, path, ...args))) as Error).message
  expect(await refused('--files', 'steal', '--files-from', media)).toBe('--files is one of link, copy, move')
  expect(await refused('--files', 'move')).toBe('--files needs --files-from')
  expect(await refused('--files-from', `podcasts=${media}/nowhere`)).toBe(
    `--files-from: there is no folder ${media}/nowhere`,
  )
})

test('a folder of sound comes as well, by itself, and a dry run says the same', async () => {
  const folder = await startLibrary()
  const given = join(temporaryFolder(), 'Night Watch')
  mkdirSync(given)
  writeFileSync(join(given, '2021-03-04 One.mp3'), silentMp3(1))
  writeFileSync(join(given, '2021-03-05 Two.mp3'), silentMp3(1))
  const dry = await importInto(folder, given, '--dry-run')
  expect((await filesIn(folder)).paths).toEqual([])
  const { isDone, text } = await importInto(folder, given, '--title', 'Watch', '--files', 'copy')
  expect(isDone).toBe(true)
  const numbers = (printed: string) => /taken here[\s\S]*?^files .*$/m.exec(printed)?.[0]
  expect(numbers(text)).toMatch(/^files +2 +0 +0$/m)
  expect(numbers(dry.text)).toBe(numbers(text))
  expect((await filesIn(folder)).paths).toEqual(['Watch/One/One.mp3', 'Watch/Two/Two.mp3'])

  const refused = async (...args: string[]) => ((await refusal(importInto(folder, ...args))) as Error).message
  expect(await refused(given, '--from', 'podfetch')).toContain('is a folder')
  expect(await refused(join(given, '2021-03-04 One.mp3'), '--title', 'x')).toBe(
    '--title is for a folder of audio files',
  )
}, 120_000)

/** Counts the items of the latest move that are applied. */
const progress = 'SELECT applied FROM move ORDER BY id DESC'
type Progress = { applied: number }
const appliedIn = (folder: string) => readRow<Progress>(folder, progress)?.applied ?? 0

test('an import that moves files and is killed again and again loses none and doubles none', async () => {
  using host = startFeedHost()
  const [whole, killed] = [await startLibrary(), await startLibrary()]
  const undisturbed = writeWithFiles(host)
  await importInto(whole, undisturbed.path, '--files-from', `podcasts=${undisturbed.media}`, '--files', 'move')

  const { path, media } = writeWithFiles(host)
  const args = [path, '--files-from', `podcasts=${media}`, '--files', 'move']
  const random = startRandom(Number(process.env.MOVE_SEED ?? 1))
  const instants = Array.from({ length: KILLS }, () => random.below(appliedIn(whole))).sort((one, other) => one - other)
  for (const instant of instants) {
    const child = Bun.spawn([executable, 'import', ...args], {
      env: { ...process.env, DATA_DIRECTORY: killed, DISK_RESERVE: '0' },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    await untilRow<Progress>(killed, progress, row => (row?.applied ?? 0) >= instant, child)
    // Not always right after a transaction.
    await Bun.sleep(random.below(8))
    child.kill('SIGKILL')
    await child.exited
  }
  await importInto(killed, ...args)
  expect(await filesIn(killed)).toEqual(await filesIn(whole))
  expect(leftIn(media)).toEqual([])
  expect(reportOf(killed, 1)).toEqual(reportOf(whole, 1))
}, 120_000)
