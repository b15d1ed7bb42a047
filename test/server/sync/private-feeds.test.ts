import { expect, test } from 'bun:test'
import { startClock, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { appOf, textOf } from '../../support/podcast-app'

const guids = ['one', 'two']

/**
 * A library with a podcast, its private feed as a phone reads it, and that phone. `origin`: where the phone finds the
 * server.
 */
async function start({
  env = {},
  origin = 'http://localhost',
}: { env?: Record<string, string>; origin?: string } = {}) {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8', ...env }, now })
  app.prefill(0)
  const root = app.as('root', withPasswords.PASSWORD)
  const items = guids.map(guid => ({ guid, enclosure: `https://cdn.example/${guid}.mp3`, duration: '600' }))
  const feed = host.feed('/feed.xml', rss({ title: 'Fog', items }))
  const podcast = await root.podcasts.add(feed)
  const episodes = async () => (await root.podcasts.episodes(podcast.id, {}, null)).data
  const [first] = await episodes()
  const eid = first!.podcastEpisode.episode_id
  const { feedKey } = await root.users.me()
  return {
    host,
    app,
    now,
    root,
    feed,
    podcast,
    eid,
    feedKey: feedKey!,
    phone: appOf(app, 'root', withPasswords.PASSWORD),
    privately: podcast.podfetch_feed.replace('http://localhost', origin),
    /** Reads the feed as an app does. */
    async read(address: string) {
      const { pathname, search } = new URL(address)
      const path = pathname.replace(/^.*(?=\/rss\/)/, '') + search
      const body = await (await app.fetch(path, { headers: { Host: new URL(origin).host } })).text()
      const text = (pattern: RegExp) => pattern.exec(body)![1]!.replaceAll('&amp;', '&')
      return { body, media: text(/<enclosure url="([^"]+)"/), guid: text(/<guid[^>]*>([^<]+)</) }
    },
    record: async () => (await episodes())[0]!.podcastHistoryItem,
    playInBrowser: (time: number) => root.playback.save({ podcastEpisodeId: eid, time, total: 600 }),
    favourites: async () => (await root.podcasts.list()).filter(({ favorites }) => favorites).map(({ name }) => name),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}
type Running = Awaited<ReturnType<typeof start>>
const played = ({ now }: Running, podcast: string, episode: string, position: number, more: object = {}) => ({
  podcast,
  episode,
  device: 'phone',
  action: 'play',
  timestamp: textOf(now()),
  started: 0,
  position,
  total: 600,
  ...more,
})

const spellings: [string, Parameters<typeof start>[0], (feed: string) => string][] = [
  ['as it stands', {}, feed => feed],
  ['by another name of the host', {}, feed => feed.replace('localhost', 'nas.home:8000')],
  ['by https', {}, feed => feed.replace('http:', 'https:')],
  ['with a slash at its end and a limit', {}, feed => `${feed}/?limit=50`],
  ['with the key as a parameter', {}, feed => feed.replace(/\/apiKey\/([^/]+)(.*)/, '$2?apiKey=$1')],
  ['without a key, for who signs in by password', {}, feed => feed.replace(/\/apiKey\/[^/]+/, '')],
  ['below a path', { env: { SUB_DIRECTORY: '/castellan' } }, feed => feed],
  ['at the public address', { env: { SERVER_URL: 'https://pod.example/c' } }, feed => feed],
]
for (const [how, options, spell] of spellings)
  test(`a phone subscribed to a private feed of ours, ${how}, is subscribed to that podcast`, async () => {
    await using running = await start(options)
    const { favourites, playInBrowser, now, phone, podcast, privately, read, record, root } = running
    const feed = spell(privately)
    await phone.subscribe('phone', [feed])
    expect(await phone.list('phone')).toEqual([feed])
    expect(await favourites()).toEqual(['Fog'])
    expect(await root.podcasts.available()).toEqual([])
    expect((await phone.call('GET', '/subscriptions/root.json')).json).toMatchObject([{ url: feed, title: 'Fog' }])

    const { media } = await read(podcast.podfetch_feed)
    await phone.upload([played(running, feed, media.replace('localhost', 'nas.home'), 120)])
    expect(await record()).toMatchObject({ position: 120 })
    now.advance(60_000)
    await playInBrowser(240)
    const { actions } = await phone.received()
    expect(actions).toMatchObject([{ podcast: feed, guid: 'one', position: 240 }])
    await phone.subscribe('phone', [], [feed])
    expect(await favourites()).toEqual([])
    expect(await phone.list('phone')).toEqual([])
  })

test('what is told to a phone with a private feed has the very addresses of that feed', async () => {
  for (const env of [{}, { SUB_DIRECTORY: '/castellan' }, { SERVER_URL: 'https://pod.example/c' }] as Record<
    string,
    string
  >[]) {
    await using running = await start({ env })
    const { playInBrowser, phone, podcast, read } = running
    await phone.subscribe('phone', [podcast.podfetch_feed])
    await playInBrowser(240)
    const { media, guid } = await read(podcast.podfetch_feed)
    const expected = [{ podcast: podcast.podfetch_feed, episode: media, guid, position: 240, total: 600 }]
    expect((await phone.received()).actions).toMatchObject(expected)
    expect(await phone.toldByCloud()).toMatchObject(expected)
  }
})

test("a phone with the publisher's feed and one with the private feed hear of each other", async () => {
  await using running = await start()
  const { feed, now, phone, podcast, read, record } = running
  const { media } = await read(podcast.podfetch_feed)
  await phone.upload([played(running, podcast.podfetch_feed, media, 120)])
  expect((await phone.received()).actions).toMatchObject([
    { podcast: feed, episode: 'https://cdn.example/one.mp3', guid: 'one', position: 120 },
  ])
  now.advance(60_000)
  await phone.subscribe('phone', [podcast.podfetch_feed])
  await phone.upload([played(running, feed, 'https://cdn.example/one.mp3', 360, { device: 'laptop' })])
  expect(await record()).toMatchObject({ position: 360 })
  expect((await phone.received()).actions).toMatchObject([
    { podcast: podcast.podfetch_feed, episode: media, position: 360 },
  ])
})

test("the publisher's feed is taken back from a phone that has the private one, and does not come again", async () => {
  await using running = await start()
  const { favourites, feed, now, phone, podcast, root } = running
  const privately = podcast.podfetch_feed
  // The library tells of what was added here before it knows of any private feed.
  expect(await phone.changes('phone')).toMatchObject({ json: { add: [feed] } })
  const { timestamp } = (await phone.subscribe('phone', [privately])).json as { timestamp: number }
  expect((await phone.changes('phone', timestamp)).json).toMatchObject({ add: [privately], remove: [feed] })
  expect((await phone.changes('tablet')).json).toMatchObject({ add: [privately], remove: [] })
  expect(await favourites()).toEqual(['Fog'])
  // AntennaPod tells of what it was told to drop as if its owner had dropped it.
  now.advance(60_000)
  await phone.subscribe('phone', [], [feed])
  expect(await phone.list('phone')).toEqual([privately])
  expect(await favourites()).toEqual(['Fog'])
  await root.podcasts.favour(podcast.id, false)
  await root.podcasts.favour(podcast.id, true)
  expect(await phone.list('phone')).toEqual([privately])

  // A phone that has the publisher's as well is told to drop it.
  now.advance(60_000)
  const later = (await phone.subscribe('laptop', [feed])).json as { timestamp: number }
  expect((await phone.changes('laptop', later.timestamp)).json).toMatchObject({ add: [privately], remove: [feed] })
  now.advance(60_000)
  // A phone gets the publisher's address again by subscribing to it.
  await phone.subscribe('phone', [feed], [privately])
  expect(await phone.list('phone')).toEqual([feed])
  expect(await favourites()).toEqual(['Fog'])
})

test('a phone that is given another feed of a podcast is told again what was heard of it', async () => {
  await using running = await start()
  const { playInBrowser, now, phone, podcast } = running
  await phone.subscribe('laptop', [])
  await playInBrowser(240)
  now.advance(600_000)
  const { timestamp } = await phone.received()
  now.advance(600_000)
  await phone.subscribe('phone', [podcast.podfetch_feed])
  expect((await phone.received(`since=${timestamp}`)).actions).toMatchObject([
    { podcast: podcast.podfetch_feed, position: 240 },
  ])
})

test('when the feed key is renewed, phones get the new address of each private feed', async () => {
  await using running = await start()
  const { playInBrowser, phone, podcast, feedKey, now, root, record, read } = running
  const { media } = await read(podcast.podfetch_feed)
  await phone.subscribe('phone', [podcast.podfetch_feed])
  await playInBrowser(240)
  now.advance(60_000)
  const { feedKey: renewed } = await root.users.renewFeedKey()
  const address = podcast.podfetch_feed.replace(feedKey, renewed)
  const { add, remove } = (await phone.changes('phone', now() / 1000)).json as { add: string[]; remove: string[] }
  expect([add, remove]).toEqual([[address], [podcast.podfetch_feed]])
  expect((await phone.received(`since=${now() / 1000}`)).actions).toMatchObject([
    { podcast: address, episode: media.replace(feedKey, renewed), position: 240 },
  ])
  // Positions that it reported meanwhile with the old address count.
  now.advance(60_000)
  await phone.upload([played(running, podcast.podfetch_feed, media, 300)])
  expect(await record()).toMatchObject({ position: 300 })
  await phone.subscribe('phone', [], [podcast.podfetch_feed])
  expect(await phone.list('phone')).toEqual([address])
})

for (const path of ['', '/favorites', '/tag/TAG', '/playlist/LIST'])
  test(`a feed of several podcasts (/rss${path}) is no podcast: its positions count, and nothing is added or favoured by it`, async () => {
    await using running = await start()
    const { app, favourites, feed, feedKey, playInBrowser, now, phone, podcast, read, record, root } = running
    const tag = await root.tags.create({ name: 'News', color: 'Green' })
    const list = await root.playlists.create({ name: 'Later', items: [] })
    const combined = `http://localhost/rss/apiKey/${feedKey}${path.replace('TAG', tag.id).replace('LIST', list.id)}`
    await root.devices.setWishes({ autoAdd: true })
    await phone.subscribe('phone', [combined])
    expect(await favourites()).toEqual([])
    expect(await root.podcasts.available()).toEqual([])
    expect(await phone.list('phone')).toContain(combined)
    expect(app.events.filter(({ type }) => type === 'addedPodcast').length).toBe(1)

    const { media } = await read(podcast.podfetch_feed)
    await phone.upload([played(running, combined, media, 120)])
    expect(await record()).toMatchObject({ position: 120 })
    now.advance(60_000)
    // Actions name a podcast's own feed where it is subscribed to, and otherwise this feed.
    await playInBrowser(240)
    expect((await phone.received()).actions).toMatchObject([{ podcast: feed, guid: 'one', position: 240 }])
    await phone.subscribe('phone', [], [feed])
    expect((await phone.received()).actions).toMatchObject([
      { podcast: combined, episode: media, guid: 'one', position: 240 },
    ])
  })

test("somebody else's address that only looks like ours is a feed like any other", async () => {
  await using running = await start()
  const { phone, root } = running
  const feeds = [
    'https://lighthouse.example/rss',
    'https://lighthouse.example/rss/fog',
    'https://lighthouse.example/rss/tag/7',
  ]
  await phone.subscribe('phone', feeds)
  expect((await root.podcasts.available()).map(({ podcast }) => podcast).toSorted()).toEqual(feeds.toSorted())
})

test('whoever may not see an explicit podcast is told nothing of it but their own words', async () => {
  await using running = await start()
  const { app, host, now, root } = running
  const explicit = '<itunes:explicit>true</itunes:explicit>'
  const enclosure = 'https://cdn.example/secret.mp3'
  const items = [{ guid: 'secret', enclosure, duration: '600' }]
  const { id } = await root.podcasts.add(host.feed('/night.xml', rss({ title: 'Night', extra: explicit, items })))
  const { data } = await root.podcasts.episodes(id, {}, null)
  const alice = await app.signUp('alice')
  const phone = appOf(app, 'alice')
  const media = `http://localhost/media/${data[0]!.podcastEpisode.episode_id}.mp3`
  const feed = `http://localhost/rss/${id}`
  await phone.subscribe('phone', [feed])
  await phone.upload([played(running, feed, media, 60, { timestamp: textOf(now()) })])
  expect((await phone.received()).actions).toMatchObject([{ podcast: feed, episode: media }])
  await phone.subscribe('phone', [], [feed])
  const { actions } = await phone.received()
  expect(actions).toMatchObject([{ podcast: feed, episode: media }])
  expect(JSON.stringify(actions)).not.toContain('secret')
  expect(await alice.podcasts.list()).toEqual([expect.objectContaining({ name: 'Fog' })])
})

test('a phone that was told of positions before it was told of their podcast is told of them again', async () => {
  await using running = await start()
  const { playInBrowser, now, phone, podcast } = running
  await phone.changes('desk')
  const first = await phone.received()
  const since = now() / 1000
  now.advance(60_000)
  await playInBrowser(240)
  await phone.subscribe('phone', [podcast.podfetch_feed])
  now.advance(60_000)
  // Between its two questions the podcast got another address, which it does not know yet.
  const { timestamp } = await phone.received(`since=${first.timestamp}`)
  now.advance(600_000)
  expect((await phone.changes('desk', since)).json).toMatchObject({ add: [podcast.podfetch_feed] })
  const { actions } = await phone.received(`since=${timestamp}`)
  expect(actions).toMatchObject([{ podcast: podcast.podfetch_feed, position: 240 }])
})

test('a favourite keeps the address that is subscribed to, also where another was left in the same second', async () => {
  await using world = await start()
  const { phone, root, feed, privately, podcast } = world
  await phone.saveDevice('pixel', {})
  await phone.subscribe('pixel', [privately])
  await phone.subscribe('pixel', [feed], [privately])
  expect(await phone.list('pixel')).toEqual([feed])
  await root.podcasts.favour(podcast.id, true)
  expect(await phone.list('pixel')).toEqual([feed])
})
