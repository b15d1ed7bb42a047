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

test('the socket tells which player reported a position, and of episodes that are marked together or no longer', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const items = ['One', 'Two'].map(title => ({ title, enclosure: `${host.origin}/${title}.mp3` }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const episodes = data.map(({ podcastEpisode }) => podcastEpisode)
  const eids = episodes.map(({ episode_id }) => episode_id).toSorted()
  const { frame, frames, socket } = await connect(app.listen())

  const progress = { podcastEpisodeId: eids[0]!, time: 300, total: 600 }
  await app.playback.save({ ...progress, sender: 'tab-1' })
  expect(await frame('progress')).toMatchObject({ episode_id: eids[0], position: 300, sender: 'tab-1' })
  await app.playback.save({ ...progress, time: 310 })
  const marks = () => frames.filter(({ type }) => type === 'episodesMarked')
  const { undo } = await app.episodes.batch.mark(
    episodes.map(({ id }) => id),
    true,
  )
  await app.episodes.batch.undoMark(undo)
  // Frames arrive in order, and this is the last.
  await app.playback.save({ ...progress, time: 320, sender: 'tab-2' })
  while (!frames.some(({ sender }) => sender === 'tab-2')) await Bun.sleep(1)
  expect(frames.filter(({ type }) => type === 'progress').map(({ sender }) => sender)).toEqual(['tab-1', '', 'tab-2'])
  expect(marks().map(({ episode_ids }) => (episode_ids as string[]).toSorted())).toEqual([eids, eids])
  socket.close()
})

test('a page that began to load before the latest change, and connects after it, is told to fetch again', async () => {
  using host = startFeedHost()
  let time = 0
  await using app = await startTestApp({ elapsed: () => time })
  app.prefill(0)
  const origin = app.listen()
  await app.podcasts.add(
    host.feed('/feed.xml', rss({ items: [{ title: 'Fog', enclosure: `${host.origin}/fog.mp3` }] })),
  )
  time += 8000
  const frames = async (query: string) => {
    const { socket, frames, frame } = await connect(origin, {}, query)
    await app.playlists.create({ name: `List ${query}`, description: null, items: [] })
    await frame('playlistChanged')
    socket.close()
    time += 8000
    return frames.map(({ type }) => type)
  }
  expect(await frames('?age=9000')).toEqual(['missed', 'playlistChanged'])
  expect(await frames('?age=500')).toEqual(['playlistChanged'])
  expect(await frames('')).toEqual(['playlistChanged'])
  // A check that brings nothing leaves every list as it is.
  time += 60_000
  const nothing = { added: 0, updated: 0 }
  app.context.events.publish({
    type: 'refreshedPodcast',
    podcastId: 1,
    result: 'unchanged',
    ...nothing,
    explicit: nothing,
  })
  expect(await frames('?age=20')).toEqual(['playlistChanged'])
})
