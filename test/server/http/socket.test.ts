import { expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../support/builders'
import { startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { connect } from '../../support/socket'

test('the socket tells of a new podcast, its episodes on the disk, and their way there', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(1)
  const origin = app.listen()
  const { frame, socket } = await connect(origin)
  const podcast = await app.podcasts.add(
    host.feed('/feed.xml', rss({ items: [{ enclosure: host.file('/a.mp3', silentMp3(3)) }] })),
  )
  expect(await frame('addedPodcast')).toMatchObject({
    podcast: { id: podcast.id, image_url: expect.stringContaining(origin) },
  })
  const offline = await frame('offlineAvailable')
  expect(offline).toMatchObject({
    podcast_episode: { status: true, local_url: expect.stringContaining(`${origin}/media/`) },
    podcast: { id: podcast.id },
  })
  // What differs per user, and what is long, stays out of frames that go to everyone.
  for (const field of ['favored', 'description']) expect(offline.podcast_episode).not.toHaveProperty(field)
  for (const field of ['favorites', 'tags', 'unlistened_count']) expect(offline.podcast).not.toHaveProperty(field)
  expect(await frame('downloadProgress')).toMatchObject({
    state: expect.any(String),
    receivedBytes: expect.any(Number),
  })
  socket.close()
})

test('a page of another site gets no socket, one of ours does', async () => {
  await using app = await startTestApp()
  const origin = app.listen()
  expect((await connect(origin, { Origin: 'https://evil.example' })).isOpen).toBe(false)
  const ours = await connect(origin, { Origin: origin })
  expect(ours.isOpen).toBe(true)
  ours.socket.close()
})

test('a client that says too much is shown out', async () => {
  await using app = await startTestApp()
  const { socket } = await connect(app.listen())
  const closed = Promise.withResolvers<number>()
  socket.onclose = event => closed.resolve(event.code)
  socket.send('ignored')
  socket.send('x'.repeat(5000))
  expect(await closed.promise).toBeOneOf([1006, 1009])
})
