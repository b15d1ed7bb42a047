import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { rss, silentMp3, withChapters, type ItemSpec } from '../../support/builders'
import { startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { startFeedHost, type FeedHost } from '../../support/feed-host'

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toUTCString()

const itemsOf = (host: FeedHost): ItemSpec[] =>
  ['Fog', 'Rain', 'Snow'].map((title, index) => ({
    guid: `guid-${title}`,
    title,
    date: day(20 - index),
    enclosure: host.file(
      `/${title}.mp3`,
      withChapters(silentMp3(5 + index), [{ start: 0, end: 2000, title: `Chapter of ${title}` }]),
    ),
  }))

/** Downloads all of a feed, and deletes the podcast without its files. */
async function keepFiles(app: TestApp, host: FeedHost, items: ItemSpec[]) {
  app.prefill(items.length)
  const feed = host.feed('/feed.xml', rss({ items }))
  const podcast = await app.podcasts.add(feed)
  await app.refreshDue()
  while (app.context.store.episodes.allWithFiles().length < items.length) await Bun.sleep(1)
  const paths = app.context.store.episodes.allWithFiles().map(({ file_path }) => file_path)
  await app.context.downloads.settled()
  await app.podcasts.remove(podcast.id, false)
  app.events.length = 0
  host.requests.length = 0
  return { feed, paths, id: podcast.id }
}

const mediaRequests = (host: FeedHost) => host.requests.filter(({ path }) => path.endsWith('.mp3'))
/** Maps each episode to its current file. */
async function filesOf(app: TestApp, id: string) {
  const { data } = await app.podcasts.episodes(id, {}, null)
  return Object.fromEntries(
    data.map(({ podcastEpisode: episode }) => [
      episode.name,
      app.context.store.episodes.findByEid(episode.episode_id)!.file_path,
    ]),
  )
}
const nothingMore = async (app: TestApp) => {
  await app.refreshDue()
  const addedIds = app.context.store.podcasts
    .allIds()
    .flatMap(id => app.context.store.episodes.knownOf(id).slice(0, 1))
    .map(({ id }) => id)
  await app.context.downloads.listeners.feedApplied({ podcastId: 0, addedIds })
  await app.context.downloads.settled()
}

describe('a podcast that was deleted without its files', () => {
  test.each([0, 3])('finds them when it is added again, and fetches nothing (%i to download)', async prefill => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const { feed, paths } = await keepFiles(app, host, itemsOf(host))
    expect(paths.every(path => existsSync(join(app.folder, 'podcasts', path)))).toBe(true)

    app.prefill(prefill)
    const { id } = await app.podcasts.add(feed)
    while (app.context.store.episodes.allWithFiles().length < 3) await Bun.sleep(1)
    await nothingMore(app)
    expect(mediaRequests(host)).toEqual([])
    const files = await filesOf(app, id)
    expect(Object.keys(files).every(title => files[title]!.includes(title))).toBe(true)
    const { data } = await app.podcasts.episodes(id, {}, null)
    const fog = data.find(({ podcastEpisode }) => podcastEpisode.name === 'Fog')!.podcastEpisode
    expect(fog).toMatchObject({ status: true, total_time: 5, download_state: null, has_chapters: true })
    expect(await app.episodes.chapters(fog.id)).toMatchObject([{ title: 'Chapter of Fog' }])
    expect((await app.fetch(`/media/${fog.episode_id}`)).status).toBe(200)
    // Nobody is notified of what came with a podcast that was just added.
    expect(app.events.filter(({ type }) => type === 'notification')).toEqual([])
  })

  test('finds them wherever the naming of files would put them now', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const { feed, paths } = await keepFiles(app, host, itemsOf(host))
    app.context.store.settings.edit({ directPaths: true, episodeFormat: '{episodeNumber}' })
    app.prefill(0)
    const { id } = await app.podcasts.add(feed)
    while (app.context.store.episodes.allWithFiles().length < 3) await Bun.sleep(1)
    expect(Object.values(await filesOf(app, id)).toSorted()).toEqual(paths.toSorted())
  })

  test('does not take up a file that somebody has changed', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const { feed, paths } = await keepFiles(app, host, itemsOf(host))
    const changed = paths.find(path => path.includes('Fog'))!
    const file = await open(join(app.folder, 'podcasts', changed), 'r+')
    await file.write(Buffer.from('changed'), 0, 7, 30_000)
    await file.close()
    app.prefill(0)
    const { id } = await app.podcasts.add(feed)
    while (app.context.store.episodes.allWithFiles().length < 2) await Bun.sleep(1)
    await nothingMore(app)
    expect(await filesOf(app, id)).toMatchObject({ Fog: null, Rain: expect.any(String), Snow: expect.any(String) })
    // It is nobody's, and stays.
    expect(existsSync(join(app.folder, 'podcasts', changed))).toBe(true)
  })

  test.each([
    ['has the guid of another time', { date: day(25), title: 'Fog' }],
    ['has the guid, but neither title nor address', { title: 'Storm', enclosure: 'https://cdn.example/storm.mp3' }],
    ['has no time any more, and another title', { date: null, title: 'Storm' }],
    ['has another guid', { guid: 'other' }],
  ] as [string, Partial<ItemSpec>][])('never gives a file to an episode that %s', async (_, change) => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const items = itemsOf(host)
    await keepFiles(app, host, items)
    app.prefill(0)
    const feed = host.feed('/feed.xml', rss({ items: [{ ...items[0]!, ...change }, ...items.slice(1)] }))
    const { id } = await app.podcasts.add(feed)
    while (app.context.store.episodes.allWithFiles().length < 2) await Bun.sleep(1)
    await nothingMore(app)
    const files = await filesOf(app, id)
    expect(files[change.title ?? 'Fog']).toBeNull()
    expect(files).toMatchObject({ Rain: expect.stringContaining('Rain'), Snow: expect.stringContaining('Snow') })
  })

  test('gives nothing to another feed that names the same episodes', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const items = itemsOf(host)
    await keepFiles(app, host, items)
    app.prefill(0)
    const { id } = await app.podcasts.add(host.feed('/copy.xml', rss({ items })))
    await nothingMore(app)
    expect(Object.values(await filesOf(app, id))).toEqual([null, null, null])
  })

  test('takes up an episode that was given another title, by its guid, time and address', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const items = itemsOf(host)
    await keepFiles(app, host, items)
    app.prefill(0)
    const { id } = await app.podcasts.add(
      host.feed('/feed.xml', rss({ items: [{ ...items[0]!, title: 'Fog, corrected' }, ...items.slice(1)] })),
    )
    while (app.context.store.episodes.allWithFiles().length < 3) await Bun.sleep(1)
    expect((await filesOf(app, id))['Fog, corrected']).toContain('Fog')
  })

  test('finds the rest of them after a restart', async () => {
    using host = startFeedHost()
    const folder = temporaryFolder()
    {
      await using app = await startTestApp({ folder })
      const { feed } = await keepFiles(app, host, itemsOf(host))
      // The state after a process that ended as soon as the podcast was added.
      app.context.downloads.listeners.feedApplied = async () => {}
      app.prefill(0)
      await app.podcasts.add(feed)
      expect(app.context.store.episodes.allWithFiles()).toEqual([])
    }
    await using app = await startTestApp({ folder })
    await app.context.downloads.recover()
    while (app.context.store.episodes.allWithFiles().length < 3) await Bun.sleep(1)
    expect(mediaRequests(host)).toEqual([])
  })

  test('deleted with its files, later, leaves none of them', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const { feed, paths } = await keepFiles(app, host, itemsOf(host))
    app.prefill(0)
    const { id } = await app.podcasts.add(feed)
    while (app.context.store.episodes.allWithFiles().length < 3) await Bun.sleep(1)
    await app.podcasts.remove(id, true)
    expect(paths.filter(path => existsSync(join(app.folder, 'podcasts', path)))).toEqual([])
  })

  test('leaves a file that another episode has by now', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const { feed, paths } = await keepFiles(app, host, itemsOf(host))
    app.prefill(0)
    const other = host.feed('/other.xml', rss({ title: 'Other', items: [{ title: 'Thief' }] }))
    await app.podcasts.add(other)
    const { store } = app.context
    const fog = paths.find(path => path.includes('Fog'))!
    const [thief] = store.episodes.knownOf(store.podcasts.allIds()[0]!)
    store.episodes.keepFile(thief!.id, { path: fog, size: 1, type: 'audio/mpeg', duration: null, now: 0 })
    const { id } = await app.podcasts.add(feed)
    while (store.episodes.allWithFiles().length < 3) await Bun.sleep(1)
    await nothingMore(app)
    expect((await filesOf(app, id)).Fog).toBeNull()
    expect(app.lines.join('\n')).not.toContain('could not be adopted')
  })

  test('leaves a file that went to somebody else while it was read', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const { feed, paths } = await keepFiles(app, host, itemsOf(host))
    app.prefill(0)
    const { media, store } = app.context
    const read = media.factsOf
    media.factsOf = async (path, type) => {
      for (const kept of paths) store.keptFiles.forget(kept)
      return read(path, type)
    }
    await app.podcasts.add(feed)
    await nothingMore(app)
    expect(store.episodes.allWithFiles()).toEqual([])
  })

  test('forgets them once their episodes have them', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const { feed } = await keepFiles(app, host, itemsOf(host))
    app.prefill(0)
    const { id } = await app.podcasts.add(feed)
    const { store } = app.context
    while (store.episodes.allWithFiles().length < 3) await Bun.sleep(1)
    expect(store.keptFiles.ofPodcast(store.podcasts.allIds()[0]!)).toEqual([])
    expect(store.keptFiles.podcasts()).toEqual([])
    await app.podcasts.remove(id, true)
  })

  test('remembers them while the media folder is away', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const { feed } = await keepFiles(app, host, itemsOf(host))
    app.prefill(0)
    const { files, store, keptFiles } = app.context
    const { isPresent, sizeOf } = files.folder
    files.folder.isPresent = () => false
    files.folder.sizeOf = async () => null
    await app.podcasts.add(feed)
    await nothingMore(app)
    expect(store.episodes.allWithFiles()).toEqual([])
    Object.assign(files.folder, { isPresent, sizeOf })
    await keptFiles.resume()
    expect(store.episodes.allWithFiles()).toHaveLength(3)
  })

  test('adopts no more of them once the server stops', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const { feed } = await keepFiles(app, host, itemsOf(host))
    app.prefill(0)
    const { media, store, keptFiles } = app.context
    const read = media.factsOf
    const isReading = Promise.withResolvers<void>()
    const mayRead = Promise.withResolvers<void>()
    media.factsOf = async (path, type) => {
      isReading.resolve()
      await mayRead.promise
      return read(path, type)
    }
    await app.podcasts.add(feed)
    await isReading.promise
    const stopped = keptFiles.stop()
    mayRead.resolve()
    await stopped
    expect(store.episodes.allWithFiles()).toHaveLength(1)
  })
})
