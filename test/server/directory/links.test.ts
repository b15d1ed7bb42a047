import { expect, test } from 'bun:test'
import { refusal, startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

/** Directories and web pages of services on one loopback host, and a feed that they lead to. */
async function start({ env = {} as Record<string, string>, pages = {} as Record<string, string> } = {}) {
  const host = startFeedHost()
  const feedUrl = host.feed('/feed.xml', rss({ title: 'Lighthouse Radio', items: [{}] }))
  const found = { trackId: 7, collectionId: 7, trackName: 'Lighthouse Radio', collectionName: 'x', artistName: 'x' }
  const asked: string[] = []
  host.on('/itunes/lookup', (_, { searchParams }) => {
    asked.push(`${searchParams.get('id')} ${searchParams.get('country')}`)
    if (searchParams.get('id') === '8') return Response.json({ results: [{ ...found, trackName: 'Closed Radio' }] })
    return Response.json({ results: searchParams.get('id') === '7' ? [{ ...found, feedUrl }] : [] })
  })
  host.on('/podindex/podcasts/byfeedid', (_, { searchParams }) =>
    Response.json({ feed: searchParams.get('id') === '9' ? { id: 9, title: 'x', url: feedUrl } : [] }),
  )
  for (const [path, head] of Object.entries(pages))
    host.on(`/pages/${path}`, () =>
      head.startsWith('/')
        ? new Response(null, { status: 302, headers: { location: `${host.origin}/pages${head}` } })
        : new Response(`<!doctype html><html><head>${head}</head></html>`, {
            headers: { 'content-type': 'text/html' },
          }),
    )
  const directoryAddresses = {
    itunes: `${host.origin}/itunes`,
    podindex: `${host.origin}/podindex`,
    pages: `${host.origin}/pages`,
  }
  const app = await startTestApp({ directoryAddresses, env })
  app.prefill(0)
  return {
    host,
    app,
    feedUrl,
    asked,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}
const keys = { PODINDEX_API_KEY: 'the-key', PODINDEX_API_SECRET: 'the-secret' }

test('links with the number of a directory lead to the feed', async () => {
  await using world = await start({ env: keys })
  for (const link of [
    'https://podcasts.apple.com/de/podcast/lighthouse-radio/id7?i=1000',
    'podcasts.apple.com/podcast/id7',
    'itms-podcasts://podcasts.apple.com/de/podcast/id7',
    'https://itunes.apple.com/us/podcast/id7?mt=2',
    'https://overcast.fm/itunes7/lighthouse-radio',
    'https://pca.st/itunes/7',
    'https://castro.fm/itunes/7',
    'https://castbox.fm/vic/7',
    'https://pod.link/7',
    'https://podcastindex.org/podcast/9',
    'https://curiocaster.com/podcast/pi9',
    'https://fountain.fm/show/9',
  ])
    expect({ link, seen: await world.app.podcasts.preview(link) }).toMatchObject({
      link,
      seen: { kind: 'feed', title: 'Lighthouse Radio', feedUrl: world.feedUrl },
    })
  expect(world.asked.slice(0, 4)).toEqual(['7 de', '7 null', '7 de', '7 us'])
})

test('links that contain the address of the feed lead to it', async () => {
  await using world = await start()
  const { feedUrl } = world
  for (const link of [
    `https://podcastaddict.com/feed/${encodeURIComponent(feedUrl)}`,
    `https://podcasts.google.com/feed/${Buffer.from(feedUrl).toString('base64url')}`,
    `https://podcasts.google.com/?feed=${Buffer.from(feedUrl).toString('base64url')}`,
    `https://antennapod.org/deeplink/subscribe?url=${encodeURIComponent(feedUrl)}&title=x`,
    ...['feed:', 'podcast:', 'pcast:', 'itpc:', 'pktc://subscribe/'].map(scheme => `${scheme}${feedUrl}`),
  ])
    expect({ link, seen: await world.app.podcasts.preview(link) }).toMatchObject({
      link,
      seen: { kind: 'feed', feedUrl },
    })
})

test('a link to a directory can be added without a preview', async () => {
  await using world = await start()
  const added = await world.app.podcasts.add('https://podcasts.apple.com/us/podcast/id7')
  expect(added).toMatchObject({ name: 'Lighthouse Radio', rssfeed: world.feedUrl })
  expect(await world.app.podcasts.preview('https://overcast.fm/itunes7')).toMatchObject({ kind: 'known' })
})

test('links without a feed say why, with the name of the podcast from their page', async () => {
  await using world = await start({
    pages: {
      'open.spotify.com/show/4rOo': '<meta property="og:title" content="Fog &amp; Lamps"/>',
      'spotify.link/x': '/open.spotify.com/show/4rOo',
      'open.spotify.com/episode/1': `<meta property="og:title" content="Part 1">
        <meta property="og:description" content="Fog &amp; Lamps · Episode">`,
      'www.youtube.com/@fog': '<title>Fog &amp; Lamps - YouTube</title>',
      'www.youtube.com/watch': '<title>Part 1 - YouTube</title><link itemprop="name" content="Fog &amp; Lamps">',
      'www.youtube.com/playlist': '/consent.youtube.com/m',
      'consent.youtube.com/m': '<title>Before you continue to YouTube</title>',
      'pca.st/abc1': '<meta content="Fog &amp; Lamps - Pocket Casts" property="og:title">',
      'overcast.fm/+abc': '<title>Part 1 — Fog &amp; Lamps — Overcast</title>',
      'castbox.fm/channel/id5': '<title>Fog &amp; Lamps | Listen Free on Castbox.</title>',
      'fountain.fm/show/Zx': '<title>Fog &amp; Lamps • Listen on Fountain</title>',
      'music.amazon.com/podcasts/1': '<title>Amazon Music</title>',
    },
  })
  const look = async (link: string) => {
    const seen = await world.app.podcasts.preview(link)
    return seen.kind === 'elsewhere' ? [seen.service, seen.why, seen.words] : seen
  }
  const words = 'Fog & Lamps'
  expect(await look('https://open.spotify.com/show/4rOo')).toEqual(['Spotify', 'no-feed', words])
  expect(await look('spotify:show:4rOo')).toEqual(['Spotify', 'no-feed', words])
  expect(await look('https://spotify.link/x')).toEqual(['Spotify', 'no-feed', words])
  expect(await look('https://open.spotify.com/episode/1')).toEqual(['Spotify', 'no-feed', words])
  expect(await look('https://www.youtube.com/@fog')).toEqual(['YouTube', 'no-audio', words])
  expect(await look('https://www.youtube.com/watch?v=1')).toEqual(['YouTube', 'no-audio', words])
  expect(await look('https://www.youtube.com/playlist?list=1')).toEqual(['YouTube', 'no-audio', null])
  expect(await look('https://pca.st/abc1')).toEqual(['Pocket Casts', 'by-name', words])
  expect(await look('https://overcast.fm/+abc')).toEqual(['Overcast', 'by-name', words])
  expect(await look('https://castbox.fm/channel/id5')).toEqual(['Castbox', 'by-name', words])
  expect(await look('https://fountain.fm/show/Zx')).toEqual(['Fountain', 'by-name', words])
  expect(await look('https://music.amazon.com/podcasts/1')).toEqual(['Amazon Music', 'no-feed', null])
})

test('a link whose page does not answer is named by its own words, and an opaque one by none', async () => {
  await using world = await start()
  const wordsOf = async (link: string) => {
    const seen = await world.app.podcasts.preview(link)
    return seen.kind === 'elsewhere' ? seen.words : seen.kind
  }
  expect(await wordsOf('https://castbox.fm/channel/Fog-and-Lamps-id5?country=us')).toBe('Fog and Lamps')
  expect(await wordsOf('https://www.youtube.com/@FogAndLamps/videos')).toBe('FogAndLamps')
  expect(await wordsOf('https://castbox.fm/episode/Part-1-id5-id6')).toBeNull()
  expect(await wordsOf('https://open.spotify.com/show/4rOoJ6Egrf8K2IrywzwOMk')).toBeNull()
})

test('a link that no directory knows, or may ask about, says so', async () => {
  await using world = await start()
  const { preview } = world.app.podcasts
  expect(await preview('https://podcasts.apple.com/us/podcast/fog-lamps/id6')).toMatchObject({
    why: 'not-found',
    words: 'fog lamps',
  })
  // Only for subscribers of Apple's.
  expect(await preview('https://podcasts.apple.com/us/podcast/x/id8')).toMatchObject({
    why: 'not-found',
    words: 'Closed Radio',
  })
  expect(await preview('https://podcastindex.org/podcast/9')).toMatchObject({ why: 'needs-key', words: null })
  await using offline = await startTestApp({
    directoryAddresses: { itunes: 'http://127.0.0.1:9', podindex: 'http://127.0.0.1:9' },
  })
  expect(await refusal(offline.podcasts.preview('https://pod.link/7'))).toMatchObject({ code: 'directory-unreachable' })
})

test('a feed of videos at a service is read as the feed that it is', async () => {
  await using app = await startTestApp({ resolve: async () => ['192.0.2.1'], env: { PROXY: 'http://127.0.0.1:9' } })
  const seen = app.podcasts.preview('https://www.youtube.com/feeds/videos.xml?channel_id=1')
  expect(await refusal(seen)).toMatchObject({ code: 'proxy-failed' })
})
