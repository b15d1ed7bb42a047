import { expect, test } from 'bun:test'
import { parseFeed } from '../../../src/server/feeds/parse/parse-feed'
import { startTestApp, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const parse = (text: string) => parseFeed(new TextEncoder().encode(text), 'https://pod.example/feed').feed.items
const authorsOf = (text: string) => parse(text).map(({ author }) => author)

test('the author of an item is read from every element that names one', () => {
  const items = [
    '<itunes:author>Edda Vik</itunes:author><dc:creator>admin</dc:creator>',
    '<dc:creator>Edda Vik</dc:creator>',
    '<author>edda@pod.example (Edda Vik)</author>',
    '<author>Edda Vik &lt;edda@pod.example&gt;</author>',
    '<author><name>Edda Vik</name></author>',
    '<atom:author><atom:name>Edda Vik</atom:name></atom:author>',
    '<googleplay:author>Edda Vik</googleplay:author>',
    '<media:credit role="producer">Nobody</media:credit><media:credit role="author">Edda Vik</media:credit>',
  ].map(extra => ({ extra }))
  const namespaces =
    '<rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:googleplay="http://www.google.com/schemas/play-podcasts/1.0"'
  expect(authorsOf(rss({ items }).replace('<rss', namespaces))).toEqual(items.map(() => 'Edda Vik'))
})

test('an item by the author of the feed has none of its own, and the address of a mailbox is no author', () => {
  const items = [
    '<itunes:author> MARA  field </itunes:author><dc:creator>admin</dc:creator>',
    '<author>mara@pod.example (Mara Field)</author>',
    '<author>noreply@pod.example</author>',
    '<itunes:author/>',
    '',
  ].map(extra => ({ extra }))
  expect(authorsOf(rss({ items }))).toEqual(items.map(() => undefined))
})

test('entries of Atom and items of JSON Feed have their authors', () => {
  const entry = (author: string) =>
    `<entry><id>${author}</id><title>a</title><link rel="enclosure" href="https://h.example/a.mp3"/><author><name>${author}</name></author></entry>`
  expect(
    authorsOf(
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>f</title><author><name>Mara Field</name></author>${entry('Mara Field')}${entry('Edda Vik')}</feed>`,
    ),
  ).toEqual([undefined, 'Edda Vik'])
  const item = (id: string, more: object) => ({ id, attachments: [{ url: 'https://h.example/a.mp3' }], ...more })
  const json = {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'f',
    authors: [{ name: 'Mara Field' }],
    items: [
      item('1', { authors: [{ name: 'Mara Field' }] }),
      item('2', { authors: [{ name: 'Edda Vik' }] }),
      item('3', { author: { name: 'Edda Vik' } }),
      item('4', { author: 'Edda Vik', authors: {} }),
    ],
  }
  expect(authorsOf(JSON.stringify(json))).toEqual([undefined, 'Edda Vik', 'Edda Vik', undefined])
})

test('the author is shown with the episode, found by the search, and published again in private feeds', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const items = [
    { title: 'Fog', notes: 'About lamps', extra: '<itunes:author>Edda Vik &amp; Co</itunes:author>' },
    { title: 'Rain', notes: 'About drops' },
  ]
  const { id, podfetch_feed } = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  await app.context.indexer.run()

  const { data } = await app.podcasts.episodes(id, {}, null)
  const [fog, rain] = await Promise.all(data.map(one => app.episodes.find(one.podcastEpisode.episode_id)))
  expect([fog!.extras.author, rain!.extras.author]).toEqual(['Edda Vik & Co', undefined])
  expect(await found(app, 'edda vik')).toEqual([['Fog', '<mark>Edda</mark> <mark>Vik</mark> &amp; Co · About lamps']])
  expect(await found(app, 'mara field')).toEqual([])

  const body = await (await app.fetch(new URL(podfetch_feed).pathname + new URL(podfetch_feed).search)).text()
  expect(parse(body).map(({ title, author }) => [title, author])).toEqual([
    ['Fog', 'Edda Vik & Co'],
    ['Rain', undefined],
  ])
})

test('an episode that is known and indexed already is found by the author that its feed gives it later', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const feed = (extra: string) => host.feed('/feed.xml', rss({ items: [{ title: 'Fog', notes: 'Lamps', extra }] }))
  await app.podcasts.add(feed(''))
  await app.context.indexer.run()
  expect(await found(app, 'edda')).toEqual([])
  feed('<itunes:author>Edda Vik</itunes:author>')
  await app.context.refresh.refresh(1, { isAsked: true })
  await app.context.indexer.run()
  expect(await found(app, 'edda')).toHaveLength(1)
  feed('')
  await app.context.refresh.refresh(1, { isAsked: true })
  await app.context.indexer.run()
  expect(await found(app, 'edda')).toEqual([])
})

const found = async (app: TestApp, q: string) =>
  (await app.search.find({ q }, null)).data.episodes.map(({ podcastEpisode, snippet }) => [
    podcastEpisode.name,
    snippet,
  ])
