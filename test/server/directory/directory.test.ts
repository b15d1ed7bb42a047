import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { refusal, startClock, startTestApp, temporaryFolder, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

/** Answers as the two directories give them, recorded in shape. */
function startDirectories() {
  const host = startFeedHost()
  const feedUrl = host.feed('/feed.xml', rss({ title: 'Lighthouse Radio' }))
  const itunes = {
    wrapperType: 'track',
    kind: 'podcast',
    collectionId: 7,
    trackId: 7,
    artistName: 'Mara Field',
    collectionName: 'Lighthouse Radio',
    trackName: 'Lighthouse Radio',
    feedUrl,
    artworkUrl100: 'https://img.example/100.jpg',
    artworkUrl600: 'javascript:alert(1)',
    genres: ['Society'],
    genreIds: ['1324'],
    trackCount: 12,
    country: 'DNK',
    releaseDate: '2026-01-01T00:00:00Z',
    secretField: 'x',
  }
  const feed = {
    id: 9,
    podcastGuid: 'g',
    title: 'Lighthouse Radio',
    url: feedUrl,
    author: 'Mara Field',
    explicit: false,
    categories: { 1: 'Society', 2: { nonsense: true } },
    lastUpdateTime: 1_767_225_600,
    extra: {},
  }
  host.on('/itunes/search', (_, url) =>
    Response.json({
      resultCount: 2,
      results: url.searchParams.get('term') === 'fog & co' ? [itunes, { broken: true }] : [],
    }),
  )
  host.on('/itunes/lookup', (_, url) => Response.json({ results: url.searchParams.get('id') === '7' ? [itunes] : [] }))
  host.on('/podindex/search/byterm', request =>
    /^[0-9a-f]{40}$/.test(request.headers.get('authorization') ?? '') && request.headers.get('x-auth-key') === 'the-key'
      ? Response.json({ status: 'true', feeds: [feed] })
      : new Response('no', { status: 401 }),
  )
  host.on('/podindex/podcasts/byguid', (_, url) =>
    Response.json(url.searchParams.get('guid') === 'g' ? { status: 'true', feed } : { status: 'true', feed: [] }),
  )
  host.on('/podindex/podcasts/byfeedid', () => Response.json({ status: 'true', feed }))
  host.on('/podindex/podcasts/trending', () => Response.json({ status: 'true', feeds: [feed] }))
  const directoryAddresses = { itunes: `${host.origin}/itunes`, podindex: `${host.origin}/podindex` }
  return { host, feedUrl, directoryAddresses }
}
const keys = { PODINDEX_API_KEY: 'the-key', PODINDEX_API_SECRET: 'the-secret' }

test('iTunes is searched, and a result is added by its number and marked as added from then on', async () => {
  const { host, feedUrl, directoryAddresses } = startDirectories()
  using _ = host
  await using app = await startTestApp({ directoryAddresses })
  app.prefill(0)
  const search = () => app.client.get<{ resultCount: number; results: object[] }>('/podcasts/0/fog%20%26%20co/search')
  const { resultCount, results } = await search()
  expect([resultCount, results]).toEqual([
    1,
    [expect.objectContaining({ trackId: 7, feedUrl, artworkUrl600: null, subscribed: false, podcastId: null })],
  ])
  expect(JSON.stringify(results)).not.toContain('secretField')
  const podcast = await app.client.post<{ id: string }>('/podcasts/itunes', { trackId: 7, userId: 1 })
  expect(podcast).toMatchObject({ name: 'Lighthouse Radio' })
  expect((await search()).results).toMatchObject([{ subscribed: true, podcastId: podcast.id }])
  expect(await refusal(app.client.post('/podcasts/itunes', { trackId: 7 }))).toMatchObject({
    code: 'podcast-already-added',
  })
  expect(await refusal(app.client.post('/podcasts/itunes', { trackId: 8 }))).toMatchObject({ status: 404 })
})

test('the Podcast Index is asked with its signature, where there is a key', async () => {
  const { host, feedUrl, directoryAddresses } = startDirectories()
  using _ = host
  await using without = await startTestApp({ directoryAddresses })
  expect(await refusal(without.directory.podindex('fog'))).toMatchObject({
    status: 409,
    code: 'podindex-not-configured',
  })
  await using app = await startTestApp({ directoryAddresses, env: keys })
  app.prefill(0)
  expect(await app.system.config()).toMatchObject({ podindexConfigured: true })
  expect(await app.directory.podindex('fog')).toEqual([
    { feedUrl, title: 'Lighthouse Radio', author: 'Mara Field', image: null, podcastId: null },
  ])
  const trending = await app.client.get<{ status: string; feeds: { id: number; categories: object }[] }>(
    '/discover/trending?limit=1&lang=da',
  )
  expect(trending).toMatchObject({ status: 'true', feeds: [{ id: 9 }] })
  expect(trending.feeds[0]!.categories).toEqual({ 1: 'Society' })
  expect(await app.client.get<object>('/discover/guid/g')).toEqual({ feedUrl, title: 'Lighthouse Radio' })
  expect(await refusal(app.client.get('/discover/guid/unknown'))).toMatchObject({ code: 'podcast-not-found' })
  expect(await app.client.post('/podcasts/podindex', { trackId: 9 })).toMatchObject({ name: 'Lighthouse Radio' })
})

test('what is popular comes from the charts of a country, with addresses, and is asked for once in half a day', async () => {
  using host = startFeedHost()
  const now = startClock()
  const chart = [7, 8, 9, '../x', null].map(id => ({ id: { attributes: { 'im:id': id && String(id) } } }))
  host.on('/itunes/dk/rss/toppodcasts/limit=24/json', () => Response.json({ feed: { entry: chart } }))
  const entry = (id: number, more: object) => ({ trackId: id, trackName: `Show ${id}`, artistName: 'Mara', ...more })
  host.on('/itunes/lookup', (_, url) =>
    url.searchParams.get('id') === '7,8,9' && url.searchParams.get('country') === 'dk'
      ? Response.json({
          results: [
            entry(7, { feedUrl: 'https://show.example/7.xml', artworkUrl600: 'https://img.example/7.jpg' }),
            entry(8, { feedUrl: 'https://show.example/8.xml', trackExplicitness: 'explicit' }),
            entry(9, {}),
          ],
        })
      : Response.json({ results: [] }),
  )
  const directoryAddresses = { itunes: `${host.origin}/itunes`, podindex: `${host.origin}/podindex` }
  await using app = await startTestApp({ directoryAddresses, now, env: withPasswords })
  const [root, alice] = [app.as('root', 'Sup3rSecret'), await app.signUp('alice')]
  const first = {
    feedUrl: 'https://show.example/7.xml',
    title: 'Show 7',
    author: 'Mara',
    image: 'https://img.example/7.jpg',
    podcastId: null,
  }
  expect(await root.directory.popular('DK')).toEqual({
    isReachable: true,
    podcasts: [first, { ...first, feedUrl: 'https://show.example/8.xml', title: 'Show 8', image: null }],
  })
  expect(await alice.directory.popular('dk')).toEqual({ isReachable: true, podcasts: [first] })
  expect(host.requests).toHaveLength(2)
  now.advance(12 * 60 * 60 * 1000)
  await alice.directory.popular('dk')
  expect(host.requests).toHaveLength(4)
  expect(await refusal(alice.directory.popular('d/'))).toMatchObject({ status: 422 })
})

test('a directory that does not answer is left alone for five minutes', async () => {
  using host = startFeedHost()
  const now = startClock()
  const directoryAddresses = { itunes: `${host.origin}/itunes`, podindex: host.origin }
  await using app = await startTestApp({ directoryAddresses, now })
  for (let time = 0; time < 3; time++)
    expect(await app.directory.popular('us')).toEqual({ isReachable: false, podcasts: [] })
  expect(host.requests).toHaveLength(1)
  now.advance(5 * 60 * 1000)
  await app.directory.popular('us')
  expect(host.requests).toHaveLength(2)
})

test('where there is a key, what is popular comes from the Podcast Index', async () => {
  const { host, feedUrl, directoryAddresses } = startDirectories()
  using _ = host
  await using app = await startTestApp({ directoryAddresses, env: keys })
  expect(await app.directory.popular('dk')).toEqual({
    isReachable: true,
    podcasts: [{ feedUrl, title: 'Lighthouse Radio', author: 'Mara Field', image: null, podcastId: null }],
  })
  const [asked] = host.requestsTo('/podindex/podcasts/trending')
  expect(asked).toBeDefined()
})

test('an unreachable directory, or one that answers nonsense, is reported as such', async () => {
  using host = startFeedHost()
  host.on('/itunes/search', () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }))
  await using app = await startTestApp({
    directoryAddresses: { itunes: `${host.origin}/itunes`, podindex: host.origin },
    env: keys,
  })
  for (const search of [app.directory.itunes('fog'), app.directory.podindex('fog')])
    expect(await refusal(search)).toMatchObject({
      status: 502,
      code: 'directory-unreachable',
      args: { directory: expect.any(String) },
    })
  expect(await refusal(app.client.get('/podcasts/2/fog/search'))).toMatchObject({
    status: 422,
    args: { field: 'type' },
  })
  expect(await refusal(app.client.get(`/podcasts/0/${'x'.repeat(201)}/search`))).toMatchObject({ status: 422 })
})

test('an empty library offers the list of its admin, from a file or an address, and nothing while it cannot be read', async () => {
  using host = startFeedHost()
  const opml = '<opml version="2.0"><body><outline text="Fog" xmlUrl="https://feeds.example/fog.xml"/></body></opml>'
  const file = join(temporaryFolder(), 'starters.opml')
  await Bun.write(file, opml)
  for (const STARTER_OPML of [file, host.feed('/starters.opml', opml)]) {
    await using app = await startTestApp({ env: { STARTER_OPML } })
    expect(await app.directory.popular('us')).toEqual({
      isReachable: true,
      podcasts: [{ feedUrl: 'https://feeds.example/fog.xml', title: 'Fog', author: '', image: null, podcastId: null }],
    })
    // It is the same list in every country.
    expect(await app.directory.popular('dk')).toMatchObject({ isReachable: true, podcasts: [{ title: 'Fog' }] })
  }
  expect(host.requestsTo('/starters.opml')).toHaveLength(1)
  await using app = await startTestApp({ env: { STARTER_OPML: `${file}.gone` } })
  expect(await app.directory.popular('us')).toEqual({ isReachable: false, podcasts: [] })
})
