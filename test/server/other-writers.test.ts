import { expect, test } from 'bun:test'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../src/server/data-folder'
import { startJobs } from '../../src/server/jobs/scheduler'
import { openStore } from '../../src/server/store'
import { createWriteLock } from '../../src/server/store/writing'
import { refusal, startClock, startTestApp, temporaryFolder, withPasswords, type TestApp } from '../support/app'
import { rss, silentMp3 } from '../support/builders'
import { startFeedHost } from '../support/feed-host'
import { startOtherWriter } from '../support/other-writer'
import type { Order } from './store/writing-thread'

const DAY = 86_400_000
const NEVER = 600_000

async function plant(writeWaitMs = NEVER) {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ env: withPasswords, now, writeWaitMs })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const enclosure = host.file('/one.mp3', silentMp3(5))
  const feed = host.feed('/fog.xml', rss({ title: 'Fog', items: [{ title: 'One', enclosure }] }))
  const podcast = await root.podcasts.add(feed)
  const [item] = (await root.podcasts.episodes(podcast.id, {}, null)).data
  const { id, episode_id: eid } = item!.podcastEpisode
  return {
    host,
    now,
    app,
    root,
    podcast,
    id,
    eid,
    lock: () => startOtherWriter(join(app.folder, DATABASE_FILE)),
    /** The lines of the log about failures. */
    failures: () => app.lines.filter(line => /level=(error|warn)/.test(line)),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const bearerOf = async (app: TestApp) => {
  const root = app.as('root', 'Sup3rSecret')
  const { password } = await root.appPasswords.create('Phone')
  return { Authorization: `Basic ${Buffer.from(`root:${password}`).toString('base64')}` }
}

test('while another process writes, everything that reads answers at once', async () => {
  await using world = await plant()
  const { app, root, podcast, id, eid, now } = world
  await root.episodes.download(eid)
  await app.event('downloadFinished')
  const phone = await bearerOf(app)
  // A phone that is new is noted by its first request.
  await app.fetch('/api/2/subscriptions/root/phone.json?since=0', { headers: phone })
  // The use of whatever signs a request in is due to be noted again.
  now.advance(DAY)
  await using other = await world.lock()
  const headers = { Authorization: root.authorization! }
  const paths = [
    '/healthz',
    '/readyz',
    '/api/v1/podcasts',
    '/api/v1/podcasts/timeline',
    `/api/v1/podcasts/${podcast.id}/episodes`,
    `/api/v1/episodes/${id}`,
    `/api/v1/podcasts/episodes/${id}/chapters`,
    `/api/v1/podcasts/episodes/${id}/transcripts`,
    '/api/v1/queue',
    '/api/v1/notifications/unread',
    '/api/v1/search?q=one',
    '/api/v1/downloads',
    '/api/v1/stats/overview',
    '/rss',
  ]
  for (const path of paths) expect(`${path} ${(await app.fetch(path, { headers })).status}`).toBe(`${path} 200`)
  const range = await app.fetch(`/media/${eid}.mp3`, { headers: { ...headers, Range: 'bytes=0-9' } })
  expect([range.status, (await range.bytes()).length]).toEqual([206, 10])
  const synced = [
    '/api/2/devices/root.json',
    '/api/2/subscriptions/root/phone.json?since=0',
    '/subscriptions/root.json',
    '/api/2/updates/root/phone.json?since=0',
    '/api/2/episodes/root.json?since=0&device=phone',
    '/api/2/favorites/root.json',
  ]
  for (const path of synced) expect(`${path} ${(await app.fetch(path, { headers: phone })).status}`).toBe(`${path} 200`)
  expect(other.isHeld()).toBe(true)
  expect(world.failures()).toEqual([])
})

test('a change waits for another process without keeping anybody else waiting, and is made then', async () => {
  await using world = await plant()
  const { root, eid, app } = world
  const other = await world.lock()
  const order: string[] = []
  const saving = root.playback.save({ podcastEpisodeId: eid, time: 2 }).then(() => order.push('saved'))
  for (const name of ['first', 'second']) {
    expect((await app.fetch('/healthz')).status).toBe(200)
    expect((await root.podcasts.list()).length).toBe(1)
    order.push(name)
  }
  await other.release()
  await saving
  expect(order).toEqual(['first', 'second', 'saved'])
  expect(await root.playback.find(eid)).toMatchObject({ position: 2 })
})

test('a change that would wait too long is refused, asks to try again, and has changed nothing', async () => {
  await using world = await plant(1)
  const { app, root, eid } = world
  const other = await world.lock()
  expect(await refusal(root.playback.save({ podcastEpisodeId: eid, time: 2 }))).toMatchObject({
    status: 503,
    code: 'database-busy',
  })
  const response = await app.fetch('/api/v1/tags', { method: 'POST', headers: { Authorization: root.authorization! } })
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '2'])
  await other.release()
  await root.playback.save({ podcastEpisodeId: eid, time: 3 })
  expect(await root.playback.find(eid)).toMatchObject({ position: 3 })
  expect(world.failures()).toEqual([])
})

test('a process that comes between the look and the statement is answered the same way', async () => {
  await using world = await plant()
  const { app, root, eid } = world
  // The look finds nobody.
  app.context.store.isWritable = () => true
  await using other = await world.lock()
  const refused = await refusal(root.playback.save({ podcastEpisodeId: eid, time: 2 }))
  expect(refused).toMatchObject({ status: 503, code: 'database-busy' })
  expect(other.isHeld()).toBe(true)
})

test('a download that ends meanwhile is recorded afterwards', async () => {
  await using world = await plant()
  const { app, root, host, podcast, now } = world
  const last = Promise.withResolvers<void>()
  const sound = silentMp3(30)
  const enclosure = host.on('/two.mp3', () => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(sound.slice(0, 20_000))
        await last.promise
        controller.enqueue(sound.slice(20_000))
        controller.close()
      },
    })
    return new Response(body, { headers: { 'Content-Type': 'audio/mpeg', 'Content-Length': String(sound.length) } })
  })
  host.feed('/fog.xml', rss({ title: 'Fog', items: [{ guid: 'two', title: 'Two', enclosure }] }))
  now.advance(DAY)
  await app.refreshDue()
  const two = (await root.podcasts.episodes(podcast.id, {}, null)).data.find(
    ({ podcastEpisode }) => podcastEpisode.name === 'Two',
  )!.podcastEpisode
  await root.episodes.download(two.episode_id)
  const part = app.context.files.folder.partOf(two.episode_id)
  const size = () => Bun.file(part).size
  // It is under way, so that nothing is left to note before its end.
  while (size() === 0) await Bun.sleep(1)
  const other = await world.lock()
  last.resolve()
  // All of it is here, and nothing says so yet.
  while (size() < sound.length) await Bun.sleep(1)
  expect(app.events.some(({ type }) => type === 'downloadFinished')).toBe(false)
  await other.release()
  await app.event('downloadFinished')
  expect(
    (await app.fetch(`/media/${two.episode_id}.mp3`, { headers: { Authorization: root.authorization! } })).status,
  ).toBe(200)
  expect(world.failures()).toEqual([])
})

test('a refresh stores afterwards what it has read meanwhile, and the second thread keeps nobody waiting', async () => {
  await using world = await plant()
  const { app, root, host, podcast, now } = world
  host.feed('/fog.xml', rss({ title: 'Fog', items: [{ title: 'One' }, { guid: 'new', title: 'New' }] }))
  now.advance(DAY)
  const other = await world.lock()
  const refreshing = app.refreshDue()
  while (host.requestsTo('/fog.xml').length < 2) await Bun.sleep(1)
  expect((await app.fetch('/healthz')).status).toBe(200)
  expect((await root.podcasts.episodes(podcast.id, {}, null)).data).toHaveLength(1)
  await other.release()
  await refreshing
  expect((await root.podcasts.episodes(podcast.id, {}, null)).data).toHaveLength(2)
  expect(world.failures()).toEqual([])
})

test('jobs wait for another process, and one that meets it all the same begins again', async () => {
  await using world = await plant()
  const { app } = world
  const { store, log } = app.context
  const other = await world.lock()
  const done = Promise.withResolvers<void>()
  let runs = 0
  const write = async () => {
    runs++
    store.forgottenFiles.add({ storage: 'folder', path: 'by a job' })
    done.resolve()
  }
  const jobs = startJobs([{ name: 'write', everyMs: NEVER, run: write }], log, { whenWritable: store.whenWritable })
  await app.fetch('/healthz')
  await Bun.sleep(0)
  expect(runs).toBe(0)
  const hasty = Promise.withResolvers<void>()
  const impatient = startJobs([{ name: 'hasty', everyMs: NEVER, run: async () => (hasty.resolve(), write()) }], log)
  await hasty.promise
  await other.release()
  await done.promise
  await Promise.all([jobs.stop(), impatient.stop()])
  expect(store.forgottenFiles.list()).toEqual([{ storage: 'folder', path: 'by a job' }])
  expect(world.failures()).toEqual([])
})

test('a thread without requests to answer waits where it is, and leaves the lock of the threads free', async () => {
  const path = join(temporaryFolder(), DATABASE_FILE)
  const lock = createWriteLock()
  const store = openStore(path, { lock })
  const thread = new Worker(new URL('./store/writing-thread.ts', import.meta.url))
  const [ready, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  thread.onmessage = ({ data }) => (data === 'ready' ? ready : done).resolve()
  const order = (message: Order) => thread.postMessage(message)
  order({ path, memory: lock.memory })
  await ready.promise
  const other = await startOtherWriter(path)
  const writes = lock.writes()
  order({ inTransaction: true, begun: new SharedArrayBuffer(4) })
  // It has tried, and tries again.
  while (lock.writes() < writes + 2) await Bun.sleep(1)
  while (!lock.isFree()) await Bun.sleep(1)
  expect(store.forgottenFiles.list()).toEqual([])
  await other.release()
  await done.promise
  expect(store.forgottenFiles.list()).toHaveLength(1)
  thread.terminate()
  store.close()
})

test('where the database is away, nothing waits for other processes, and no new one is made in its place', async () => {
  const folder = temporaryFolder()
  const path = join(folder, DATABASE_FILE)
  const store = openStore(path)
  store.neverStandStill()
  renameSync(path, `${path}.away`)
  expect(store.isWritable()).toBe(true)
  expect(existsSync(path)).toBe(false)
  rmSync(folder, { recursive: true })
  expect(await store.whenWritable()).toBe(true)
  store.close()
})
