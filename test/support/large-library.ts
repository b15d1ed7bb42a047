import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE, openDataFolder } from '../../src/server/data-folder'
import { noFacts } from '../../src/server/feeds/subscribe'
import { searchedNotes } from '../../src/server/feeds/parse/notes-text'
import type { Store } from '../../src/server/store'
import { feedEpisodes } from '../../src/server/store/feeds'
import { searchPlace, searchStore } from '../../src/server/store/search'
import { upkeepStore } from '../../src/server/store/upkeep'
import { createWords } from './words'

const WORDS_OF_NOTES = 200
const HOUR = 3_600_000
const MB = 1_048_576
/** Rows of a transaction. */
const ROWS = 20_000

/**
 * Adds podcasts with `episodes` each to the library in a data folder whose server does not run: a million
 * episodes in minutes, since indexes and triggers are put back once all rows are there, and the search index gets its
 * rows in their order. It is left as a server that has come to rest leaves it.
 */
export async function plantLarge(
  folder: string,
  podcasts: number,
  episodes: number,
  coverOf: (number: number) => string | null = () => null,
) {
  mkdirSync(folder, { recursive: true })
  const { store } = openDataFolder(folder)
  const now = Date.now()
  const { text, random } = createWords()
  const owner =
    store.users.findBuiltIn() ??
    store.users.add({ username: 'admin', role: 'admin', explicit_consent: 1, built_in: 1 }, now)
  const known = store.podcasts.allWithFolders().length
  const ids: number[] = []
  for (let number = known; number < known + podcasts; number += 1000)
    store.inTransaction(() => {
      for (let next = number; next < Math.min(number + 1000, known + podcasts); next++)
        ids.push(addPodcast(store, owner.id, next, { text, now, episodes, cover: coverOf(next) }))
    })
  store.close()

  using db = new Database(join(folder, DATABASE_FILE), { strict: true })
  db.run('PRAGMA synchronous = OFF')
  db.run(`PRAGMA cache_size = ${(-256 * MB) / 1024}`)
  db.run('PRAGMA wal_autocheckpoint = 20000')
  const putBack = takeAway(db)
  const { add } = feedEpisodes(db)
  inTransactions(db, podcasts * episodes, row => {
    const podcast = Math.floor(row / episodes)
    const index = episodes - 1 - (row % episodes)
    const publishedAt = now - Math.floor((index * 7 * 24 + random() * 24) * HOUR)
    add(ids[podcast]!, factsOf(known + podcast, index, text, publishedAt), publishedAt, now)
  })
  putBack()
  indexAll(db)
}

type Podcast = { text: (count: number) => string; now: number; episodes: number; cover: string | null }

function addPodcast(store: Store, userId: number, number: number, { text, now, episodes, cover }: Podcast): number {
  const title = `Podcast ${number} ${text(2)}`
  const { id } = store.podcasts.add({
    title,
    folder: `podcast-${number}`,
    feedUrl: `https://feeds.example/${number}.xml`,
    privacy: 0,
    userId,
    now,
  })
  store.podcasts.describe(id, title, {
    ...noFacts,
    author: text(2),
    summary: text(30),
    language: 'en',
    image_url: cover,
    built_at: now,
    feed_items: episodes,
  })
  // Checked a moment ago: nothing is due when the server starts.
  store.podcasts.recordCheck(id, {
    checkedAt: now,
    nextCheckAt: now + 100 * HOUR,
    intervalMs: null,
    failures: 0,
    error: null,
    warnings: false,
    gone: false,
  })
  return id
}

const factsOf = (podcast: number, index: number, text: (count: number) => string, publishedAt: number) => ({
  guid: `${podcast}-${index}`,
  feed_guid: `${podcast}-${index}`,
  title: text(5),
  notes: `<p>${text(WORDS_OF_NOTES)}</p>`,
  link: null,
  enclosure_url: `https://cdn.example/${podcast}/${index}.mp3`,
  enclosure_type: 'audio/mpeg',
  enclosure_size: 30_000_000,
  image_url: null,
  announced_at: publishedAt,
  duration: 1800,
  season: null,
  number: null,
  type: 'full' as const,
  explicit: 0,
  author: null,
  chapters_url: null,
  transcripts: null,
  extras: null,
  digest: `${podcast}-${index}`,
  aside: 0,
})

function inTransactions(db: Database, rows: number, add: (row: number) => void) {
  const some = db.transaction((from: number) => {
    for (let row = from; row < Math.min(from + ROWS, rows); row++) add(row)
  })
  for (let from = 0; from < rows; from += ROWS) some(from)
}

/** Drops the indexes of episodes, and the trigger that counts them; the function returned makes up for both. */
function takeAway(db: Database): () => void {
  const dropped = db
    .query<{ type: string; name: string; sql: string }, []>(
      `SELECT type, name, sql FROM sqlite_schema
        WHERE tbl_name = 'episode' AND (type = 'index' AND sql IS NOT NULL OR name = 'episode_counted')`,
    )
    .all()
  const episodesBefore = db.query<{ id: number }, []>('SELECT coalesce(max(id), 0) AS id FROM episode').get()!.id
  for (const { type, name } of dropped) db.run(`DROP ${type} ${name}`)
  return () => {
    for (const { sql } of dropped) db.run(sql)
    db.run(
      `UPDATE podcast
          SET (episode_count, last_episode_at) =
                (SELECT count(*), max(published_at) FROM episode WHERE podcast_id = podcast.id),
              last_episode_title = (SELECT title FROM episode WHERE podcast_id = podcast.id
                                     ORDER BY published_at DESC, id DESC LIMIT 1)
        WHERE id IN (SELECT podcast_id FROM episode WHERE id > ?)`,
      [episodesBefore],
    )
  }
}

/** Indexes the oldest first: FTS5 writes a part of its index out at every row that is not behind the one before. */
function indexAll(db: Database) {
  setPartSize(db, 32 * MB)
  const rows = db
    .query<{ id: number; published_at: number }, []>(
      'SELECT id, published_at FROM episode WHERE search_place IS NULL ORDER BY published_at, id',
    )
    .all()
  const textsOf = db.query<{ title: string; notes: string; author: string | null }, [number]>(
    'SELECT title, notes, author FROM episode WHERE id = ?',
  )
  const { put } = searchStore(db)
  inTransactions(db, rows.length, row => {
    const { id, published_at } = rows[row]!
    const texts = textsOf.get(id)!
    put(id, searchPlace(published_at, id), {
      title: texts.title,
      notes: searchedNotes(texts),
      chapters: '',
      transcript: '',
    })
  })
  setPartSize(db, MB)
  const { mergeIndex } = upkeepStore(db)
  while (db.transaction(mergeIndex)());
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
}

/** Sets the memory that FTS5 fills before it writes a part of its index; a megabyte, if nobody says otherwise. */
function setPartSize(db: Database, bytes: number) {
  for (const index of ['title_index', 'text_index'])
    db.run(`INSERT INTO ${index} (${index}, rank) VALUES ('hashsize', ${bytes})`)
}
