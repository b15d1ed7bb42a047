import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { createBackground } from '../../../src/server/thread'
import { createWriteLock } from '../../../src/server/store/write-lock'
import { rss } from '../../support/builders'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { hostileMedia } from '../../support/hostile-media'
import { startFeedHost } from '../../support/feed-host'

// Reading a feed that belongs to no podcast opens no library.
const nowhere = '/nowhere/castellan.db'

const request = (body: string) => ({
  body: new TextEncoder().encode(body),
  contentType: '',
  contentEncoding: '',
  address: 'https://pod.example/feed.xml',
  maxBytes: 100_000_000,
  podcastId: null,
})

/** A file that takes seconds to read without limits, and may take 20 ms. */
function endless() {
  const path = join(temporaryFolder(), 'endless.mp3')
  const { make, type } = hostileMedia['an MP3 of 600,000 chapters']!
  writeFileSync(path, make())
  const limits = { tagBytes: 1e12, frames: 1e12, reads: 1e12, bytes: 1e12, single: 1e12, timeoutMs: 20 }
  return { path, type, limits }
}

test('a file that takes too long to read fails alone: the next one gets a fresh reader', async () => {
  const background = createBackground(nowhere, createWriteLock())
  const [bad, good] = await Promise.all([
    refusal(background.readMedia(endless())),
    background.read(request(rss({ items: [{}] }))),
  ])
  expect(bad).toMatchObject({ name: 'UnreadableFeed' })
  expect(good).toMatchObject({ ok: true, reading: { recognised: 0, dates: [expect.any(Number)] } })
  await background.close()
})

test('a feed that takes too long fails, and says so', async () => {
  const background = createBackground(nowhere, createWriteLock(), { timeoutMs: 1 })
  const long = `<rss><channel>${'<item><enclosure url="/a.mp3"/><x>y</x></item>'.repeat(400_000)}</channel></rss>`
  expect(await refusal(background.read(request(long)))).toMatchObject({ name: 'UnreadableFeed' })
  await background.close()
})

test('a reading kept beside a file that took too long is lost, and may be read again', async () => {
  const background = createBackground(nowhere, createWriteLock())
  const good = await background.read(request(rss({ items: [{}] })))
  if (!good.ok) throw new Error(good.reason)
  expect(await refusal(background.readMedia(endless()))).toMatchObject({ name: 'UnreadableFeed' })
  // A reading kept by the next thread is not mistaken for it.
  await background.read(request(rss({ title: 'Another', items: [{}] })))
  const validators = { etag: null, lastModified: null, digest: null }
  const lost = background.apply({ podcastId: 1, readings: [good.reading.kept], validators, now: 0 })
  expect(await refusal(lost)).toMatchObject({ name: 'BackgroundLost' })
  await background.close()
})

test('a kept reading outlasts the idle time of the thread', async () => {
  const background = createBackground(nowhere, createWriteLock(), { idleMs: 1 })
  const good = await background.read(request(rss({ items: [{}] })))
  if (!good.ok) throw new Error(good.reason)
  // Timers fire in the order of their ends: by then both of an idle thread's have fired, however busy the machine is.
  await Bun.sleep(5)
  await Bun.sleep(60)
  const validators = { etag: null, lastModified: null, digest: null }
  const attempt = background.apply({ podcastId: 1, readings: [good.reading.kept], validators, now: 0 })
  // It is still there: what stands in the way now is that there is no library.
  expect(await refusal(attempt)).toMatchObject({ name: 'Error', message: expect.stringContaining('unable to open') })
  await background.close()
})

test('while a feed of thousands of episodes is being written, others write between its parts', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const { store } = app.context
  const total = 3000
  const adding = app.podcasts.add(host.feed('/long.xml', rss({ items: Array.from({ length: total }, () => ({})) })))
  let isAdded = false
  void adding.finally(() => (isAdded = true))
  const seen = new Set<number>()
  while (!isAdded) {
    const id = store.podcasts.allIds()[0]
    if (id !== undefined)
      store.inTransaction(() => {
        store.settings.pauseDownloads(true)
        seen.add(store.podcasts.find(id)!.visible_count)
      })
    await Bun.sleep(0)
  }
  expect((await adding).episode_count).toBe(total)
  // The number of turns depends on the machine; a feed written in one piece would only be seen empty or whole.
  expect([...seen].filter(count => count > 0 && count < total).length).toBeGreaterThan(0)
})

test.each([
  ['items that never end', '<item>'.repeat(500_000)],
  ['tags that never end', '<item '.repeat(500_000)],
  ['comments that never end', '<!-- '.repeat(100_000)],
  ['a title of ten megabytes', `<title>${'x'.repeat(10_000_000)}</title>`],
])('%s: read in one pass', async (_, inside) => {
  const background = createBackground(nowhere, createWriteLock(), { timeoutMs: 20_000 })
  const result = await background.read(request(`<rss><channel>${inside}`))
  expect(result.ok || result.reason).toBeOneOf([true, 'not-a-feed', 'too-large'])
  await background.close()
})
