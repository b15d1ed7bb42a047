import { Database } from 'bun:sqlite'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../../src/server/data-folder'
import { leftText } from '../../../src/server/moving/moved-tables'
import { plantLarge } from '../../../test/support/large-library'

/** A server that runs on a copy of the planted library. */
export type Library = { origin: string; data: string; castellan: string }

/** Does something with everything of a podcast or an account. `plant`: what the library has beforehand. */
export type Everything = {
  name: string
  plant?: (db: Database, data: string) => void
  /** Resolves to the outcome in a word or two, when everything is done. */
  act: (library: Library) => Promise<string>
}

const EPISODES = 50_000
const QUEUED = 5000
const LEAVER = 'leaver'
const NOW = Date.now()
const OLD = NOW - 100 * 86_400_000

/** A podcast of 50,000 episodes with notes, all in the search index, and an account beside that of open mode. */
export async function plantEverything(data: string) {
  await plantLarge(data, 1, EPISODES)
  const { store } = openDataFolder(data)
  store.users.add({ username: LEAVER, role: 'user', explicit_consent: 1, built_in: 0 }, NOW)
  store.close()
}

/** Copies the planted library for one operation. */
export function copyLibrary(from: string, data: string, { plant }: Everything) {
  cpSync(from, data, { recursive: true })
  if (!plant) return
  const db = new Database(join(data, 'castellan.db'))
  db.run('PRAGMA foreign_keys = ON')
  db.transaction(() => plant(db, data))()
  db.close()
}

const first = '(SELECT min(id) FROM user)'
const leaver = `(SELECT id FROM user WHERE username = '${LEAVER}')`

const plantPositions = (db: Database, user = first, at = NOW) =>
  db.run(
    `INSERT INTO playback (user_id, episode_id, podcast_id, position, total, device, updated_at)
     SELECT ${user}, id, podcast_id, 60, 1800, 'web', ? FROM episode`,
    [at],
  )

const plantMarks = (db: Database) =>
  db.run(
    `INSERT INTO marked_before (user_id, episode_id, mark, marked_at, position, finished)
     SELECT user_id, episode_id, 'old', ${OLD}, 0, 0 FROM playback`,
  )

function plantFiles(db: Database, data: string) {
  const folder = join(data, 'podcasts/podcast-0')
  mkdirSync(folder, { recursive: true })
  for (const { id } of db.query<{ id: number }, []>('SELECT id FROM episode').all())
    writeFileSync(join(folder, `${id}.mp3`), 'x')
  db.run(
    `UPDATE episode SET file_path = 'podcast-0/' || id || '.mp3', file_size = 1, file_type = 'audio/mpeg',
            downloaded_at = ${OLD}`,
  )
}

/** A move that brought all positions and the podcast itself, and can still be undone. */
function plantMove(db: Database) {
  plantPositions(db)
  const { id, podcast, user } = db
    .query<{ id: number; podcast: number; user: number }, []>(
      `INSERT INTO move (uuid, user_id, source, file_name, state, last_podcast, started_at, finished_at)
       VALUES ('move', ${first}, 'gpodder', 'list.opml', 'done', 0, ${NOW - 1000}, ${NOW})
       RETURNING id, (SELECT min(id) FROM podcast) AS podcast, user_id AS user`,
    )
    .get()!
  const add = db.query(
    `INSERT INTO move_change (move_id, place, item, kind, user_id, podcast_id, episode_id, after)
     VALUES (?, ?, 1, ?, ?, ?, ?, ?)`,
  )
  const { title } = db.query<{ title: string }, []>('SELECT title FROM podcast').get()!
  add.run(id, 1, 'podcast', null, podcast, null, JSON.stringify({ title, feedTitle: title, active: 1 }))
  const rows = db.query<{ episode_id: number }, []>('SELECT * FROM playback').all()
  for (const [place, row] of rows.entries())
    add.run(id, place + 2, 'position', user, podcast, row.episode_id, leftText('position', JSON.stringify(row)))
}

/** Asks the API, and resolves to its answer. */
async function ask<T>({ origin }: Library, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (response.status === 204 ? null : await response.json()) as T
}

/** Waits until a question about the rows has the answer 0. */
async function untilNone({ data }: Library, sql: string) {
  const db = new Database(join(data, 'castellan.db'), { readonly: true })
  try {
    while (db.query<{ total: number }, []>(`SELECT (${sql}) AS total`).get()!.total > 0) await Bun.sleep(50)
  } finally {
    db.close()
  }
}

const removals = 'SELECT count(*) FROM removal'
const idOf = async (library: Library) => (await ask<{ id: string }[]>(library, 'GET', '/podcasts'))[0]!.id

async function removePodcast(library: Library, withFiles: boolean): Promise<string> {
  await ask(library, 'DELETE', `/podcasts/${await idOf(library)}`, { delete_files: withFiles })
  await untilNone(library, `SELECT (${removals}) + (SELECT count(*) FROM episode)`)
  return 'removed'
}

async function command({ castellan, data }: Library, ...args: string[]): Promise<string> {
  const child = Bun.spawn([castellan, ...args], { env: { DATA_DIRECTORY: data }, stdout: 'pipe', stderr: 'pipe' })
  const said = await new Response(child.stdout).text()
  const wrong = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(said + wrong)
  return said.trim().split(' ')[0]!.toLowerCase()
}

/** Data that jobs forget or correct soon after the start. */
const atStart = (name: string, plant: Everything['plant'] & object, left: string): Everything => ({
  name,
  plant,
  async act(library) {
    await untilNone(library, left)
    return 'done'
  },
})

export const everything: Everything[] = [
  { name: 'remove a podcast', plant: db => void plantPositions(db), act: library => removePodcast(library, false) },
  { name: 'remove a podcast with its files', plant: plantFiles, act: library => removePodcast(library, true) },
  { name: 'remove a podcast, keep its files', plant: plantFiles, act: library => removePodcast(library, false) },
  {
    name: 'remove a podcast by the command line',
    act: async library => {
      const { data } = library
      const db = new Database(join(data, 'castellan.db'), { readonly: true })
      const { title } = db.query<{ title: string }, []>('SELECT title FROM podcast').get()!
      db.close()
      return command(library, 'podcasts', 'remove', title, '--yes')
    },
  },
  {
    name: 'remove an account with positions and likes',
    plant(db) {
      plantPositions(db, leaver)
      db.run(`INSERT INTO episode_like (user_id, episode_id, created_at) SELECT ${leaver}, id, 1 FROM episode`)
    },
    async act(library) {
      await ask(library, 'DELETE', `/users/${LEAVER}`)
      await untilNone(library, 'SELECT count(*) FROM playback')
      await untilNone(library, removals)
      return 'removed'
    },
  },
  {
    name: 'mark all as played',
    async act(library) {
      const path = `/podcasts/${await idOf(library)}/episodes/listened`
      return `${(await ask<{ affected: number }>(library, 'POST', path, { finished: true })).affected} marked`
    },
  },
  {
    name: 'mark all, and undo it',
    plant: db => void plantPositions(db, first, 1),
    async act(library) {
      const path = `/podcasts/${await idOf(library)}/episodes/listened`
      const { undo } = await ask<{ undo: string }>(library, 'POST', path, { finished: true })
      return `${(await ask<{ affected: number }>(library, 'POST', `${path}/undo`, { undo })).affected} undone`
    },
  },
  {
    name: 'download all, and cancel all',
    async act(library) {
      await ask(library, 'POST', '/downloads/pause')
      const path = `/podcasts/${await idOf(library)}/episodes/download-all`
      const { undo } = await ask<{ undo: string }>(library, 'POST', path)
      return `${(await ask<{ affected: number }>(library, 'POST', `${path}/undo`, { undo })).affected} cancelled`
    },
  },
  {
    name: 'undo a move of positions and a podcast',
    plant: plantMove,
    async act(library) {
      await ask(library, 'POST', '/moves/move/undo')
      await untilNone(library, `SELECT count(*) FROM move WHERE undo IS NOT 'undone'`)
      await untilNone(library, removals)
      return 'undone'
    },
  },
  {
    name: 'clean up files',
    plant: plantFiles,
    async act(library) {
      await ask(library, 'PUT', '/settings', { autoCleanupDays: 1 })
      return `${(await ask<{ affected: number }>(library, 'PUT', '/settings/runcleanup')).affected} deleted`
    },
  },
  {
    name: 'delete the files of a podcast',
    plant: plantFiles,
    async act(library) {
      const path = `/podcasts/${await idOf(library)}/episodes/downloads`
      return `${(await ask<{ affected: number }>(library, 'DELETE', path)).affected} deleted`
    },
  },
  {
    name: `fill a queue with ${QUEUED}, and clear it`,
    plant: db =>
      void db.run(
        `INSERT INTO queue_item (uuid, user_id, episode_id, place, added_at)
         SELECT 'q' || id, ${first}, id, id, 1 FROM episode LIMIT ${QUEUED}`,
      ),
    async act(library) {
      await ask(library, 'DELETE', '/queue')
      return 'cleared'
    },
  },
  atStart(
    'forget 50,000 marks, at the start',
    db => {
      plantPositions(db)
      plantMarks(db)
    },
    'SELECT count(*) FROM marked_before',
  ),
  atStart(
    'correct 50,000 future times, at the start',
    db => void plantPositions(db, first, NOW * 2),
    `SELECT count(*) FROM playback WHERE updated_at > ${NOW + 86_400_000}`,
  ),
  atStart(
    'remove 50,000 old notifications, at the start',
    db =>
      void db.run(
        `INSERT INTO notification (uuid, user_id, type, message, created_at, dismissed)
         SELECT 'n' || id, ${first}, 'Download', 'x', ${OLD}, 1 FROM episode`,
      ),
    'SELECT count(*) FROM notification',
  ),
  atStart(
    'remove an old move of 50,000 changes, at the start',
    db => {
      plantMove(db)
      db.run(`UPDATE move SET finished_at = ${OLD}, started_at = ${OLD}`)
    },
    'SELECT count(*) FROM move_change',
  ),
  atStart(
    'remove an old list of 50,000 feeds, at the start',
    db => {
      db.run(
        `INSERT INTO job (uuid, user_id, kind, state, started_at, finished_at)
         VALUES ('job', ${first}, 'opml', 'done', ${OLD}, ${OLD})`,
      )
      db.run(`INSERT INTO job_item (job_id, place, feed_url, state) SELECT 1, id, 'x', 'failed' FROM episode`)
    },
    'SELECT count(*) FROM job_item',
  ),
  atStart(
    'index 50,000 episodes again, at the start',
    db => {
      for (const index of ['title_index', 'text_index']) db.run(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
      db.run('UPDATE episode SET search_place = NULL')
    },
    'SELECT count(*) FROM episode WHERE search_place IS NULL',
  ),
]
