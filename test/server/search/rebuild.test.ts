import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { SearchField } from '../../../src/shared/api/search'
import { find } from '../../../src/server/search/find'
import { indexNext, indexPeople, indexSome } from '../../../src/server/search/indexer'
import { openStore, type Store } from '../../../src/server/store'
import { migrations } from '../../../src/server/store/migrations'
import { searchPlace } from '../../../src/server/store/search'
import { temporaryFolder } from '../../support/app'

const before = migrations.findIndex(sql => sql.includes('CREATE TABLE reindexing'))
const COUNT = 1100
const fields: ReadonlySet<SearchField> = new Set(['titles', 'notes', 'people'])

/** A library as an earlier version left it: its words are indexed as they are written. */
function plantOld(): string {
  const path = join(temporaryFolder(), 'castellan.db')
  const old = new Database(path)
  for (const sql of migrations.slice(0, before)) old.run(sql)
  old.run(`PRAGMA user_version = ${before}`)
  old.run(`INSERT INTO podcast (id, uuid, feed_url, title, folder, extras, added_at, next_check_at)
           VALUES (1, 'p1', 'https://h.example/1', 'One', 'One', '{}', 0, 0)`)
  const add = old.query<null, Record<string, string | number | null>>(
    `INSERT INTO episode (id, uuid, eid, podcast_id, guid, title, notes, enclosure_url, published_at, first_seen_at,
                          digest, search_place)
     VALUES ($id, 'e' || $id, 'f' || $id, 1, $id, $title, $notes, 'https://h.example/' || $id, $at, $at, 'd', $place)`,
  )
  const title = old.query<null, [number, string]>('INSERT INTO title_index (rowid, title) VALUES (?, ?)')
  const text = old.query<null, [number, string, string]>(
    "INSERT INTO text_index (rowid, title, notes, chapters, transcript) VALUES (?, ?, ?, '', '')",
  )
  old.transaction(() => {
    for (let id = 1; id <= COUNT; id++) {
      const at = id * 60_000
      const place = id === 7 ? null : searchPlace(at, id)
      const facts = { id, title: `Straße ${id}`, notes: `Sørens lamp ${id}` }
      add.run({ ...facts, at, place })
      if (place === null) continue
      title.run(place, facts.title)
      text.run(place, facts.title, facts.notes)
    }
    old.run("INSERT INTO person (id, name) VALUES (5, 'Ægir')")
    old.run('INSERT INTO podcast_person (person_id, podcast_id) VALUES (5, 1)')
  })()
  old.close()
  return path
}

function searchOf(store: Store) {
  const viewer = { id: 1, explicit_consent: 1 }
  return (typed: string, limit = COUNT + 1) => {
    const { episodes, people } = find(store, viewer, typed, fields, {}, limit, null)
    return { ids: episodes.map(({ row }) => row.id), people: people.map(({ name }) => name) }
  }
}

/** Places in both indexes; each must be that of one episode. */
const placesOf = (path: string) => {
  using db = new Database(path, { readonly: true })
  const places = (index: string) =>
    db.query<{ id: number }, []>(`SELECT id FROM ${index}_docsize ORDER BY id`).values().flat()
  const wanted = db.query('SELECT search_place FROM episode ORDER BY search_place').values().flat()
  return { title: places('title_index'), text: places('text_index'), wanted }
}

test('an index of before is replaced step by step, the newest first, and can be searched all the time', async () => {
  const path = plantOld()
  let store = openStore(path)
  expect([store.search.isBehind(), store.people.areUnindexed()]).toEqual([true, true])
  expect(searchOf(store)('lamp', 3).ids).toEqual([1100, 1099, 1098])
  expect(searchOf(store)('strasse').ids).toEqual([])

  await indexSome(store)
  const some = searchOf(store)('strasse').ids
  expect(some).toHaveLength(500)
  // The one that the index lacked came first.
  expect([some[0], some.at(-1)]).toEqual([1100, 7])
  expect(searchOf(store)('lamp').ids).toHaveLength(COUNT)

  // Killed in between, and started again.
  store.close()
  store = openStore(path)
  expect(store.search.isReindexing()).toBe(true)
  await indexNext(store)
  expect(searchOf(store)('sorens').ids).toHaveLength(501)
  while (store.search.isBehind()) await indexSome(store)
  for (const word of ['strasse', 'straße', 'sorens', 'lamp']) expect(searchOf(store)(word).ids).toHaveLength(COUNT)
  expect(store.search.isReindexing()).toBe(false)

  expect(searchOf(store)('aegir').people).toEqual([])
  await indexPeople(store)
  expect([searchOf(store)('aegir').people, store.people.areUnindexed()]).toEqual([['Ægir'], false])
  store.close()
  const { title, text, wanted } = placesOf(path)
  expect([title, text]).toEqual([wanted, wanted])
})

test('an episode that is set aside while an index is replaced holds nothing up', async () => {
  using store = disposable(openStore(plantOld()))
  await indexNext(store)
  const next = store.search.findUnindexed()!
  expect(next.id).toBe(1100)
  store.search.leaveOut(next)
  expect(store.search.findUnindexed()!.id).toBe(1099)
  expect(searchOf(store)('lamp').ids).toHaveLength(COUNT - 1)
})

test('what is added meanwhile is indexed once', async () => {
  using store = disposable(openStore(plantOld()))
  await indexSome(store)
  store.search.drop(1)
  store.search.drop(1100)
  while (store.search.isBehind()) await indexSome(store)
  expect(searchOf(store)('strasse').ids).toHaveLength(COUNT)
})

const disposable = (store: Store) => ({ ...store, [Symbol.dispose]: () => store.close() })
