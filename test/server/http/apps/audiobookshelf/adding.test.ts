import { expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../../../support/builders'
import { signedInApp } from '../../../../support/audiobookshelf-app'
import { startAppLibrary } from '../../../../support/app-library'
import { startFeedHost } from '../../../../support/feed-host'

const asRoot = (world: Awaited<ReturnType<typeof startAppLibrary>>) => signedInApp(world.server, 'root', 'Sup3rSecret')

test('a podcast is found in the directory, looked at and added, and the app gets it whole', async () => {
  using directory = startFeedHost()
  await using world = await startAppLibrary({
    directoryAddresses: { itunes: directory.origin, podindex: directory.origin },
  })
  const { host } = world
  const items = [{ guid: 'new', title: 'New one', enclosure: host.file('/new.mp3', silentMp3(2)), duration: '3661' }]
  const feedUrl = host.feed('/new.xml', rss({ title: 'New', items }))
  directory.on('/search', () =>
    Response.json({
      results: [
        {
          collectionId: 7,
          trackId: 7,
          collectionName: 'New',
          trackName: 'New',
          artistName: 'Mara',
          feedUrl,
          genres: ['News'],
          genreIds: ['1'],
          artworkUrl600: 'https://img.example/600.jpg',
        },
      ],
    }),
  )
  const app = await asRoot(world)
  const [found] = (await app.get('/api/search/podcast?term=new%20one')).json
  expect(found).toMatchObject({ id: 7, title: 'New', artistName: 'Mara', feedUrl, genres: ['News'], explicit: false })
  expect((await app.get('/api/search/podcast?term=')).json).toEqual([])

  const { podcast } = (await app.post('/api/podcasts/feed', { rssFeed: feedUrl })).json
  expect(podcast).toMatchObject({
    metadata: { title: 'New', author: 'Mara Field', feedUrl, explicit: 'false' },
    episodes: [{ title: 'New one', duration: '01:01:01', durationSeconds: 3661 }],
  })
  const added = await app.post('/api/podcasts', { media: { metadata: { feedUrl }, autoDownloadEpisodes: true } })
  expect([added.status, added.json.mediaType, added.json.media.episodes.length]).toEqual([200, 'podcast', 1])
  const again = await app.post('/api/podcasts', { media: { metadata: { feedUrl } } })
  expect([again.status, again.text]).toEqual([409, 'The podcast New is already in the library'])
  const titles = (await app.get(`/api/libraries/${added.json.libraryId}/podcast-titles`)).json.podcasts
  expect(titles.map(({ title }: { title: string }) => title)).toContain('New')
})

test('what is no feed, or does not answer, is refused with a text that is no failure of the server', async () => {
  await using world = await startAppLibrary({
    directoryAddresses: { itunes: 'http://127.0.0.1:9', podindex: 'http://127.0.0.1:9' },
  })
  const app = await asRoot(world)
  world.host.on('/page', () => new Response('<html></html>', { headers: { 'Content-Type': 'text/html' } }))
  world.host.on('/broken', () => new Response('x', { status: 500 }))
  const answers = [
    await app.get('/api/search/podcast?term=fog'),
    ...(await Promise.all(
      ['', 'x', 'ftp://a.example/f', `${world.host.origin}/page`, `${world.host.origin}/broken`].map(feedUrl =>
        app.post('/api/podcasts', { media: { metadata: { feedUrl } } }),
      ),
    )),
    await app.post('/api/podcasts', null),
    await app.post('/api/podcasts/feed', { rssFeed: `${world.host.origin}/broken` }),
    await app.post('/api/podcasts/feed', []),
  ]
  for (const { status, text } of answers)
    expect([status, text !== '', status >= 400 && status < 500]).toEqual([status, true, true])
})

test('a feed that the library has is shown with its episodes, which an app may have downloaded', async () => {
  await using world = await startAppLibrary()
  const { server, feed, podcast, episodes } = world
  const app = await asRoot(world)
  const seen = (await app.post('/api/podcasts/feed', { rssFeed: feed })).json.podcast
  expect(seen.metadata).toMatchObject({ title: 'Fog & Lamps', feedUrl: feed })
  expect(seen.episodes.map(({ guid }: { guid: string }) => guid)).toEqual(['Three', 'Two', 'One'])

  await server.context.store.settings.pauseDownloads(true)
  const [three, two] = seen.episodes
  const asked = [three, { enclosure: two.enclosure }, { guid: 'unknown' }, null, 7, {}]
  expect((await app.post(`/api/podcasts/${podcast}/download-episodes`, asked)).text).toBe('OK')
  const { downloads } = (await app.get(`/api/podcasts/${podcast}/downloads`)).json
  expect(
    downloads.map(({ episodeDisplayTitle }: { episodeDisplayTitle: string }) => episodeDisplayTitle).sort(),
  ).toEqual(['Three', 'Two'])
  expect(downloads[0]).toMatchObject({
    libraryItemId: podcast,
    isFinished: false,
    failed: false,
    podcastTitle: 'Fog & Lamps',
  })
  const { libraryId } = downloads[0]
  expect((await app.get(`/api/libraries/${libraryId}/episode-downloads`)).json.queue).toHaveLength(2)
  expect((await app.get('/api/libraries/x/episode-downloads')).status).toBe(404)

  expect((await app.get(`/api/podcasts/${podcast}/clear-queue`)).text).toBe('OK')
  expect((await app.get(`/api/podcasts/${podcast}/downloads`)).json).toEqual({ downloads: [] })
  expect(episodes).toHaveLength(3)
})

test('a check of the feed answers with the episodes that came', async () => {
  await using world = await startAppLibrary()
  const { host, podcast } = world
  const app = await asRoot(world)
  expect((await app.get(`/api/podcasts/${podcast}/checknew`)).json).toEqual({ episodes: [] })
  const items = [{ guid: 'Four', title: 'Four', enclosure: host.file('/four.mp3', silentMp3(1)) }]
  host.feed('/feed.xml', rss({ title: 'Fog & Lamps', items }))
  const { episodes } = (await app.get(`/api/podcasts/${podcast}/checknew`)).json
  expect(episodes.map(({ title }: { title: string }) => title)).toEqual(['Four'])
})

test('R1: users without the right neither add, check nor download, and downloads of what is hidden are not shown', async () => {
  await using world = await startAppLibrary({ env: { USER_PODCAST_LIMIT: '0' } })
  const { server, podcast, hidden, feed, secret } = world
  const anna = await signedInApp(server, 'anna')
  expect((await anna.post('/api/podcasts/feed', { rssFeed: feed })).status).toBe(403)
  expect((await anna.post('/api/podcasts', { media: { metadata: { feedUrl: feed } } })).status).toBe(403)
  for (const call of ['checknew', 'clear-queue'])
    expect((await anna.get(`/api/podcasts/${podcast}/${call}`)).status).toBe(403)
  expect((await anna.post(`/api/podcasts/${podcast}/download-episodes`, [{ guid: 'One' }])).status).toBe(403)

  server.context.store.settings.pauseDownloads(true)
  const root = await asRoot(world)
  await root.post(`/api/podcasts/${hidden}/download-episodes`, [{ guid: 'secret' }])
  const library = server.context.store.settings.current().id
  expect((await root.get(`/api/libraries/${library}/episode-downloads`)).json.queue).toHaveLength(1)
  const shown = await anna.get(`/api/libraries/${library}/episode-downloads`)
  expect([shown.json, shown.text.includes(secret)]).toEqual([{ queue: [] }, false])
  expect((await anna.get(`/api/podcasts/${hidden}/downloads`)).status).toBe(403)
})

test('an uploader has nothing downloaded that is hidden from the uploader', async () => {
  await using world = await startAppLibrary()
  const { server, host, root } = world
  await server.signUp('upton', 'uploader')
  server.context.store.settings.pauseDownloads(true)
  const items = [
    { guid: 'clean', title: 'Clean', enclosure: host.file('/clean.mp3', silentMp3(1)) },
    {
      guid: 'explicit',
      title: 'Explicit',
      enclosure: host.file('/explicit.mp3', silentMp3(1)),
      extra: '<itunes:explicit>true</itunes:explicit>',
    },
  ]
  const { id } = await root.podcasts.add(host.feed('/mixed.xml', rss({ title: 'Mixed', items })))
  const upton = await signedInApp(server, 'upton')
  await upton.post(`/api/podcasts/${id}/download-episodes`, [{ guid: 'explicit' }, { guid: 'clean' }])
  const { downloads } = (await (await asRoot(world)).get(`/api/podcasts/${id}/downloads`)).json
  expect(downloads.map(({ episodeDisplayTitle }: { episodeDisplayTitle: string }) => episodeDisplayTitle)).toEqual([
    'Clean',
  ])
})

test('episodes of a feed with a password are downloaded by the ids that an app knows them by, and no others', async () => {
  await using world = await startAppLibrary()
  const { server, host, episodes } = world
  server.context.store.settings.pauseDownloads(true)
  const items = ['Closed one', 'Closed two'].map((title, index) => ({
    guid: title,
    title,
    enclosure: host.file(`/closed-${index}.mp3`, silentMp3(1)),
  }))
  const feed = host.feed('/closed.xml', rss({ title: 'Closed', items }))
  const { id } = await world.root.podcasts.add(feed.replace('://', '://mara:secret@'))
  const app = await asRoot(world)
  const listed = (await app.get(`/api/items/${id}`)).json.media.episodes
  const one = listed.find(({ title }: { title: string }) => title === 'Closed one')
  expect([one.guid, one.enclosure]).toEqual([one.id, null])
  const asked = [{ guid: one.guid, enclosure: { url: '', length: '0', type: '' } }, { guid: episodes[0] }]
  expect((await app.post(`/api/podcasts/${id}/download-episodes`, asked)).text).toBe('OK')
  const titles = async (podcast: string) =>
    (await app.get(`/api/podcasts/${podcast}/downloads`)).json.downloads.map(
      ({ episodeDisplayTitle }: { episodeDisplayTitle: string }) => episodeDisplayTitle,
    )
  expect([await titles(id), await titles(world.podcast)]).toEqual([['Closed one'], []])
})
