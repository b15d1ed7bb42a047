import { Database } from 'bun:sqlite'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'bun:test'
import { openDataFolder } from '../src/server/data-folder'
import type { SetAsideItem } from '../src/shared/api/job'
import { temporaryFolder } from './support/app'
import { startExecutable } from './support/executable'
import { inventoryOf, rowsWithout } from './support/inventory'
import { plantLarge } from './support/large-library'
import { addPassing, enrichBoth, enrichPodcast, enrichUser, unplantedTables } from './support/rich-library'
import { readRow, untilRow } from './support/watched-row'
import { wholeDumpOf } from './support/whole-dump'

type Server = Awaited<ReturnType<typeof startExecutable>>
type Removed = {
  /** The library with it, and the one that never had it. */
  library: string
  without: string
  remove: (server: Server) => Promise<unknown>
  /** Answers that must not name it. */
  paths: string[]
  names: RegExp
}

const EPISODES = 8000
const FILES = EPISODES / 5
const [SMALL, LARGE] = [1, 2]
const LEAVER = 'leaver'

const folder = temporaryFolder()
const bare = join(folder, 'bare')
const withPodcast = join(folder, 'with-podcast')
const withAllOfPodcast = join(folder, 'with-all-of-podcast')
const withAccount = join(folder, 'with-account')

const env = (data: string) => ({ DATA_DIRECTORY: data, DISK_RESERVE: '0' })
const call = ({ origin }: Server, method: string, path: string, body?: unknown) =>
  fetch(`${origin}/api/v1${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })

const thePodcast = (withFiles: boolean): Removed => ({
  library: withAllOfPodcast,
  without: bare,
  async remove(server) {
    const podcasts = await server.api<{ id: string; rssfeed: string }[]>('/podcasts')
    const { id } = podcasts.find(({ rssfeed }) => rssfeed.endsWith('/1.xml'))!
    expect((await call(server, 'DELETE', `/podcasts/${id}`, { delete_files: withFiles })).status).toBe(204)
  },
  paths: [
    '/podcasts',
    '/podcasts/timeline',
    '/queue',
    '/playlist/p1',
    '/downloads',
    '/bookmarks',
    '/episodes/yours/liked',
    '/episodes/yours/downloaded',
    '/episodes/yours/in-progress',
  ],
  names: /(feeds|cdn)\.example\/1[./]/,
})
const theAccount: Removed = {
  library: withAccount,
  without: withPodcast,
  remove: async server => expect((await call(server, 'DELETE', `/users/${LEAVER}`)).status).toBe(204),
  paths: ['/users', '/set-aside'],
  names: new RegExp(LEAVER),
}

const filesLeft = `SELECT count(*) FROM episode WHERE podcast_id = ${LARGE} AND file_path IS NOT NULL`
const episodesLeft = `SELECT count(*) FROM episode WHERE podcast_id = ${LARGE}`
const [inFiles, inRows] = [`(${filesLeft}) < ${FILES / 2}`, `(${episodesLeft}) < ${EPISODES / 2}`]

/** `kills`: what is true of the database when each comes. */
const cases: { name: string; removed: Removed; kills: string[] }[] = [
  { name: 'a podcast with its files, right after the answer', removed: thePodcast(true), kills: ['true'] },
  { name: 'a podcast with its files, while these are deleted', removed: thePodcast(true), kills: [inFiles] },
  { name: 'a podcast with its files, while rows are deleted', removed: thePodcast(true), kills: [inRows] },
  { name: 'a podcast with its files, twice', removed: thePodcast(true), kills: [inFiles, inRows] },
  {
    name: 'a podcast whose files stay, while these are described',
    removed: thePodcast(false),
    kills: [`(SELECT count(*) FROM kept_file) > ${FILES / 2}`],
  },
  { name: 'an account, right after the answer', removed: theAccount, kills: ['true'] },
  {
    name: 'an account, while rows are deleted',
    removed: theAccount,
    kills: [`(SELECT count(*) FROM playback WHERE user_id = 2) < ${EPISODES / 2}`],
  },
]

/** Changes a library whose server does not run. */
function change(data: string, work: (db: Database) => void) {
  using db = new Database(join(data, 'castellan.db'))
  db.run('PRAGMA foreign_keys = ON')
  db.transaction(() => work(db))()
}

/** Lets the server do what it does at each start. */
async function settle(data: string) {
  // A backup that a stop interrupts would be a file that nothing claims, until the next start.
  const server = await startExecutable({ ...env(data), BACKUP_INTERVAL: '0' })
  while (!(await fetch(`${server.origin}/readyz`)).ok) await Bun.sleep(5)
  await untilTrue(data, 'NOT EXISTS (SELECT 1 FROM person WHERE is_indexed = 0)')
  expect(await server.stop()).toBe(0)
}

/** Waits for something that the server does; the time limit of the test ends it. */
const untilTrue = (data: string, condition: string) => untilRow<Truth>(data, askFor(condition), row => row!.one === 1)
type Truth = { one: number }
const askFor = (condition: string) => `SELECT (${condition}) AS one`

const isFinished = (data: string) => {
  const nothingIsLeft = `NOT EXISTS (SELECT 1 FROM removal) AND NOT EXISTS (SELECT 1 FROM forgotten_file)
                           AND NOT EXISTS (SELECT 1 FROM sidecar WHERE episode_id IS NULL)`
  return readRow<Truth>(data, askFor(nothingIsLeft))!.one === 1
}

async function expectOutOfSight(server: Server, { paths, names }: Removed) {
  for (const path of paths) {
    const response = await call(server, 'GET', path)
    expect([path, response.status]).toEqual([path, 200])
    expect(await response.text()).not.toMatch(names)
  }
}

/** Rows that outlive what they named, and rows that jobs change; the inventory looks at these. */
const changing =
  /^(notification|invite|episode_action|job_item|begun_work|kept_file|delivery|download_(request|failure)|announcement|feed_trouble)/
const comparable = (data: string) =>
  Object.fromEntries(Object.entries(wholeDumpOf(data)).filter(([table]) => !changing.test(table)))

beforeAll(async () => {
  await plantLarge(bare, 1, 40)
  const plantAll = (db: Database, data: string, podcast: number) => {
    enrichPodcast({ db, data }, podcast)
    enrichBoth({ db, data }, 1, podcast)
  }
  change(bare, db => {
    db.run('UPDATE settings SET downloads_paused = 1')
    enrichUser({ db, data: bare }, 1)
    plantAll(db, bare, SMALL)
  })
  await settle(bare)

  cpSync(bare, withPodcast, { recursive: true })
  await plantLarge(withPodcast, 1, EPISODES)
  change(withPodcast, db => plantAll(db, withPodcast, LARGE))
  cpSync(withPodcast, withAllOfPodcast, { recursive: true })
  change(withAllOfPodcast, db => addPassing({ db, data: withAllOfPodcast }, 1, LARGE))
  await settle(withPodcast)

  cpSync(withPodcast, withAccount, { recursive: true })
  const { store } = openDataFolder(withAccount)
  const { id } = store.users.add({ username: LEAVER, role: 'user', explicit_consent: 1, built_in: 0 }, Date.now())
  store.close()
  change(withAccount, db => {
    enrichUser({ db, data: withAccount }, id)
    enrichBoth({ db, data: withAccount }, id, LARGE)
    addPassing({ db, data: withAccount }, id, LARGE)
    expect(unplantedTables(db)).toEqual([])
  })
}, 120_000)

test.each(cases)(
  'a large removal is out of sight at once, and finished after a kill: $name',
  async ({ name, removed, kills }) => {
    const data = join(folder, name)
    cpSync(removed.library, data, { recursive: true })
    let server = await startExecutable(env(data))
    await removed.remove(server)
    for (const condition of kills) {
      await untilTrue(data, condition)
      server.process.kill('SIGKILL')
      await server.process.exited
      expect(isFinished(data)).toBe(false)
      expect(rowsWithout(data)).toEqual([])
      server = await startExecutable(env(data))
      await expectOutOfSight(server, removed)
    }
    // What two kills interrupted waits for a person.
    for (const { kind, key } of await server.api<SetAsideItem[]>('/set-aside'))
      await call(server, 'POST', '/set-aside/retry', { kind, key })
    for (; !isFinished(data); await Bun.sleep(100)) await expectOutOfSight(server, removed)
    expect(await server.stop()).toBe(0)

    expect(inventoryOf(data).slice(0, 20)).toEqual([])
    expect(comparable(data)).toEqual(comparable(removed.without))
  },
  600_000,
)

test('the inventory names rows that refer to nothing, files that nobody claims or that are gone, and the secret', () => {
  const data = join(folder, 'broken')
  cpSync(bare, data, { recursive: true })
  const secret = readFileSync(join(data, 'secret.key'))
  writeFileSync(join(data, 'covers/stray'), secret.toString('hex'))
  writeFileSync(
    join(data, 'podcasts/stray.mp3'),
    Buffer.from(`xx${secret.toString('latin1')}`, 'latin1').toString('base64'),
  )
  rmSync(join(data, 'podcasts/podcast-1/5.mp3'))
  using db = new Database(join(data, 'castellan.db'))
  db.run('PRAGMA foreign_keys = OFF')
  db.run('INSERT INTO episode_like VALUES (1, 1000, 1), (1000, 1, 1)')
  db.run('UPDATE playback SET podcast_id = 7 WHERE episode_id = 1')
  db.run(`INSERT INTO removal VALUES ('podcast', 1, 'x', NULL)`)
  const found = inventoryOf(data).map(text => text.replace(data, ''))
  expect(found.toSorted()).toEqual([
    '/covers/stray holds the secret',
    '/podcasts/stray.mp3 holds the secret',
    'covers/stray belongs to nothing',
    'podcast-1/5.mp3 is claimed by a row, and missing',
    'rows of episode_like refer to the episode 1000, which is gone',
    'rows of episode_like refer to the user 1000, which is gone',
    'rows of playback refer to the podcast 7, which is gone',
    'stray.mp3 belongs to no episode',
    'the podcast 1 is being removed, and still here',
    'wrong counts of what was played: {"user_id":1,"podcast_id":1,"played":-1,"finished":0}',
  ])
})
