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
  // Frames for everyone leave out what differs per user, and long texts.
  for (const field of ['favored', 'description']) expect(offline.podcast_episode).not.toHaveProperty(field)
  for (const field of ['favorites', 'tags', 'unlistened_count', 'new_count'])
    expect(offline.podcast).not.toHaveProperty(field)
  expect(await frame('downloadProgress')).toMatchObject({
    state: expect.any(String),
    receivedBytes: expect.any(Number),
  })
  socket.close()
})
