import { expect, test } from 'bun:test'
import type { SearchField } from '../../../src/shared/api/search'
import { applyDigest } from '../../../src/server/feeds/apply'
import { find } from '../../../src/server/search/find'
import { indexSome } from '../../../src/server/search/index-episodes'
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
  await applyDigest(store, id, readFeed(rss({ items })), { validators, seenAt: Date.now() })
  const titles = (words: string) => find(store, alice, words, fields, {}, 9, null).episodes.map(({ row }) => row.title)
  return { ...planted, titles }
}

test('new episodes can be found as soon as they are stored, by title, notes and chapters', async () => {
  const chapter = '<psc:chapter start="0:01" title="Keeper"/>'
  const extra = `<psc:chapters xmlns:psc="http://podlove.org/simple-chapters">${chapter}</psc:chapters>`
  using here = await applied([{ title: 'Lantern', notes: '<p>The rope</p>', extra }, { title: 'Other' }])
  expect(here.store.search.isBehind()).toBe(false)
  for (const word of ['lantern', 'rope', 'keeper']) expect(here.titles(word)).toEqual(['Lantern'])
})

test('a transaction that has many words to index leaves the rest to the indexer', async () => {
  const notes = 'word '.repeat(30_000)
  using here = await applied(Array.from({ length: 4 }, (_, index) => ({ title: `Lantern ${index}`, notes })))
  expect(here.store.search.isBehind()).toBe(true)
  expect(here.titles('lantern')).toHaveLength(2)
  await indexSome(here.store)
  expect(here.store.search.isBehind()).toBe(false)
  expect(here.titles('lantern')).toHaveLength(4)
})
