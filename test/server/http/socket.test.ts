import { expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../support/builders'
import { startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

async function connect(origin: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers } as never)
  const frames: { type: string; [field: string]: unknown }[] = []
  const opened = Promise.withResolvers<boolean>()
  const waiting = new Set<() => void>()
  socket.onmessage = message => {
    frames.push(JSON.parse(message.data as string))
    for (const check of waiting) check()
  }
  socket.onopen = () => opened.resolve(true)
  socket.onclose = () => opened.resolve(false)
  const frame = (type: string) => {
    const { promise, resolve } = Promise.withResolvers<(typeof frames)[number]>()
    const check = () => {
      const found = frames.find(candidate => candidate.type === type)
      if (found) resolve(found)
    }
    waiting.add(check)
    check()
    return promise
  }
  return { socket, frames, frame, isOpen: await opened.promise }
}

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
