import { expect, test } from 'bun:test'
import { createRefresh } from '../../../src/server/feeds/refresh'
import { createDigester } from '../../../src/server/feeds/digester'
import { createSecondThread } from '../../../src/server/second-thread'
import { ThreadLost } from '../../../src/server/thread'
import { createWriteLock } from '../../../src/server/store/writing'
import { rss } from '../../support/builders'
import { refusal, startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

// No library is opened for a feed that is not in one.
const nowhere = '/nowhere/castellan.db'

const request = (body: string) => ({
  body: new TextEncoder().encode(body),
  contentType: '',
  contentEncoding: '',
  address: 'https://pod.example/feed.xml',
  maxBytes: 100_000_000,
  podcastId: null,
})

const validators = { etag: null, lastModified: null, digest: null }

function startDigester(limits?: Parameters<typeof createSecondThread>[2]) {
  const thread = createSecondThread(nowhere, createWriteLock(), limits)
  return { ...createDigester(thread), thread, [Symbol.asyncDispose]: () => thread.close() }
}

const endless = `<rss><channel>${'<item><enclosure url="/a.mp3"/><x>y</x></item>'.repeat(40_000)}</channel></rss>`

test('a feed that takes too long fails', async () => {
  await using digester = startDigester({ timeoutMs: 1 })
  expect(await refusal(digester.digest(request(endless)))).toMatchObject({ name: 'UnreadableFeed' })
})

test('the memory of a body moves to the second thread', async () => {
  await using digester = startDigester()
  const one = request(rss({ items: [{}] }))
  expect((await digester.digest(one)).ok).toBe(true)
  expect(one.body.byteLength).toBe(0)
})

test('a digest that went with its thread is lost, and the feed may be read again', async () => {
  await using digester = startDigester()
  const good = await digester.digest(request(rss({ items: [{}] })))
  if (!good.ok) throw new Error(good.reason)
  const tooLong = digester.thread.runUntrusted('digestFeed', request(endless), { timeoutMs: 1 })
  expect(await refusal(tooLong)).toMatchObject({ name: 'TaskFailed' })
  // A digest kept by the next thread is not mistaken for it.
  await digester.digest(request(rss({ title: 'Another', items: [{}] })))
  const lost = digester.apply({ podcastId: 1, digestIds: [good.summary.digestId], validators, now: 0 })
  expect(await refusal(lost)).toMatchObject({ name: 'ThreadLost' })
})

test('a digest is kept while the thread is idle, and given up once it is forgotten', async () => {
  await using digester = startDigester({ idleMs: 1 })
  const good = await digester.digest(request(rss({ items: [{}] })))
  if (!good.ok) throw new Error(good.reason)
  // Longer than an idle thread stays.
  await Bun.sleep(80)
  const apply = () => digester.apply({ podcastId: 1, digestIds: [good.summary.digestId], validators, now: 0 })
  // The digest is still there: what is missing now is the library.
  expect(await refusal(apply())).toMatchObject({ name: 'Error', message: expect.stringContaining('unable to open') })
  const again = await digester.digest(request(rss({ items: [{}] })))
  if (!again.ok) throw new Error(again.reason)
  digester.forget([again.summary.digestId])
  const gone = digester.apply({ podcastId: 1, digestIds: [again.summary.digestId], validators, now: 0 })
  expect(await refusal(gone)).toMatchObject({ name: 'ThreadLost' })
})

test('a refresh whose thread was lost beside another task reads the feed again', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  await app.podcasts.add(host.feed('/fog.xml', rss({ items: [{}] })))
  host.feed('/fog.xml', rss({ items: [{}, {}] }))
  const digester = createDigester(app.context.thread)
  let losses = 0
  const digest: typeof digester.digest = request =>
    losses++ === 0 ? Promise.reject(new ThreadLost('Another task ended the thread')) : digester.digest(request)
  const refresh = createRefresh({ ...app.context, digester: { ...digester, digest }, pollingMinutes: 60, parallel: 1 })
  const [id] = app.context.store.podcasts.allIds()
  expect(await refresh.refresh(id!)).toMatchObject({ result: 'updated', added: 1 })
  expect(losses).toBe(2)
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
  expect([...seen].filter(count => count > 0 && count < total).length).toBeGreaterThan(5)
})

test.each([
  ['items that never end', '<item>'.repeat(500_000)],
  ['tags that never end', '<item '.repeat(500_000)],
  ['comments that never end', '<!-- '.repeat(100_000)],
  ['a title of ten megabytes', `<title>${'x'.repeat(10_000_000)}</title>`],
])('%s are read in one pass', async (_, inside) => {
  await using digester = startDigester({ timeoutMs: 20_000 })
  const result = await digester.digest(request(`<rss><channel>${inside}`))
  expect(result.ok || result.reason).toBeOneOf([true, 'not-a-feed', 'too-large'])
})
