import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore, type Store } from '../../../src/server/store'
import { movedTables } from '../../../src/server/moving/moved-tables'
import type { SmartCondition } from '../../../src/server/store/smart-conditions'
import { anything } from '../../support/anything'
import { temporaryFolder } from '../../support/app'

const folder = join(import.meta.dir, '../../../src/server/store')

/** Tables that grow with the episodes, the listening or the files. */
const large = (
  'episode playback playlist_item queue_item saved_queue_item download download_request notification chapter listened document cover ' +
  'bookmark skip_mark episode_action episode_like subscription kept_file announcement marked_before job_item move_change move_count ' +
  'move_undo_count new_episode transcription delivery audit person podcast_person episode_person'
).split(' ')

/** Indexes that hold little more than the rows that are wanted: work that is due, or the files. */
const dueIndexes =
  /USING (COVERING )?INDEX (announcement_due|download_request_due|episode_unindexed|episode_downloaded)/

/** Statements that read all of a large table, and why they may. */
const allowed: Record<string, string> = {
  'notifications.ts announcement': 'holds what is to be announced, which is little',
  'upkeep.ts download': 'counts of /metrics, from an index',
  'upkeep.ts transcription': 'counts of /metrics, from an index',
  'kept-files.ts kept_file': 'moves every kept file to another storage',
  'upkeep.ts episode': 'the whole search index is to be made anew',
  'smart-walk.ts episode': 'goes along an order, until the list is full or a rule leaves fewer than were passed by',
  'your-episodes.ts episode': 'counts the days of the downloaded episodes, and skips to a place among them',
  'timeline.ts episode': 'sums up days: the route names the dates between which they lie',
}

/** Calls of the store that are not made by a request. */
const unasked = new Set([
  'backup.ts',
  'foreign-database.ts',
  'foreign-database.ts',
  'index.ts',
  'inspect.ts',
  'open.ts',
])

type Asked = { site: string; sql: string }

/** The rows that every statement finds meanwhile. */
let rows: unknown[] = []

/** Calls everything that the store offers, with values of all kinds and rows of none, and collects the statements. */
function statementsOf(store: Store): Asked[] {
  const asked = new Map<string, Asked>()
  const query = Database.prototype.query
  Database.prototype.query = function (sql: string) {
    const site = /src\/server\/store\/((?!writing)[\w-]+\.ts:\d+)/.exec(new Error().stack ?? '')?.[1] ?? ''
    asked.set(`${site} ${sql}`, { site, sql })
    return {
      all: () => rows,
      get: () => rows[0] ?? null,
      run: () => ({ changes: rows.length, lastInsertRowid: 1 }),
      iterate: () => rows.values(),
    }
  } as never
  const values = [
    anything(),
    anything(name => name !== 'id'),
    anything(name => name === 'explicit_consent'),
    undefined as never,
  ]
  try {
    for (rows of [[anything()], []]) for (const value of values) callAll(store, value)
    callByName(store, anything())
    rows = [{ id: 1, total: 1 }]
    callRemovals(store)
    rows = [{ podcasts: 1, episodes: 1, all: 9 }]
    callSmartLists(store)
    const filter = { favouritesOnly: true, likedOnly: false, unplayedOnly: false }
    store.timeline.idsFor(anything(), filter, 1)
    store.timeline.idsFor(anything(), { ...filter, shorterThan: 1 }, 1)
  } finally {
    Database.prototype.query = query
  }
  return [...asked.values()]
}

type Calls = Record<string, (...values: never[]) => unknown>

function callAll(store: Store, value: never) {
  const families = Object.values(store).filter(family => typeof family === 'object') as unknown as Calls[]
  for (const family of families)
    for (const call of Object.values(family))
      try {
        call.call(family, value, value, value, value)
      } catch {
        // It got as far as its statement, or another value will.
      }
}

/** Calls what wants one of several names. */
function callByName(store: Store, value: never) {
  for (const index of ['title_index', 'text_index'] as const) {
    store.search.find(value, index, 'lamp', {}, 1)
    store.search.listLonger(index, 'lamp', 1)
  }
  for (const list of ['liked', 'bookmarked', 'in-progress', 'downloaded', 'history'] as const) {
    for (const after of [undefined, value]) store.yourEpisodes.pageFor(value, list, { after }, 1)
    store.yourEpisodes.idsFor(value, list, 1)
    store.yourEpisodes.quartersFor(value, list)
  }
  store.downloads.list(value, ['queued'], 1, null)
  for (const person of [null, 'x'])
    for (const topic of [null, 'keys'] as const)
      store.audit.page({ person, topic, from: 0, before: 1 }, { publishedAt: 1, id: 1 }, 1)
  for (const table of Object.values(movedTables)) {
    store.moves.rowText(table, value)
    store.moves.removeRow(table, value)
  }
  store.podcastSettings.keep(value, store.podcastSettings.of(value))
  for (const serial of [0, 1]) store.keptNext.idsFor(value, { id: 1, serial, keep_next: 1 })
  for (const ready of store.downloads.ready(0)) expect(ready).toBeDefined()
}

/** Everything that refers to what can be removed. */
function callRemovals(store: Store) {
  for (const table of ['podcast', 'user', 'playlist', 'saved_queue', 'job', 'move'] as const) {
    store.removals.remove(table, 1, '')
    store.removals.deleteSome({ of_table: table, row_id: 1, title: '', kept_feed: null }, 1)
    store.removals.remaining({ of_table: table, row_id: 1, title: '', kept_feed: null })
  }
}

/** Each rule in each order, where it leaves few episodes and where it leaves many. */
function callSmartLists(store: Store) {
  const named = { id: 1, podcast_id: 1, title: 'lamp', episode_count: 1, k0: 1, k1: 1, k2: 1, ids: '[1]', count: 1 }
  for (const total of [1, 1e9])
    for (const order of ['newest', 'oldest', 'shortest', 'longest', 'podcast', 'played'] as const)
      for (const condition of everyCondition)
        for (const viewer of [anything(), anything(name => name === 'explicit_consent')]) {
          rows = [{ ...named, total, episodes: total, files: total }]
          store.smartLists.idsFor(viewer, { match: 'all', conditions: [condition], order, limit: 3 })
        }
}

const everyCondition: readonly SmartCondition[] = [
  { field: 'podcast', isNot: false, ids: [1] },
  { field: 'tag', isNot: true, ids: [1] },
  { field: 'favourite', is: true },
  { field: 'played', is: 'unplayed' },
  { field: 'played', is: 'started' },
  { field: 'played', is: 'finished' },
  { field: 'downloaded', is: true },
  { field: 'liked', is: true },
  { field: 'liked', is: false },
  { field: 'duration', op: 'at-least', seconds: 1 },
  { field: 'duration', op: 'at-most', seconds: 1 },
  { field: 'age', op: 'within', since: 1 },
  { field: 'age', op: 'older', since: 1 },
  { field: 'title', isNot: false, match: 'lamp', isIn: () => true },
  { field: 'title', isNot: true, match: 'lamp', isIn: () => false },
  { field: 'season', is: 1 },
  { field: 'type', is: 'trailer' },
  { field: 'type', is: 'full' },
]

/** The tables that a plan reads from end to end. Along an index, a page stops when it is full. */
function readWhole(sql: string, plan: readonly string[]): string[] {
  const isPage = /\bLIMIT \S+\s*$/.test(sql) && !plan.some(line => line.includes('TEMP B-TREE FOR ORDER BY'))
  return plan
    .filter(
      line => line.startsWith('SCAN ') && !dueIndexes.test(line) && !(isPage && /USING (COVERING )?INDEX/.test(line)),
    )
    .flatMap(line => {
      const name = line.split(' ')[1]!
      return large.filter(table => table === name || new RegExp(`\\b${table} (AS )?${name}\\b`).test(sql))
    })
}

/** Libraries that `openStore` is given, and changes that another program makes to the file of an open store. */
const files: Record<string, { before?: Library; meanwhile?: Library; isRemoved?: boolean }> = {
  'no statistics': {},
  'statistics of one podcast and one episode': { before: 'smallest' },
  'statistics of a large library': { before: 'large' },
  'statistics of one episode, measured by another program meanwhile': { meanwhile: 'smallest', isRemoved: true },
  // They are served as well until they are removed.
  'statistics of a large library, measured meanwhile': { meanwhile: 'large' },
}

test.each(Object.keys(files))('every statement of the store finds its rows by an index, with %s', name => {
  const { before, meanwhile, isRemoved } = files[name]!
  const path = join(temporaryFolder(), 'castellan.db')
  openStore(path).close()
  if (before) plantStatistics(path, before)
  const store = openStore(path)
  const statements = statementsOf(store)
  if (meanwhile) plantStatistics(path, meanwhile)
  if (isRemoved) expect(store.removeStatistics()).toBe(true)
  // Reads the schema again, which EXPLAIN does not.
  store.users.list()
  const explained = statements.flatMap(({ site, sql }) => {
    try {
      return [{ site, sql, plan: store.explain(sql) }]
    } catch {
      // A statement that was put together from what is no column.
      return []
    }
  })
  const offences = explained.flatMap(({ site, sql, plan }) =>
    readWhole(sql, plan).map(table => ({ place: `${site.split(':')[0]} ${table}`, sql })),
  )
  expect(offences.filter(({ place }) => !(place in allowed))).toEqual([])
  if (!meanwhile || isRemoved)
    expect(Object.keys(allowed).filter(place => !offences.some(offence => offence.place === place))).toEqual([])
  expect(unexplained(explained.map(({ site }) => site))).toEqual([])
  store.close()
})

type Library = 'smallest' | 'large'

/** Rows of a large library; tables that are not named have as many as there are episodes. */
const rowsOf: Record<string, number> = { user: 10, podcast: 1000, tag: 50, playlist: 50 }
const EPISODES = 200_000
/** Columns with few values; all others are taken as different in each row. */
const valuesOf: Record<string, number> = {
  user_id: 10,
  podcast_id: 1000,
  played: 2,
  finished: 2,
  explicit: 2,
  state: 4,
}
/** Files that were downloaded, and work that is due. */
const IN_PARTIAL_INDEX = 500

/** Writes the rows of `ANALYZE`, as it would find a library. */
function plantStatistics(path: string, library: Library) {
  using db = new Database(path)
  db.run('ANALYZE sqlite_schema')
  const add = db.query('INSERT INTO sqlite_stat1 VALUES (?, ?, ?)')
  const tables = db.query<{ name: string; wr: number }, []>(
    "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
  )
  for (const { name, wr } of tables.all()) {
    const rows = rowsOf[name] ?? EPISODES
    add.run(name, null, library === 'large' ? `${rows}` : '1')
    for (const index of indexesOf(db, name)) {
      const inIndex = index.partial ? Math.min(rows, IN_PARTIAL_INDEX) : rows
      const numbers = library === 'large' ? [inIndex, ...equalIn(inIndex, index)] : [1, ...index.columns.map(() => 1)]
      // A table without row ids is its own primary key.
      add.run(name, index.origin === 'pk' && wr ? name : index.name, numbers.join(' '))
    }
  }
}

type Index = { name: string; unique: number; origin: string; partial: number; columns: string[] }

const indexesOf = (db: Database, table: string): Index[] =>
  db
    .query<Omit<Index, 'columns'>, [string]>('SELECT * FROM pragma_index_list(?)')
    .all(table)
    .map(index => ({
      ...index,
      columns: db
        .query<{ name: string | null }, [string]>('SELECT name FROM pragma_index_info(?)')
        .all(index.name)
        .map(column => column.name ?? ''),
    }))

/** Rows that share the first columns of an index: of one column, of two, and so on. */
function equalIn(rows: number, { unique, columns }: Index): number[] {
  let groups = 1
  return columns.map((column, at) => {
    groups = unique && at === columns.length - 1 ? rows : Math.min(rows, groups * (valuesOf[column] ?? rows))
    return Math.ceil(rows / groups)
  })
}

/**
 * Places of the store that make a statement whose plan was not seen. Left out: helpers that are given a condition,
 * pragmas, the ends of a transaction, and the first row of a new library.
 */
function unexplained(sites: readonly string[]): string[] {
  const seen = new Set(sites)
  return readdirSync(folder)
    .filter(name => name.endsWith('.ts') && !unasked.has(name))
    .flatMap(name =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          /(\.query[<(]|\bdb\.(run|exec|prepare)\()(?!.*(\$\{condition\}|INSERT OR IGNORE INTO settings|PRAGMA|'BEGIN IMMEDIATE'|'ROLLBACK'))/.test(
            line,
          )
            ? [`${name}:${index + 1}`]
            : [],
        ),
    )
    .filter(site => !seen.has(site))
}
