import { expect, test } from 'bun:test'
import { publishProgress, startProgress, tick } from '../../../src/server/downloads/pace'
import type { DownloadRow } from '../../../src/server/store/downloads'
import { startClock, startTestApp } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('the speed is that since the last tick, smoothed; only news is published', () => {
  const progress = startProgress({ received_bytes: 1000, total_bytes: 9000 } as DownloadRow)
  expect(progress).toMatchObject({ received: 1000, total: 9000, speed: 0 })
  expect([tick(progress, 500), progress.speed]).toEqual([false, 0])
  progress.received = 2000
  expect([tick(progress, 500), progress.speed]).toEqual([true, 2000])
  progress.received = 5000
  expect([tick(progress, 500), progress.speed]).toEqual([true, 3600])
  expect([tick(progress, 500), progress.speed]).toEqual([false, 2160])
})

test('a download tells its live figures while it runs, and those of its row afterwards', async () => {
  using host = startFeedHost()
  const bytes = noise(300_000)
  const now = startClock()
  // No checkpoint is due, so that the row knows less than the download does.
  await using app = await startTestApp({ now, elapsed: now, downloadLimits: { progressMs: 1 } })
  app.prefill(0)
  const body = new ReadableStream({ start: controller => controller.enqueue(bytes.subarray(0, 200_000)) })
  const headers = { 'Content-Type': 'audio/mpeg', 'Content-Length': '300000' }
  const enclosure = host.on('/a.mp3', () => new Response(body, { headers }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ enclosure }] })))
  await app.podcasts.downloadAll(podcast.id)
  const event = await app.event('downloadProgress', ({ receivedBytes }) => receivedBytes === 200_000)
  expect(event).toMatchObject({ state: 'running' })
  const { store, downloads } = app.context
  expect(store.downloads.find(1)!.received_bytes).toBe(0)
  expect(await app.downloads.page(null)).toMatchObject({ data: { items: [{ receivedBytes: 200_000 }] } })
  await downloads.pauseAll()
  expect(downloads.live(1)).toBeNull()
  expect(await app.downloads.page(null)).toMatchObject({
    data: { items: [{ state: 'queued', receivedBytes: 0, bytesPerSecond: null }] },
  })
  // Its last figures are still there when the end of an attempt is published.
  const live = { received: 200_000, total: 300_000, speed: 1000, announced: 0, host: null, isReceived: false }
  const { publish } = app.context.events
  app.events.length = 0
  publishProgress({ store, publish }, 1, live)
  expect(app.events).toMatchObject([{ state: 'queued', receivedBytes: 0, bytesPerSecond: 0 }])
})

test.each([
  [503, { 'Retry-After': '600' }, 600],
  [404, {}, 60],
])('a failed attempt comes with the status %p of its host, and the next attempt', async (status, headers, seconds) => {
  using host = startFeedHost()
  const now = startClock()
  await using app = await startTestApp({ now })
  app.prefill(0)
  const enclosure = host.on('/a.mp3', () => new Response('', { status, headers }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ enclosure }] })))
  await app.podcasts.downloadAll(podcast.id)
  const event = await app.event('downloadProgress', ({ state }) => state === 'waiting')
  expect(event).toMatchObject({ errorCode: 'media-unreachable', status, nextAttemptAt: now() + seconds * 1000 })
  expect((await app.downloads.page(null)).data.items).toMatchObject([{ state: 'waiting', status }])
})
