import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import type { SearchField } from '../../../src/shared/api/search'
import { applyDigest } from '../../../src/server/feeds/apply/apply'
import { find } from '../../../src/server/search/find'
import { rss, type ItemSpec } from '../../support/builders'
import { readFeed } from '../../support/read-feed'
import { plantStore } from '../store/plant'

const validators = { etag: null, lastModified: null, digest: null }

const fields: ReadonlySet<SearchField> = new Set(['titles', 'notes', 'chapters'])

/** A library into which a feed with these items was just stored. */
async function applied(items: ItemSpec[]) {
  const planted = plantStore()
  const { store } = planted
  const alice = planted.user('alice')
  const { id } = planted.podcast('Fresh', alice.id)
  let turns = 0
  const counting = {
    ...store,
    inTurn: <T>(work: () => T) => (turns++, store.inTurn(work)),
    inTransaction: <T>(work: () => T) => (turns++, store.inTransaction(work)),
  }
  await applyDigest(counting, id, readFeed(rss({ items })), { validators, seenAt: Date.now() })
  const titles = (words: string) => find(store, alice, words, fields, {}, 9, null).episodes.map(({ row }) => row.title)
  return { ...planted, titles, turns: () => turns }
}

test('new episodes can be found as soon as they are stored, by title, notes and chapters', async () => {
  const chapter = '<psc:chapter start="0:01" title="Keeper"/>'
  const extra = `<psc:chapters xmlns:psc="http://podlove.org/simple-chapters">${chapter}</psc:chapters>`
  using here = await applied([{ title: 'Lantern', notes: '<p>The rope</p>', extra }, { title: 'Other' }])
  expect(here.store.search.isBehind()).toBe(false)
  for (const word of ['lantern', 'rope', 'keeper']) expect(here.titles(word)).toEqual(['Lantern'])
})

test('a feed with a few new episodes is stored in one transaction', async () => {
  using here = await applied([{ title: 'Lantern' }, { title: 'Other' }])
  expect(here.turns()).toBe(1)
})

test('new episodes are added in transactions of a hundred, or of fewer with long notes', async () => {
  const many = (count: number, notes: string) =>
    Array.from({ length: count }, (_, index) => ({ title: `Lantern ${index}`, notes }))
  using short = await applied(many(150, 'word'))
  expect(short.turns()).toBe(2)
  using long = await applied(many(5, 'word '.repeat(30_000)))
  expect(long.turns()).toBe(3)
  expect(long.store.search.isBehind()).toBe(false)
  expect(long.titles('lantern')).toHaveLength(5)
})

test.each([
  ['the newest first', [3, 2, 1]],
  ['the oldest first', [1, 2, 3]],
  ['in no order', [2, 3, 1]],
])('episodes are indexed in one part, though their feed lists them %s', async (_, days) => {
  using here = await applied(
    days.map(day => ({ title: `Lantern ${day}`, date: new Date(Date.UTC(2026, 0, day)).toUTCString() })),
  )
  using db = new Database(here.path, { readonly: true })
  for (const index of ['title_index', 'text_index'])
    expect(db.query(`SELECT count(DISTINCT segid) AS parts FROM ${index}_idx`).get()).toEqual({ parts: 1 })
  expect(here.titles('lantern')).toEqual(['Lantern 3', 'Lantern 2', 'Lantern 1'])
})
