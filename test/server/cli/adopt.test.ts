import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAdoptCommand } from '../../../src/server/cli/adopt'
import { readConfig } from '../../../src/server/config'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { writePodfetch } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { openWorld } from '../moving/world'

const environment = `DATABASE_URL=sqlite://./podcast.db
PODFETCH_FOLDER=podcasts
BASIC_AUTH=true
USERNAME=sam
PASSWORD="s3cret word"
SERVER_URL=https://podcasts.example
TELEGRAM_BOT_TOKEN=12:ab
PORT=9999
`

/** The working directory of a PodFetch with one file. */
function writeFolder(origin: string, env: string | null = environment) {
  const folder = temporaryFolder()
  writePodfetch(join(folder, 'podcast.db'), origin, 'C')
  changeForeign(
    join(folder, 'podcast.db'),
    `UPDATE podcast_episodes SET file_episode_path = 'podcasts/Alpha/a1/podcast.mp3', download_location = 'Local'
      WHERE guid = 'a1' AND name = 'Title a1'`,
  )
  mkdirSync(join(folder, 'podcasts/Alpha/a1'), { recursive: true })
  writeFileSync(join(folder, 'podcasts/Alpha/a1/podcast.mp3'), silentMp3(1))
  if (env !== null) writeFileSync(join(folder, '.env'), env)
  return folder
}

async function adopt(data: string, ...args: string[]) {
  const lines: string[] = []
  const config = readConfig({ DATA_DIRECTORY: data, DISK_RESERVE: '0' })
  const isDone = await runAdoptCommand(args, config, line => lines.push(line))
  return { isDone, text: lines.join('\n') }
}

test('a dry run that was killed leaves its library to the next one', async () => {
  using host = startFeedHost()
  const isLibrary = (name: string) => name.startsWith('castellan-dry-run-')
  const stray = join(tmpdir(), `castellan-dry-run-${process.pid}-${crypto.randomUUID()}`)
  mkdirSync(stray)
  writeFileSync(join(stray, 'castellan.db'), 'a library')
  await adopt(join(temporaryFolder(), 'data'), writeFolder(host.origin), '--dry-run')
  expect(readdirSync(tmpdir()).filter(name => isLibrary(name) && name.includes(`-${process.pid}-`))).toEqual([])
})

test('a PodFetch is taken over with its admin, its positions and its files, and stays as it was', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = writeFolder(host.origin)
  const data = join(temporaryFolder(), 'data')
  const before = readFileSync(join(folder, 'podcast.db'))

  const dry = await adopt(data, folder, '--dry-run')
  expect(existsSync(data)).toBe(false)
  expect(host.requests).toEqual([])
  expect(dry.text).toMatch(/^files +1 +0 +0$/m)

  const { isDone, text } = await adopt(data, folder)
  expect(isDone).toBe(true)
  expect(text).toMatch(/^files +1 +0 +0$/m)
  expect(text).toContain(`Start Castellan with these variables:
  DATA_DIRECTORY=${data}
  PODCAST_DIRECTORY=${data}/podcasts
  BASIC_AUTH=true
  USERNAME=sam
  PASSWORD as it is in ${folder}/.env
  SERVER_URL=https://podcasts.example
These have no meaning here: TELEGRAM_BOT_TOKEN`)
  expect(text).not.toContain('s3cret')
  expect(text).toContain('podcast.db (PodFetch) for sam')
  expect(readFileSync(join(folder, 'podcast.db')).equals(before)).toBe(true)
  expect(existsSync(join(folder, 'podcasts/Alpha/a1/podcast.mp3'))).toBe(true)
  expect(readdirSync(folder).toSorted()).toEqual(['.env', 'podcast.db', 'podcasts'])
  expect(dumpOf(data, host.origin).positions).toContain(
    'sam | /alpha.xml | a4 | 400 | - | 0 | 1770112800000 | import-podfetch',
  )

  await adopt(data, folder)
  expect(reportOf(data).filter(line => line.includes(' taken'))).toEqual([])
  await using app = await startTestApp({ folder: data })
  expect(app.context.store.episodes.allWithFiles()).toMatchObject([{ file_path: 'Alpha/Title a1/Title a1.mp3' }])
}, 120_000)

test('without a .env its defaults count, and so do the paths of its container', async () => {
  using host = startFeedHost()
  openWorld(host)
  const plain = writeFolder(host.origin, null)
  expect((await adopt(join(temporaryFolder(), 'data'), plain, '--dry-run')).text).toMatch(/^files +1 +0 +0$/m)

  const env = 'DATABASE_URL=sqlite:///app/db/podcast.db\nPODFETCH_FOLDER=/app/podcasts\n'
  const container = writeFolder(host.origin, env)
  mkdirSync(join(container, 'db'))
  renameSync(join(container, 'podcast.db'), join(container, 'db/podcast.db'))
  changeForeign(
    join(container, 'db/podcast.db'),
    `UPDATE podcast_episodes SET file_episode_path = '/app/' || file_episode_path WHERE file_episode_path IS NOT NULL`,
  )
  expect((await adopt(join(temporaryFolder(), 'data'), container, '--dry-run')).text).toMatch(/^files +1 +0 +0$/m)
}, 120_000)

test('a path that leads out of the folder counts only if it is absolute and the person says so', async () => {
  using host = startFeedHost()
  openWorld(host)
  const elsewhere = writeFolder(host.origin)
  const parent = elsewhere.split('/').at(-1)!
  const refused = async (env: string, ...args: string[]) => {
    const folder = writeFolder(host.origin, env)
    return ((await refusal(adopt(join(temporaryFolder(), 'data'), folder, '--dry-run', ...args))) as Error).message
  }
  const absolute = `PODFETCH_FOLDER=${elsewhere}/podcasts`
  expect(await refused(absolute)).toMatch(/^PODFETCH_FOLDER leads to .*, outside of .*--outside\.$/)
  expect(await refused(`DATABASE_URL=sqlite://${elsewhere}/podcast.db`)).toStartWith('DATABASE_URL leads to')
  const climbing = `PODFETCH_FOLDER=../${parent}/podcasts`
  expect(await refused(climbing)).toContain('outside of')
  expect(await refused(climbing, '--outside')).toContain('only an absolute path counts')
  expect(await refused('PODFETCH_FOLDER=nowhere')).toContain('there is no')
  const postgres = await refused('DATABASE_URL=postgres://podfetch:hunter2@db/podfetch')
  expect(postgres).toContain('names no SQLite database')
  expect(postgres).not.toContain('hunter2')

  const trusted = await adopt(
    join(temporaryFolder(), 'data'),
    writeFolder(host.origin, absolute),
    '--dry-run',
    '--outside',
  )
  expect(trusted.text).toContain(`Its media are in ${elsewhere}/podcasts`)

  const linked = writeFolder(host.origin, null)
  symlinkSync(join(elsewhere, '.env'), join(linked, '.env'))
  expect(((await refusal(adopt(temporaryFolder(), linked, '--dry-run'))) as Error).message).toContain('leads out of')
}, 120_000)

test('a wrong call is refused with what to do', async () => {
  const refused = async (...args: string[]) => ((await refusal(adopt(temporaryFolder(), ...args))) as Error).message
  expect(await refused()).toBe('adopt-podfetch needs the folder of PodFetch')
  expect(await refused('one', 'two')).toBe('Unexpected "two"')
  expect(await refused('one', '--files', 'steal')).toBe('--files is one of link, copy, move')
  expect(await refused('/nowhere')).toBe('There is no folder /nowhere')
})
