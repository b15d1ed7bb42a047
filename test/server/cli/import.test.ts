import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runImportCommand } from '../../../src/server/cli/import'
import { readConfig } from '../../../src/server/config'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { executable } from '../../support/executable'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, moreOf, reportOf } from '../../support/foreign/dump'
import { writeGpodder } from '../../support/foreign/gpodder'
import { writeManyEpisodes } from '../../support/foreign/many-episodes'
import { login, openGpodderServer } from '../../support/foreign/gpodder-server'
import { writeList, writePocketCasts } from '../../support/foreign/pocket-casts'
import { writePodfetch } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { startRandom } from '../../support/random'
import { readRow, untilRow } from '../../support/watched-row'
import { openWorld } from '../moving/world'

/** The answers of the terminal and the environment to the command. */
const secrets = {
  ask: async (prompt: string) => `typed at ${prompt}`,
  fromEnvironment: undefined as string | undefined,
}

const KILLS = Number(process.env.MOVE_KILLS ?? 6)

/** A library without podcasts, which no server has open. */
async function startLibrary(folder = temporaryFolder()) {
  const app = await startTestApp({ folder })
  app.prefill(0)
  await app[Symbol.asyncDispose]()
  return folder
}

async function importInto(folder: string, ...args: string[]) {
  const lines: string[] = []
  const config = readConfig({ DATA_DIRECTORY: folder })
  const isDone = await runImportCommand(args, config, line => lines.push(line), secrets)
  return { isDone, text: lines.join('\n') }
}

test('an import ends with a table of what came and what did not', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const { isDone, text } = await importInto(folder, writeGpodder(join(temporaryFolder(), 'Database'), host.origin))
  expect(isDone).toBe(true)
  expect(text.slice(text.indexOf('Database (')).replaceAll(host.origin, '')).toBe(`Database (gPodder) for admin

                        taken here already     left out
podcasts                    3            0            1
subscriptions               3            0            0
tags                        1            0            0
positions                   7            0            2
likes                       1            0            0
removed                     1            0            0
episodes                    3            0            0

Left out:
  podcasts, not a feed on the web: 1
  positions, without the address of a file: 1
  positions, of a podcast that was left out: 1

Feeds that could not be read:
  /gone.xml: The host answered 404 (is tried again)

To undo all of it within a day: castellan import --undo 1`)
  expect(dumpOf(folder, host.origin).positions).toHaveLength(7)
  expect(readdirSync(join(folder, 'moving'))).toEqual([])
})

test('a dry run says the same numbers, requests nothing and changes nothing', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const file = writeGpodder(join(temporaryFolder(), 'Database'), host.origin)
  const before = [readdirSync(folder), readFileSync(join(folder, DATABASE_FILE))]
  const dry = await importInto(folder, file, '--dry-run')
  expect(host.requests).toEqual([])
  expect(readdirSync(join(folder, 'moving'))).toEqual([])
  expect([readdirSync(folder).filter(name => name !== 'moving'), readFileSync(join(folder, DATABASE_FILE))]).toEqual(
    before,
  )
  const { text } = await importInto(folder, file)
  const numbers = (printed: string) => /taken here[\s\S]*?without the address of a file/.exec(printed)?.[0]
  // Only the feeds know which episodes they have dropped.
  const known = (printed: string) => numbers(printed)?.replace(/^episodes .*$/m, '')
  expect(known(dry.text)).toBeString()
  expect(known(dry.text)).toBe(known(text))
})

test('people who come along are named with their roles, and settings of the server are shown', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const file = writePodfetch(join(temporaryFolder(), 'podcast.db'), host.origin, 'A')
  changeForeign(file, "UPDATE users SET password = NULL WHERE username = 'alice'")
  const people = `New accounts:
  alice (user): no password; set one with: castellan users set-password alice
  zoe (admin): signs in with their old password
`
  const settings = `Its settings for all podcasts stay there. They differ in:
  autoDownload: false (here true)
  autoCleanup: true (here false)
  autoCleanupDays: 365 (here 30)
  podcastPrefill: 5 (here 0)
  episodeNumbering: true (here false)
`
  const plain = await importInto(folder, file, '--dry-run')
  expect(plain.text).not.toContain('New accounts')
  expect(plain.text).toContain(settings)
  const dry = await importInto(folder, file, '--with-users', '--dry-run')
  expect(dry.text).toContain(people)
  expect(moreOf(folder, host.origin).users).toEqual([])
  const { text } = await importInto(folder, file, '--with-users')
  expect(text).toContain(people)
  expect(moreOf(folder, host.origin).users).toEqual(['alice | user | 0 | none', 'zoe | admin | 1 | sha256'])
})

test('the server does the work while it runs', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const { lockDataFolder } = await import('../../../src/server/platform/instance-lock')
  const unlock = lockDataFolder(join(folder, 'castellan.lock'))
  await using app = await startTestApp({ folder })
  const { store, moves } = app.context
  const work = importInto(folder, writeGpodder(join(temporaryFolder(), 'Database'), host.origin))
  while (store.moves.running().length === 0) await Bun.sleep(10)
  expect(host.requests).toEqual([])
  moves.resume()
  await moves.settled()
  const { isDone } = await work
  unlock()
  expect(isDone).toBe(true)
  expect(dumpOf(folder, host.origin).positions).toHaveLength(7)
})

test('a server is signed in to by a password of a file, of the environment or of the terminal, in this order', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const address = openGpodderServer(host)
  const file = join(temporaryFolder(), 'password')
  writeFileSync(file, `${login.password}\nmore`)
  const asks = async (...args: string[]) => {
    const failure = await refusal(importInto(folder, address, '--user-name', login.user, ...args))
    const given = host.requestsTo('/api/2/auth/mara/login.json').at(-1)!.headers.get('authorization')!
    expect(failure).toMatchObject({ message: expect.stringContaining('refuses') })
    return Buffer.from(given.slice('Basic '.length), 'base64').toString()
  }
  expect(await asks()).toBe('mara:typed at Password of mara: ')
  secrets.fromEnvironment = 'of the environment'
  try {
    expect(await asks()).toBe('mara:of the environment')
    const dry = await importInto(folder, address, '--user-name', login.user, '--password-file', file, '--dry-run')
    expect(dry.isDone).toBe(true)
    expect(dumpOf(folder, host.origin).positions).toEqual([])
    const { text } = await importInto(folder, address, '--user-name', login.user, '--password-file', file)
    expect(text).toContain(`${new URL(address).host} (gPodder-compatible server) for admin`)
    expect(dumpOf(folder, host.origin).positions).toHaveLength(5)
    expect(readdirSync(join(folder, 'moving'))).toEqual([])
  } finally {
    secrets.fromEnvironment = undefined
  }
})

test('a list that belongs to a file is named beside it', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const file = writePocketCasts(join(temporaryFolder(), 'pocketcasts'), host.origin)
  const list = join(temporaryFolder(), 'list.opml')
  writeFileSync(list, writeList(host.origin))
  expect((await importInto(folder, file, '--with', list)).isDone).toBe(true)
  expect(dumpOf(folder, host.origin).positions).toHaveLength(4)
})

test('a wrong call is refused with what to do', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const file = writeGpodder(join(temporaryFolder(), 'Database'), host.origin)
  const refused = async (...args: string[]) => ((await refusal(importInto(folder, ...args))) as Error).message
  expect(await refused()).toBe('import needs a file')
  expect(await refused(file, 'more')).toBe('Unexpected "more"')
  expect(await refused(file, '--from', 'winamp')).toStartWith('--from is one of podfetch, ')
  expect(await refused('https://pods.example/')).toBe('Name the account on the server with --user-name')
  expect(await refused(file, '--password-file', file)).toContain('belong to the address of a server')
  expect(await refused('https://pods.example/', '--user-name', 'x', '--with', file)).toContain('belongs to a file')
  expect(await refused('https://pods.example/', '--user-name', 'x', '--password-file', `${file}-nothing`)).toContain(
    'cannot be read (ENOENT)',
  )
  expect(await refused(file, '--user', 'nobody')).toStartWith('There is no account "nobody"')
  expect(((await refusal(importInto(temporaryFolder(), file))) as Error).message).toStartWith('No database at')
  const app = await startTestApp({ folder })
  await app.signUp('alice')
  await app[Symbol.asyncDispose]()
  expect(await refused(file)).toMatch(/--user, one of .*alice/)
  expect(existsSync(join(folder, 'moving'))).toBe(false)
})

/** The number of transactions of the latest move that are done. */
const progress = `SELECT applied / 50 + (SELECT count(*) FROM move_podcast p WHERE p.move_id = m.id AND p.state <> 'waiting') AS steps
                    FROM move m ORDER BY id DESC LIMIT 1`
type Progress = { steps: number }
const progressOf = (folder: string) => readRow<Progress>(folder, progress)?.steps ?? 0

/** Moves a file in at one go, and again with a kill at every one of some instants: the libraries must be alike. */
async function expectSameEnd(host: ReturnType<typeof startFeedHost>, file: string, ...args: string[]) {
  const [whole, killed] = [await startLibrary(), await startLibrary()]
  expect((await importInto(whole, file, ...args)).isDone).toBe(true)

  const random = startRandom(Number(process.env.MOVE_SEED ?? 1))
  const steps = progressOf(whole)
  const instants = Array.from({ length: KILLS }, () => random.below(steps)).sort((one, other) => one - other)
  for (const instant of instants) {
    const child = Bun.spawn([executable, 'import', file, ...args], {
      env: { ...process.env, DATA_DIRECTORY: killed },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    await untilRow<Progress>(killed, progress, row => (row?.steps ?? 0) >= instant, child)
    child.kill('SIGKILL')
    await child.exited
  }
  // The first report is that of the interrupted import.
  if (progressOf(killed) < steps) await importInto(killed, file, ...args)
  expect(dumpOf(killed, host.origin)).toEqual(dumpOf(whole, host.origin))
  expect(moreOf(killed, host.origin)).toEqual(moreOf(whole, host.origin))
  const first = (folder: string) => reportOf(folder, 1)
  expect(first(killed)).toEqual(first(whole))
}

test('an import that is killed again and again comes to the same end', async () => {
  using host = startFeedHost()
  await expectSameEnd(host, writeManyEpisodes(join(temporaryFolder(), 'Database'), host))
}, 600_000)

test('people, their hours and transcripts come to the same end as well', async () => {
  using host = startFeedHost()
  openWorld(host)
  const file = writePodfetch(join(temporaryFolder(), 'podcast.db'), host.origin, 'C')
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`
  changeForeign(
    file,
    `${numbers(60)} INSERT INTO users (id, username, role, password) SELECT 'u' || i, 'person' || i, 'user', u.password
       FROM n JOIN users u ON u.username = 'zoe';
     ${numbers(600)} INSERT INTO listening_events (user_id, podcast_episode_db_id, delta_seconds, listened_at)
       SELECT 'u' || (i % 60), e.id, 10 + i, datetime(1760000000 + i * 1800, 'unixepoch')
         FROM n JOIN podcast_episodes e ON e.guid = 'a2';
     ${numbers(120)} INSERT INTO podcast_episodes (id, podcast_id, episode_id, name, url, guid, date_of_recording)
       SELECT 'gone' || i, podcast_id, 'gone' || i, 'Gone ' || i, url || i, 'gone' || i, date_of_recording
         FROM n JOIN podcast_episodes e ON e.guid = 'a1' AND e.name = 'Title a1';
     ${numbers(120)} INSERT INTO listening_events (user_id, podcast_episode_db_id, delta_seconds, listened_at)
       SELECT 'u1', 'gone' || i, 30, '2026-02-01 10:00:00' FROM n;
     ${numbers(120)} INSERT INTO podcast_episode_transcripts (id, episode_id, source) SELECT 'g' || i, 'gone' || i, 'generated' FROM n;
     ${numbers(120)} INSERT INTO podcast_episode_transcript_segments (transcript_id, idx, start_ms, text)
       SELECT 'g' || i, 0, 0, 'said ' || i FROM n`,
  )
  await expectSameEnd(host, file, '--user', 'admin', '--with-users')
}, 600_000)
