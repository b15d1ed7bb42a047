import { expect, test } from 'bun:test'
import { digestFeed } from '../../../src/server/feeds/apply/digest'
import type { KnownEpisode } from '../../../src/server/store/episodes'
import { startClock, startTestApp } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { knownAfter } from '../../support/known-episodes'
import { refresh } from '../../support/refreshing'

const trailer = (url: string, title = 'Coming soon', more = '') =>
  `<podcast:trailer pubdate="Thu, 01 Jan 2026 08:04:38 GMT" url="${url}" type="audio/mpeg" length="12345" season="2"${more}>${title}</podcast:trailer>`

test('a trailer of the channel is an episode of its own: it plays, is queued and is published again', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const bytes = noise(9000) as Uint8Array<ArrayBuffer>
  const url = host.file('/trailer.mp3', bytes)
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ extra: trailer(url), items: [{}] })))

  const { trailers } = (await app.podcasts.find(id)).extras
  expect(trailers).toEqual([
    {
      url,
      title: 'Coming soon',
      season: 2,
      pubdate: '2026-01-01T08:04:38.000Z',
      type: 'audio/mpeg',
      length: 12_345,
      episode: expect.any(String),
    },
  ])
  const { podcastEpisode: episode } = await app.episodes.find(trailers![0]!.episode!)
  expect(episode).toMatchObject({
    name: 'Coming soon',
    episode_type: 'trailer',
    season: 2,
    date_of_recording: '2026-01-01T08:04:38.000Z',
    mime_type: 'audio/mpeg',
    file_size: 12_345,
  })
  const response = await app.fetch(new URL(episode.local_url).pathname)
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  await app.queue.add({ episode: episode.id, at: 'last' })
  expect((await app.queue.find()).items.map(({ podcastEpisode }) => podcastEpisode.name)).toEqual(['Coming soon'])

  const feed = await (await app.fetch(`/rss/${id}`)).text()
  expect(feed).toContain(
    `<podcast:trailer url="${episode.local_url}" pubdate="Thu, 01 Jan 2026 08:04:38 +0000" type="audio/mpeg" length="12345" season="2">Coming soon</podcast:trailer>`,
  )
})

test('a trailer is neither announced nor downloaded nor queued by a rule, at first or later', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.context.store.settings.edit({ autoDownload: true, podcastPrefill: 5 })
  const url = host.file('/trailer.mp3', noise(9000))
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ extra: trailer(url) })))
  await app.podcasts.editPreferences(id, { queueNew: 'end' })
  const next = host.file('/next.mp3', noise(9001))
  host.feed('/feed.xml', rss({ extra: trailer(url) + trailer(next, 'Season two').replace('01 Jan', '01 May') }))
  expect(await refresh(app, id)).toMatchObject({ added: 1 })

  const { data } = await app.podcasts.episodes(id, {}, null)
  expect(data.map(({ podcastEpisode }) => podcastEpisode.name).sort()).toEqual(['Coming soon', 'Season two'])
  expect((await app.downloads.page(null)).data.items).toEqual([])
  expect(await app.notifications.unread()).toEqual([])
  expect((await app.queue.find()).items).toEqual([])
})

test('a trailer is found again under another address, and stays one episode where the feed lists it as an item', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const items = [{ guid: '2' }, { guid: '1' }]
  const url = 'https://cdn.example/trailer.mp3'
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ extra: trailer(url), items })))
  const idOf = async (name: string) => {
    const { data } = await app.podcasts.episodes(id, {}, null)
    expect(data).toHaveLength(3)
    return data.find(({ podcastEpisode }) => podcastEpisode.name === name)!.podcastEpisode
  }
  const first = await idOf('Coming soon')

  const moved = 'https://other.example/trailer.mp3'
  host.feed('/feed.xml', rss({ extra: trailer(moved), items }))
  await refresh(app, id)
  expect(await idOf('Coming soon')).toMatchObject({ id: first.id, url: moved })

  const listed = {
    guid: 'own',
    title: 'The trailer',
    enclosure: moved,
    extra: '<itunes:episodeType>trailer</itunes:episodeType>',
  }
  host.feed('/feed.xml', rss({ extra: trailer(moved), items: [...items, listed] }))
  await refresh(app, id)
  expect(await idOf('The trailer')).toMatchObject({ id: first.id, guid: 'own' })

  host.feed('/feed.xml', rss({ extra: trailer(moved), items }))
  await refresh(app, id)
  expect(await idOf('Coming soon')).toMatchObject({ id: first.id })
})

test('a second trailer of the same title is another episode, and the first keeps its own', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const first = trailer('https://cdn.example/1.mp3', 'Trailer')
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ extra: first, items: [{}] })))
  const byAddress = async () => {
    const { data } = await app.podcasts.episodes(id, {}, null)
    return new Map(data.map(({ podcastEpisode }) => [podcastEpisode.url, podcastEpisode.id]))
  }
  const before = (await byAddress()).get('https://cdn.example/1.mp3')
  host.feed('/feed.xml', rss({ extra: trailer('https://cdn.example/2.mp3', 'Trailer') + first, items: [{}] }))
  await refresh(app, id)
  expect(await byAddress()).toHaveProperty('size', 3)
  expect((await byAddress()).get('https://cdn.example/1.mp3')).toBe(before!)
})

test('a trailer at the old address of an episode is not that episode', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const [old, moved] = ['https://cdn.example/old.mp3', 'https://cdn.example/moved.mp3']
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ guid: '1', enclosure: old }] })))
  const idAt = async (url: string) =>
    (await app.podcasts.episodes(id, {}, null)).data.find(({ podcastEpisode }) => podcastEpisode.url === url)
      ?.podcastEpisode.id
  const first = await idAt(old)
  host.feed('/feed.xml', rss({ extra: trailer(old), items: [{ guid: '1', enclosure: moved }] }))
  await refresh(app, id)
  expect(await idAt(moved)).toBe(first!)
  expect(await idAt(old)).toBeDefined()
})

test('an episode that lost its address to a trailer has it again as soon as the trailer moved', () => {
  const read = (url: string, known: readonly KnownEpisode[]) => {
    const body = new TextEncoder().encode(rss({ extra: trailer(url), items: [{}] }))
    const address = 'https://pod.example/feed.xml'
    const result = digestFeed({ body, contentType: '', contentEncoding: '', address, maxBytes: 1e6, known })
    return result.ok ? result.digest : null
  }
  const rows = knownAfter(read('https://cdn.example/a.mp3', [])!)
  const [first, ofChannel] = [rows[0]!, rows[1]!]
  const { enclosure_url } = ofChannel
  const gone = { in_feed: 0, announced_at: 1000, superseded: 1 }
  const old = { ...first, ...gone, id: 3, guid: 'old', feed_guid: 'old', title: 'Old', enclosure_url }
  const known = [old, first, ofChannel]
  expect(read('https://cdn.example/a.mp3', known)).toMatchObject({ edited: [], superseded: [] })
  expect(read('https://cdn.example/b.mp3', known)).toMatchObject({
    edited: [{ id: ofChannel.id }],
    superseded: [{ id: 3, superseded: false }],
  })
})

test('a feed of trailers without end, or with one that is a page, adds only what can be played', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const many = Array.from({ length: 1000 }, (_, index) =>
    trailer(`https://cdn.example/trailer-${index}.mp3`, 'x'.repeat(2000)),
  )
  const extra = trailer('https://cdn.example/page.html').replace(' type="audio/mpeg"', '') + many.join('')
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ extra, items: [{}] })))
  const { trailers } = (await app.podcasts.find(id)).extras
  expect(trailers).toHaveLength(20)
  expect(trailers![0]!.episode).toBeNull()
  expect(trailers![1]!.title).toHaveLength(500)
  expect((await app.podcasts.find(id)).episode_count).toBe(20)
})
