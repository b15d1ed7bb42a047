import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { bootId } from '../../../src/server/downloads/attempt'
import { cancel } from '../../../src/server/downloads/queue'
import { noise, rss, silentMp3 } from '../../support/builders'
import { refusal, startClock, startTestApp, type TestApp } from '../../support/app'
import { startFeedHost, type FeedHost, type Handler } from '../../support/feed-host'

const MINUTE = 60_000
const mp3 = silentMp3(2)
const never: Handler = () => Promise.withResolvers<Response>().promise

type Options = { titles?: string[]; parallel?: number; pathOf?: (index: number) => string }

/** One podcast whose episodes are not downloaded yet. */
async function plant({ titles = ['Fog'], parallel = 1 }: Options = {}) {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ now, env: { MAX_PARALLEL_DOWNLOADS: String(parallel) } })
  app.prefill(0)
  const items = titles.map((title, index) => ({
    title,
    guid: title,
    enclosure: host.file(`/${title}.mp3`, mp3),
    date: dateOf(index),
  }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Radio', items })))
  const { store } = app.context
  const episode = (title = 'Fog') => {
    const { id } = store.episodes.knownOf(store.podcasts.allIds()[0]!).find(known => known.title === title)!
    return store.episodes.find(id)!
  }
  return {
    app,
    host,
    now,
    store,
    podcast,
    episode,
    files: app.context.files,
    downloads: app.context.downloads,
    row: (title = 'Fog') => store.downloads.findOfEpisode(episode(title).id),
    ask: (title = 'Fog') => app.episodes.download(episode(title).eid),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}
const dateOf = (index: number) => new Date(Date.UTC(2026, 0, 20 - index)).toUTCString()
const running = (app: TestApp) => app.event('downloadProgress', ({ state }) => state === 'running')
const mediaRequests = (host: FeedHost) => host.requests.filter(({ path }) => path.endsWith('.mp3'))
const mp3sBelow = (folder: string) => [...new Bun.Glob('**/*.mp3').scanSync(folder)]

describe('what people ask for', () => {
  test('a failed download cannot be paused, and a running one cannot be resumed', async () => {
    await using world = await plant()
    const { app, host, store, now } = world
    host.on('/Fog.mp3', never)
    await world.ask()
    await running(app)
    expect(await refusal(app.downloads.resume(world.row()!.uuid))).toMatchObject({
      status: 409,
      message: 'A download that is running cannot be resumed',
    })
    await app.downloads.pause(world.row()!.uuid)
    store.downloads.giveUp(world.row()!.id, 8, { code: 'unexpected', message: '' }, now())
    expect(await refusal(app.downloads.pause(world.row()!.uuid))).toMatchObject({
      status: 409,
      message: 'A download that is failed cannot be paused',
    })
    expect(world.row()!.state).toBe('failed')
  })

  test('asking for an episode that is being downloaded does not stop it, even on a full disk', async () => {
    await using world = await plant()
    world.host.on('/Fog.mp3', never)
    await world.ask()
    await running(world.app)
    world.files.folder.freeBytes = async () => 0
    await world.ask()
    expect(world.row()!.state).toBe('running')
  })

  test('all episodes are those without a file whose address is still theirs', async () => {
    await using world = await plant({ titles: ['Fog', 'Rain', 'Snow'] })
    const { store, downloads, app } = world
    await downloads.pauseAll()
    const [fog, rain, snow] = ['Fog', 'Rain', 'Snow'].map(title => world.episode(title).id) as [number, number, number]
    store.episodes.keepFile(fog, { path: 'Radio/Fog.mp3', size: 1, type: 'audio/mpeg', duration: null, now: 0 })
    store.episodes.markSuperseded(rain, true)
    expect(await downloads.requestAll([fog, rain, snow], app.context.admin.id)).toMatchObject({ queued: 1 })
    expect([world.row('Fog'), world.row('Rain'), world.row('Snow')?.state]).toEqual([null, null, 'queued'])
  })

  test('without space on the disk, the answer says that it starts by itself', async () => {
    await using world = await plant()
    world.files.folder.freeBytes = async () => 0
    expect(await world.ask()).toMatchObject({
      state: 'waiting',
      message: 'The disk is full. The download starts once there is space.',
    })
  })

  test('a folder that cannot be asked for its space keeps nobody from asking for an episode', async () => {
    await using world = await plant()
    await world.downloads.pauseAll()
    world.files.folder.freeBytes = () => Promise.reject(new Error('no such folder'))
    expect(await world.ask()).toMatchObject({ state: 'queued' })
  })

  test('what is removed while it is downloaded is cancelled, and no rule fetches it again', async () => {
    await using world = await plant()
    world.host.on('/Fog.mp3', never)
    await world.ask()
    await running(world.app)
    await world.downloads.remove(world.episode())
    expect([world.row(), world.episode().removed]).toEqual([null, 1])
  })

  test('a downloaded file that is removed takes its row with it', async () => {
    await using world = await plant()
    await world.ask()
    await world.app.event('downloadFinished')
    expect(world.row()!.state).toBe('done')
    await world.downloads.remove(world.episode())
    expect([world.row(), mp3sBelow(world.files.folder.root)]).toEqual([null, []])
  })
})

describe('what runs', () => {
  test('no more at once than the settings allow, each from a host of its own', async () => {
    await using world = await plant()
    const hosts = [1, 2, 3].map(() => startFeedHost())
    for (const [index, host] of hosts.entries()) {
      const enclosure = host.on('/a.mp3', never)
      await world.app.podcasts.add(host.feed('/feed.xml', rss({ title: `Radio ${index}`, items: [{ enclosure }] })))
    }
    const { store, downloads, app } = world
    const all = store.podcasts.allIds().flatMap(id => store.episodes.knownOf(id).map(known => known.id))
    await downloads.requestAll(all, app.context.admin.id)
    expect(store.downloads.counts({ id: 0, explicit_consent: 1 })).toMatchObject({ running: 1, queued: 3 })
    for (const host of hosts) void host.stop()
  })

  test('another number of the settings applies at once, and none brings back that of the configuration', async () => {
    await using world = await plant()
    const hosts = [1, 2, 3].map(() => startFeedHost())
    for (const [index, host] of hosts.entries()) {
      const enclosure = host.on('/a.mp3', never)
      await world.app.podcasts.add(host.feed('/feed.xml', rss({ title: `Radio ${index}`, items: [{ enclosure }] })))
    }
    const { store, downloads, app } = world
    const all = store.podcasts.allIds().flatMap(id => store.episodes.knownOf(id).map(known => known.id))
    await downloads.requestAll(all.slice(1), app.context.admin.id)
    const counts = () => store.downloads.counts({ id: 0, explicit_consent: 1 })
    expect(counts()).toMatchObject({ running: 1, queued: 2 })
    expect(await app.system.editSettings({ parallelDownloads: 2 })).toMatchObject({ maxParallelDownloads: 2 })
    expect(counts()).toMatchObject({ running: 2, queued: 1 })
    // What runs goes on; nothing more begins.
    expect(await app.system.editSettings({ parallelDownloads: null })).toMatchObject({ maxParallelDownloads: 1 })
    downloads.pump()
    expect(counts()).toMatchObject({ running: 2, queued: 1 })
    await app.system.editSettings({ parallelDownloads: 50 })
    expect(counts()).toEqual({ running: 3 })
    for (const host of hosts) void host.stop()
  })

  test('a row that says it runs, though nobody runs it, is queued again', async () => {
    await using world = await plant()
    await world.downloads.pauseAll()
    await world.ask()
    world.store.downloads.start(world.row()!.id, 0, null)
    world.downloads.pump()
    expect(world.row()!.state).toBe('queued')
  })

  test('nothing starts any more once the server stops', async () => {
    await using world = await plant()
    await world.downloads.stop()
    await world.ask()
    expect(world.row()!.state).toBe('queued')
  })

  test('the bytes of an unfinished file count to its end, but only to the last sync after the machine was off', async () => {
    await using world = await plant({ titles: ['Fog', 'Rain'] })
    const { store, files, host, downloads } = world
    const bytes = noise(300_000)
    for (const title of ['Fog', 'Rain']) host.file(`/${title}.mp3`, bytes, { etag: '"v1"' })
    await downloads.pauseAll()
    files.folder.open()
    for (const [title, boot] of [
      ['Fog', bootId],
      ['Rain', 'another'],
    ] as const) {
      await world.ask(title)
      const { id, eid } = world.row(title)!
      await Bun.write(files.folder.partOf(eid), bytes.slice(0, 200_000))
      store.downloads.start(id, 0, boot)
      store.downloads.checkpoint(id, 100_000)
      store.downloads.describeSource(id, { etag: '"v1"', lastModified: null, total: 300_000 })
    }
    downloads.resumeAll()
    for (const title of ['Fog', 'Rain'])
      await world.app.event('downloadFinished', ({ episodeId }) => episodeId === world.episode(title).id)
    const range = (title: string) => host.requestsTo(`/${title}.mp3`)[0]!.headers.get('range')
    expect([range('Fog'), range('Rain')]).toEqual(['bytes=200000-', 'bytes=100000-'])
  })
})

describe('where a file is put', () => {
  test('never where another download is about to put its own, nor over a foreign file', async () => {
    await using world = await plant({ titles: ['Fog', 'Rain'] })
    const { store, files, downloads, app } = world
    await downloads.pauseAll()
    await world.ask('Rain')
    store.settings.edit({ directPaths: true })
    store.downloads.setTarget(world.row('Rain')!.id, { storage: 'folder', path: 'Radio/Fog.mp3' }, mp3.byteLength)
    store.downloads.setState(world.row('Rain')!.id, 'paused')
    await Bun.write(files.folder.pathOf('Radio/Fog (2).mp3'), 'somebody else’s')
    downloads.resumeAll()
    await world.ask('Fog')
    await app.event('downloadFinished')
    expect(world.episode('Fog').file_path).toBe('Radio/Fog (3).mp3')
    expect(await Bun.file(files.folder.pathOf('Radio/Fog (2).mp3')).text()).toBe('somebody else’s')
  })

  test('the target is in the row before the file is there', async () => {
    await using world = await plant()
    const { files, store } = world
    const { put } = files.folder
    const targets: (string | null)[] = []
    files.folder.put = (part, path) => {
      targets.push(path, store.downloads.findOfEpisode(world.episode().id)!.target_path)
      return put(part, path)
    }
    await world.ask()
    await world.app.event('downloadFinished')
    expect(targets).toEqual(['Radio/Fog/Fog.mp3', 'Radio/Fog/Fog.mp3'])
  })

  // A process was killed at some moment around the move; `received` bytes are on record.
  test.each([
    ['with the .part still there, it is fetched', { received: mp3.length, hasPart: true, isFetched: true }],
    [
      'with another size than was received, it is fetched',
      { received: mp3.length - 1, hasPart: false, isFetched: true },
    ],
    ['complete and moved, it is recorded', { received: mp3.length, hasPart: false, isFetched: false }],
  ])('a file that lies at the target: %s', async (_, { received, hasPart, isFetched }) => {
    await using world = await plant()
    const { store, files, downloads, app, host } = world
    await downloads.pauseAll()
    await world.ask()
    const { id, eid } = world.row()!
    await Bun.write(files.folder.pathOf('Radio/Fog/Fog.mp3'), mp3)
    files.folder.open()
    if (hasPart) await Bun.write(files.folder.partOf(eid), mp3.slice(0, 1000))
    store.downloads.setTarget(id, { storage: 'folder', path: 'Radio/Fog/Fog.mp3' }, received)
    store.downloads.checkpoint(id, received)
    downloads.resumeAll()
    await app.event('downloadFinished')
    expect(mediaRequests(host).length > 0).toBe(isFetched)
  })

  test('a download that is paused while its file is read is finished by the next attempt', async () => {
    await using world = await plant()
    const { app, downloads, host } = world
    const { media } = app.context
    const read = media.factsOf
    const isReading = Promise.withResolvers<void>()
    media.factsOf = () => {
      isReading.resolve()
      return Promise.withResolvers<never>().promise
    }
    await world.ask()
    await isReading.promise
    expect(await downloads.pause(world.row()!)).toMatchObject({ state: 'paused' })
    media.factsOf = read
    downloads.resume(world.row()!, app.context.admin.id)
    await app.event('downloadFinished')
    expect(mediaRequests(host)).toHaveLength(1)
  })
})

describe('cancelled', () => {
  /** A download whose file is in place; nothing is recorded of it yet. */
  async function oncePlaced() {
    const world = await plant()
    const { current } = world.files
    const { put } = current
    const isPlaced = Promise.withResolvers<void>()
    current.put = async (local, path, options) => {
      await put(local, path, options)
      isPlaced.resolve()
      const { promise, reject } = Promise.withResolvers<never>()
      options.signal!.addEventListener('abort', () => reject(options.signal!.reason))
      return promise
    }
    await world.ask()
    await isPlaced.promise
    return world
  }

  test('just as its file was put in place, it leaves no file', async () => {
    await using world = await oncePlaced()
    expect(mp3sBelow(world.files.folder.root)).toEqual(['Radio/Fog/Fog.mp3'])
    await world.downloads.cancel(world.row()!)
    expect(mp3sBelow(world.files.folder.root)).toEqual([])
    expect(existsSync(dirname(world.files.folder.pathOf('Radio/Fog/Fog.mp3')))).toBe(false)
    expect(world.store.forgottenFiles.list()).toEqual([])
  })

  test('just as its file was put in place, a process that is killed right there deletes the file at its next start', async () => {
    await using world = await oncePlaced()
    const { store, files, app, downloads } = world
    const { forgotten, rename, events } = app.context
    const runner = { interrupt: () => Promise.reject(new Error('killed')) }
    const needs = { store, files, forgotten, rename, publish: events.publish, runner }
    expect(await refusal(cancel(needs, world.row()!, true))).toMatchObject({ message: 'killed' })
    expect(mp3sBelow(files.folder.root)).toHaveLength(1)
    await downloads.recover()
    expect(mp3sBelow(files.folder.root)).toEqual([])
  })

  test('is published with no bytes received', async () => {
    await using world = await plant()
    await world.downloads.pauseAll()
    await world.ask()
    await world.downloads.cancel(world.row()!)
    expect(world.app.events.at(-1)).toMatchObject({ type: 'downloadProgress', state: 'cancelled', receivedBytes: 0 })
  })
})

test('a file that is due for deletion stays where a download is about to use its name', async () => {
  await using world = await plant()
  const { store, files, downloads } = world
  await downloads.pauseAll()
  await world.ask()
  await Bun.write(files.folder.pathOf('Radio/Fog.mp3'), mp3)
  store.forgottenFiles.add({ storage: 'folder', path: 'Radio/Fog.mp3' })
  store.downloads.setTarget(world.row()!.id, { storage: 'folder', path: 'Radio/Fog.mp3' }, mp3.byteLength)
  await downloads.recover()
  expect(files.folder.exists('Radio/Fog.mp3')).toBe(true)
  expect(store.forgottenFiles.list()).toEqual([])
})

test('a file that cannot be deleted is tried again at the next start', async () => {
  await using world = await plant()
  const { store, files, downloads, app } = world
  const { remove } = files.folder
  store.forgottenFiles.add({ storage: 'folder', path: 'Radio/Fog.mp3' })
  files.folder.remove = () => Promise.reject(new Error('busy'))
  await downloads.recover()
  expect(app.lines.join('\n')).toContain('File could not be deleted')
  expect(store.forgottenFiles.list()).toEqual([{ storage: 'folder', path: 'Radio/Fog.mp3' }])
  files.folder.remove = remove
  await downloads.recover()
  expect(store.forgottenFiles.list()).toEqual([])
})

test('without its media folder, the queue deletes and starts nothing, and says so once', async () => {
  await using world = await plant()
  const { files, downloads, store, app } = world
  await Bun.write(join(files.folder.root, '.partial/gone.part'), 'x')
  const { isPresent } = files.folder
  files.folder.isPresent = () => false
  await downloads.recover()
  await world.ask()
  downloads.pump()
  expect(world.row()!.state).toBe('queued')
  expect(readdirSync(join(files.folder.root, '.partial'))).toEqual(['gone.part'])
  expect(app.lines.filter(line => line.includes('Media folder is missing'))).toHaveLength(1)
  files.folder.isPresent = isPresent
  world.now.advance(MINUTE)
  downloads.pump()
  expect(store.downloads.find(world.row()!.id)!.state).toBe('running')
  expect(app.lines.filter(line => line.includes('Media folder can be reached again'))).toHaveLength(1)
  await app.event('downloadFinished')
})
