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
  'move_undo_count transcription delivery'
).split(' ')

/** Indexes that hold little more than the rows that are wanted: work that is due, or the files. */
const dueIndexes =
  /USING (COVERING )?INDEX (announcement_due|download_request_due|episode_unindexed|episode_downloaded)/

/** Statements that read all of a large table, and why they may. */
const allowed: Record<string, string> = {
  'figures.ts download': 'counts of /metrics, from an index',
  'figures.ts transcription': 'counts of /metrics, from an index',
  'media-copies.ts kept_file': 'moves every kept file to another storage',
  'health.ts episode': 'the whole search index is to be made anew',
  'playback-marks.ts episode': 'marks the whole timeline, of which without a filter every episode is part',
  'smart-walk.ts episode': 'goes along an order, until the list is full or a rule leaves fewer than were passed by',
  'timeline.ts episode': 'sums up days: the route names the dates between which they lie',
  'users.ts notification': 'an account and what belongs to it are deleted',
}

/** Calls of the store that are not made by a request. */
const unasked = new Set(['backup.ts', 'foreign-database.ts', 'index.ts', 'inspect.ts', 'open.ts'])

type Asked = { site: string; sql: string }

/** The rows that every statement finds meanwhile. */
let rows: unknown[] = []

/** Calls everything that the store offers, with values of all kinds and rows of none, and collects the statements. */
function statementsOf(store: Store): Asked[] {
  const asked = new Map<string, Asked>()
  const query = Database.prototype.query
  Database.prototype.query = function (sql: string) {
    const site = /src\/server\/store\/((?!statements)[\w-]+\.ts:\d+)/.exec(new Error().stack ?? '')?.[1] ?? ''
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
    rows = [{ podcasts: 1, episodes: 1, all: 9 }]
    callSmartLists(store)
    store.timeline.idsFor(anything(), { favouritesOnly: true, likedOnly: false, unplayedOnly: false }, 1)
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
  for (const index of ['title_index', 'text_index'] as const) store.search.find(value, index, 'lamp', {}, 1)
  for (const list of ['liked', 'bookmarked', 'in-progress', 'downloaded', 'history'] as const)
    for (const after of [undefined, value]) store.yourEpisodes.pageFor(value, list, after, 1)
  store.downloads.list(value, ['queued'], 1, null)
  for (const table of Object.values(movedTables)) {
    store.moves.rowText(table, value)
    store.moves.removeRow(table, value)
  }
  store.podcastSettings.keep(value, store.podcastSettings.of(value))
  for (const ready of store.downloads.ready(0)) expect(ready).toBeDefined()
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
    .filter(line => line.startsWith('SCAN ') && !dueIndexes.test(line) && !(isPage && line.includes('USING INDEX')))
    .flatMap(line => {
      const name = line.split(' ')[1]!
      return large.filter(table => table === name || new RegExp(`\\b${table} (AS )?${name}\\b`).test(sql))
    })
}

test('every statement of the store finds its rows by an index', () => {
  const store = openStore(join(temporaryFolder(), 'castellan.db'))
  const explained = statementsOf(store).flatMap(({ site, sql }) => {
    try {
      return [{ site, sql, plan: store.explain(sql.replace(/\$\w+|\?\d*/g, '1')) }]
    } catch {
      // A statement that was put together from what is no column.
      return []
    }
  })
  const offences = explained.flatMap(({ site, sql, plan }) =>
    readWhole(sql, plan).map(table => ({ place: `${site.split(':')[0]} ${table}`, sql })),
  )
  expect(offences.filter(({ place }) => !(place in allowed))).toEqual([])
  expect(Object.keys(allowed).filter(place => !offences.some(offence => offence.place === place))).toEqual([])
  expect(unexplained(explained.map(({ site }) => site))).toEqual([])
  store.close()
})

/**
 * Places of the store that make a statement whose plan was not seen. Left out: helpers that are given a condition,
 * pragmas, and the first row of a new library.
 */
function unexplained(sites: readonly string[]): string[] {
  const seen = new Set(sites)
  return readdirSync(folder)
    .filter(name => name.endsWith('.ts') && !unasked.has(name))
    .flatMap(name =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          /\.query[<(](?!.*(\$\{condition\}|INSERT OR IGNORE INTO settings|PRAGMA))/.test(line)
            ? [`${name}:${index + 1}`]
            : [],
        ),
    )
    .filter(site => !seen.has(site))
}
