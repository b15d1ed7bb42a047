import { expect, test } from 'bun:test'
import { digestFeed, type Digest } from '../../../src/server/feeds/apply/digest'
import type { KnownEpisode } from '../../../src/server/store/episodes'
import { startTestApp } from '../../support/app'
import { rss, type FeedSpec } from '../../support/builders'
import { knownAfter } from '../../support/known-episodes'
import { startFeedHost } from '../../support/feed-host'
import { refresh } from '../../support/refreshing'

function read(feed: FeedSpec | string, known: KnownEpisode[] = []): Digest {
  const body = new TextEncoder().encode(typeof feed === 'string' ? feed : rss(feed))
  const address = 'https://pod.example/feed.xml'
  const result = digestFeed({ body, contentType: '', contentEncoding: '', address, maxBytes: 1_000_000, known })
  if (!result.ok) throw new Error('no feed')
  return result.digest
}

const remember = (feed: FeedSpec | string) => knownAfter(read(feed))

test('an item with the same bytes is recalled, and one with other bytes that say the same gets its new hash', () => {
  const known = remember({ items: [{}, {}] })
  expect(read({ items: [{}, {}] }, known)).toMatchObject({ added: [], edited: [], rehashed: [], recognised: 2 })
  const spaced = rss({ items: [{}, {}] }).replace('</item>', ' </item>')
  expect(read(spaced, known)).toMatchObject({ added: [], edited: [], rehashed: [{ id: 1 }] })
})

test('an item that vanished and returns with the same bytes is in the feed again', () => {
  const [first, second] = remember({ items: [{}, {}] })
  const known = [{ ...first!, in_feed: 0 }, second!]
  expect(read({ items: [{}, {}] }, known)).toMatchObject({ added: [], edited: [], returned: [1], vanished: [] })
})

test('dates in numbers are understood by those of all items, also of the known ones', () => {
  const fifth = { guid: 'fifth', date: '06/05/2026' }
  const other = { guid: 'other', date: '06/13/2026' }
  expect(read({ items: [fifth] }).added[0]!.facts.announced_at).toBe(Date.UTC(2026, 4, 6))
  const { added } = read({ items: [fifth, other] }, remember({ items: [other] }))
  expect(added[0]!.facts.announced_at).toBe(Date.UTC(2026, 5, 5))
})

test('an item with faults is read each time, so that its feed keeps its warning', () => {
  const broken = rss({ items: [{}, { extra: '<podcast:season>2' }] })
  expect(read(broken).warnings).toEqual(['1 items are not well-formed'])
  expect(read(broken, remember(broken)).warnings).toEqual(['1 items are not well-formed'])
})

test('what an item means depends on its feed: another author, base or prefix has it read again', () => {
  const items = [{ extra: '<itunes:author>Ann</itunes:author><a:summary>Fog</a:summary>' }]
  const feed = rss({ items })
  const known = remember(feed)
  expect(known[0]).toMatchObject({ author: 'Ann' })
  expect(read(feed.replace('Mara Field', 'Ann'), known).edited).toMatchObject([{ facts: { author: null } }])
  const renamed = feed.replace('<rss ', '<rss xmlns:a="http://www.itunes.com/dtds/podcast-1.0.dtd" ')
  expect(read(renamed, known).edited).toMatchObject([{ facts: { notes: '<p>Fog</p>' } }])
})

test('an episode that something else changes is read again, and then recalled again', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const items = [{ guid: 'a' }, { guid: 'b' }]
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { episodes } = app.context.store
  const remembered = () => episodes.knownOf(1).map(({ guid, title, item_hash }) => [guid, title, item_hash !== null])
  expect(remembered()).toEqual([
    ['b', 'Episode 1', true],
    ['a', 'Episode 0', true],
  ])
  const [{ id: row }] = episodes.knownOf(1) as [KnownEpisode]
  episodes.edit(row, { ...read({ items }).added[0]!.facts, guid: 'b', feed_guid: 'b', title: 'Another', digest: '' })
  expect(remembered()[0]).toEqual(['b', 'Another', false])
  host.feed('/feed.xml', rss({ items: [...items, { guid: 'c' }] }))
  await refresh(app, id)
  expect(remembered().toSorted()).toEqual([
    ['a', 'Episode 0', true],
    ['b', 'Episode 1', true],
    ['c', 'Episode 2', true],
  ])
})
