import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { startExecutable } from '../../support/executable'
import { startFeedHost } from '../../support/feed-host'
import { startPlainHost } from '../../support/plain-host'

const bytes = noise(300_000) as Uint8Array<ArrayBuffer>
const HELD = 100_000

/** Subscribes to a podcast with an episode at this address; returns what asks for ranges of it. */
async function listenTo(app: TestApp, enclosure: string) {
  using feeds = startFeedHost()
  app.prefill(0)
  const podcast = await app.podcasts.add(feeds.feed('/feed.xml', rss({ items: [{ title: 'Fog', enclosure }] })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const { pathname } = new URL(data[0]!.podcastEpisode.local_url)
  return (range?: string, headers = {}) =>
    app.fetch(pathname, { headers: { ...headers, ...(range && { Range: range }) } })
}
const body = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const whatCame = ({ status, headers }: Response) => [status, headers.get('content-range')]

test('a host without ranges is entered in the middle, and asked once for all its listeners', async () => {
  using host = await startPlainHost(bytes, { holdsAt: HELD })
  await using app = await startTestApp()
  const get = await listenTo(app, host.address)

  const middle = await get('bytes=200000-')
  expect(whatCame(middle)).toEqual([206, 'bytes 200000-299999/300000'])
  const start = await get('bytes=0-')
  expect(whatCame(start)).toEqual([206, 'bytes 0-299999/300000'])
  const few = await get('bytes=1000-1999')
  expect(await body(few)).toEqual(bytes.slice(1000, 2000))
  host.release()
  expect(await body(middle)).toEqual(bytes.slice(200_000))
  expect(await body(start)).toEqual(bytes)
  expect(await body(await get())).toEqual(bytes)
  const beyond = await get('bytes=300000-')
  expect(whatCame(beyond)).toEqual([416, 'bytes */300000'])
  expect(await body(await get('bytes=0-9', { 'If-Range': few.headers.get('etag') }))).toEqual(bytes.slice(0, 10))
  expect((await get('bytes=0-9', { 'If-Range': '"of the host"' })).status).toBe(200)
  expect(host.requests()).toBe(1)
})

test('a listener who leaves takes nothing from those who come later', async () => {
  using host = await startPlainHost(bytes, { holdsAt: HELD })
  await using app = await startTestApp()
  const get = await listenTo(app, host.address)
  const reader = (await get('bytes=0-')).body!.getReader()
  await reader.read()
  await reader.cancel()
  host.release()
  expect(await body(await get('bytes=250000-'))).toEqual(bytes.slice(250_000))
  expect(host.requests()).toBe(1)
})

test('where the host does not say the length, the middle is sent once the length is known', async () => {
  using host = await startPlainHost(bytes, { saysLength: false, holdsAt: HELD })
  await using app = await startTestApp()
  const get = await listenTo(app, host.address)
  const start = await get('bytes=0-')
  expect(whatCame(start)).toEqual([200, null])
  const middle = get('bytes=200000-')
  host.release()
  expect(whatCame(await middle)).toEqual([206, 'bytes 200000-299999/300000'])
  expect(await body(await middle)).toEqual(bytes.slice(200_000))
  expect(await body(start)).toEqual(bytes)
  expect(host.requests()).toBe(1)
})

test('a host that breaks off ends what is heard with a failure, and is asked again', async () => {
  using host = await startPlainHost(bytes, { holdsAt: HELD })
  await using app = await startTestApp()
  const get = await listenTo(app, host.address)
  const cut = await get('bytes=0-')
  host.breakOff()
  await expect(body(cut)).rejects.toThrow()
  host.release()
  expect(await body(await get('bytes=100-'))).toEqual(bytes.slice(100))
  expect(host.requests()).toBe(2)
})

test.each([
  ['whose disk has no more room than DISK_RESERVE', { env: { DISK_RESERVE: '1' }, measureFree: () => 1e9 + 200_000 }],
  ['for which the file is too large', { downloadLimits: { spool: { fileBytes: 299_999 } } }],
  ['that spools enough already', { downloadLimits: { spool: { allBytes: 299_999 } } }],
])('a server %s relays what the host sends, and keeps nothing', async (_, options) => {
  using host = await startPlainHost(bytes)
  await using app = await startTestApp(options)
  const get = await listenTo(app, host.address)
  const response = await get('bytes=200000-')
  expect(response.status).toBe(200)
  expect(await body(response)).toEqual(bytes)
  expect([app.context.spool.usedBytes(), host.requests()]).toEqual([0, 1])
})

test('a file that turns out to be too large is relayed from then on', async () => {
  using host = await startPlainHost(bytes, { saysLength: false, holdsAt: HELD })
  await using app = await startTestApp({ downloadLimits: { spool: { fileBytes: 200_000 } } })
  const get = await listenTo(app, host.address)
  const first = await get('bytes=0-')
  host.release()
  await expect(body(first)).rejects.toThrow()
  expect(await body(await get('bytes=0-'))).toEqual(bytes)
  expect(app.context.spool.usedBytes()).toBe(0)
})

test('a file that nobody reads makes room for one that somebody wants', async () => {
  using one = await startPlainHost(bytes)
  using other = await startPlainHost(bytes)
  await using app = await startTestApp({ downloadLimits: { spool: { allBytes: 400_000 } } })
  const getOne = await listenTo(app, one.address)
  expect((await body(await getOne('bytes=1-'))).byteLength).toBe(299_999)
  const getOther = await listenTo(app, other.address)
  const response = await getOther('bytes=1-')
  expect([response.status, app.context.spool.usedBytes()]).toEqual([206, 300_000])
  expect((await body(response)).byteLength).toBe(299_999)
})

test('a spooled file is deleted when nobody reads it for a while, and replaced when it is old', async () => {
  using host = await startPlainHost(bytes)
  let time = 0
  const limits = { downloadLimits: { spool: { ageMs: 1000, idleMs: 500 } } }
  await using app = await startTestApp({ ...limits, elapsed: () => time })
  const get = await listenTo(app, host.address)
  const paused = await get('bytes=0-')
  const reader = paused.body!.getReader()
  await reader.read()
  time = 2000
  expect((await get('bytes=200000-')).status).toBe(206)
  expect(host.requests()).toBe(2)
  await reader.cancel()
  while (app.context.spool.usedBytes() > 0) await Bun.sleep(1)
})

test('spooled files have no names, and a start deletes what a killed process had no time to unname', async () => {
  using host = await startPlainHost(bytes, { holdsAt: HELD })
  const folder = temporaryFolder()
  const spool = join(folder, 'spool')
  await (await startTestApp({ folder }))[Symbol.asyncDispose]()
  mkdirSync(spool)
  writeFileSync(join(spool, 'left'), 'over')
  await using app = await startTestApp({ folder })
  expect(existsSync(spool)).toBe(false)
  const get = await listenTo(app, host.address)
  const response = await get('bytes=10-')
  expect([response.status, app.context.spool.usedBytes(), readdirSync(spool)]).toEqual([206, 300_000, []])
  host.release()
})

test('a server that is killed while it spools leaves nothing, and sends the whole file after its restart', async () => {
  using feeds = startFeedHost()
  using host = await startPlainHost(bytes, { holdsAt: HELD })
  const env = { DATA_DIRECTORY: temporaryFolder(), DISK_RESERVE: '0' }
  const settings = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"podcastPrefill":0}' }
  const killed = await startExecutable(env)
  await fetch(`${killed.origin}/api/v1/settings`, settings)
  const rssFeedUrl = feeds.feed('/feed.xml', rss({ items: [{ title: 'Fog', enclosure: host.address }] }))
  const { id } = await killed.api<{ id: string }>('/podcasts/feed', { rssFeedUrl })
  const [row] = await killed.api<{ podcastEpisode: { local_url: string } }[]>(`/podcasts/${id}/episodes`)
  const { pathname } = new URL(row!.podcastEpisode.local_url)
  const listening = await fetch(`${killed.origin}${pathname}`, { headers: { Range: 'bytes=0-' } })
  const reader = listening.body!.getReader()
  await reader.read()
  const spool = join(env.DATA_DIRECTORY, 'spool')
  expect(existsSync(spool)).toBe(true)
  killed.process.kill('SIGKILL')
  await killed.process.exited
  await reader.cancel().catch(() => undefined)
  expect(readdirSync(spool)).toEqual([])

  await using server = await startExecutable(env)
  expect(existsSync(spool)).toBe(false)
  host.release()
  const middle = await fetch(`${server.origin}${pathname}`, { headers: { Range: 'bytes=200000-' } })
  expect(await body(middle)).toEqual(bytes.slice(200_000))
})
