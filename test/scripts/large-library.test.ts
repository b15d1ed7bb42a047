import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { DATABASE_FILE, openDataFolder } from '../../src/server/data-folder'
import { temporaryFolder } from '../support/app'
import { plantLarge } from '../support/large-library'

const schemaOf = (db: Database) => db.query('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()

test('a planted library has the indexes, triggers and counts of one that the server filled', async () => {
  const folder = temporaryFolder()
  openDataFolder(folder).store.close()
  using before = new Database(join(folder, DATABASE_FILE))
  const schema = schemaOf(before)

  await plantLarge(folder, 3, 20)
  await plantLarge(folder, 1, 30)
  using db = new Database(join(folder, DATABASE_FILE))
  expect(schemaOf(db)).toEqual(schema)
  const counts = db.query<{ is: string; should: string }, []>(
    `SELECT json_array(episode_count, last_episode_at, last_episode_title) AS "is",
            (SELECT json_array(count(*), max(published_at), title) FROM episode WHERE podcast_id = podcast.id) AS should
       FROM podcast`,
  )
  const podcasts = counts.all()
  expect(podcasts.map(({ is }) => JSON.parse(is)[0])).toEqual([20, 20, 20, 30])
  for (const { is, should } of podcasts) expect(is).toBe(should)

  const { store } = openDataFolder(folder)
  expect(store.search.isBehind()).toBe(false)
  expect(store.upkeep.mergeIndex()).toBe(false)
  store.close()
  const wanted = db.query<{ id: number; title: string }, []>('SELECT id, title FROM episode ORDER BY random() LIMIT 20')
  const find = db.query<{ id: number }, [string]>(
    'SELECT rowid & 67108863 AS id FROM title_index WHERE title_index MATCH ? ORDER BY rowid DESC',
  )
  for (const { id, title } of wanted.all())
    expect(find.all(title.split(' ').join(' AND ')).map(row => row.id)).toContain(id)
})
