import { expect, test } from 'bun:test'
import { MAX_QUEUED } from '../../../src/shared/api/queue'
import { refusal, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('the queue holds a thousand episodes: one that is added in front pushes the last one out', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const items = Array.from({ length: MAX_QUEUED + 1 }, () => ({}))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { store, queue, admin } = app.context
  const episodes = store.episodes.pageFor(admin, store.podcasts.require(admin, podcast.id).id, {}, MAX_QUEUED + 1)
  const [first, ...others] = episodes.map(({ uuid }) => ({ episode: uuid }))
  queue.replace(admin, others)
  queue.add(admin, { ...first!, at: 'next' })
  const queued = store.queue.itemsFor(admin).map(({ uuid }) => ({ episode: uuid }))
  expect(queued).toEqual([first!, ...others.slice(0, -1)])
})

test('a user has at most five thousand bookmarks', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const { store, admin } = app.context
  const episode = data[0]!.podcastEpisode.id
  const { id } = store.episodes.require(admin, episode)
  // Written past the API, which would take a request for each.
  store.inTransaction(() => {
    for (let time = 1; time < 5000; time++) store.bookmarks.add(admin.id, id, { time, note: null }, 0)
  })
  await app.bookmarks.add({ episode, time: 5000 })
  expect(await refusal(app.bookmarks.add({ episode, time: 5001 }))).toMatchObject({ code: 'invalid-field' })
})

test('a tag and a playlist may change the case of their name, but not take that of another', async () => {
  await using app = await startTestApp()
  const tag = await app.tags.create({ name: 'News', color: 'Red' })
  expect(await app.tags.edit(tag.id, { name: ' NEWS ', color: 'Blue' })).toMatchObject({ name: 'NEWS', color: 'Blue' })
  await app.tags.create({ name: 'Tech', color: 'Red' })
  expect(await refusal(app.tags.edit(tag.id, { name: 'tech' }))).toMatchObject({ code: 'tag-name-taken' })

  const list = await app.playlists.create({ name: 'Evening', items: [] })
  expect(await app.playlists.replace(list.id, { name: 'EVENING', items: [] })).toMatchObject({ name: 'EVENING' })
  await app.playlists.create({ name: 'Morning', items: [] })
  expect(await refusal(app.playlists.replace(list.id, { name: 'morning', items: [] }))).toMatchObject({
    code: 'playlist-name-taken',
  })
})

test('a feed in the library stays unknown to a user who may not see its podcast', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  app.prefill(0)
  const feed = host.feed('/rude.xml', rss({ title: 'Rude', extra: '<itunes:explicit>true</itunes:explicit>' }))
  const content = `<opml version="2.0"><body><outline text="Rude" xmlUrl="${feed}"/></body></opml>`
  const root = app.as('root', 'Sup3rSecret')
  await root.podcasts.add(feed)
  const guest = await app.signUp('guest', 'uploader')
  expect(await root.client.post('/podcasts/opml/preview', { content })).toMatchObject([{ known: true }])
  expect(await guest.client.post('/podcasts/opml/preview', { content })).toMatchObject([{ known: false }])
})
