import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { refusal, startClock, startTestApp } from '../../support/app'
import { rss, silentMp3, type ItemSpec } from '../../support/builders'
import { serveBytes, startFeedHost } from '../../support/feed-host'
import { openBeside } from '../../support/other-writer'

const DAY = 86_400_000
const start = Date.UTC(2026, 0, 1, 6)
const dateOf = (day: number) => new Date(start + day * DAY).toUTCString()

/** A podcast of some episodes, of which a test edits the items by their titles. */
async function startPodcast(extra = '', titles = ['Fog', 'Rain', 'Snow', 'Wind', 'Hail', 'Sun']) {
  const host = startFeedHost()
  const clock = startClock(start + 30 * DAY)
  const app = await startTestApp({ now: clock })
  app.prefill(0)
  let items: ItemSpec[] = titles.map((title, index) => {
    const bytes = silentMp3(5 + index)
    const enclosure = host.on(`/${title}.mp3`, request => serveBytes(request, bytes, 'audio/mpeg', `"${title}"`))
    return { guid: `guid-${title}`, title, date: dateOf(20 - index), enclosure, length: bytes.byteLength }
  })
  const feed = host.on('/feed.xml', () => new Response(rss({ items, extra })))
  const { id } = await app.podcasts.add(feed)
  const list = async () => (await app.podcasts.episodes(id, {}, null)).data.map(({ podcastEpisode }) => podcastEpisode)
  return {
    app,
    host,
    clock,
    id,
    list,
    find: async (name: string) => (await list()).find(episode => episode.name === name)!,
    /** As after an update from an earlier release. */
    seekTwinsAgain() {
      using db = openBeside(join(app.folder, 'castellan.db'))
      db.run('UPDATE podcast SET twins_sought = 0')
    },
    podcastId: () => app.context.store.podcasts.findVisible(app.context.admin, id)!.id,
    async read(change: (items: readonly ItemSpec[]) => ItemSpec[]) {
      items = change(items)
      clock.advance(DAY)
      return app.context.refresh.refresh(app.context.store.podcasts.findVisible(app.context.admin, id)!.id, {
        isAsked: true,
      })
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const edit = (title: string, more: Partial<ItemSpec>) => (items: readonly ItemSpec[]) =>
  items.map(item => (item.title === title ? { ...item, ...more } : item))
const history = (app: Awaited<ReturnType<typeof startTestApp>>, eid: string) => app.episodes.find(eid)

test('an episode that is taken out and published again stays played, and nobody hears of it as new', async () => {
  await using podcast = await startPodcast()
  const { app, host } = podcast
  const rain = await podcast.find('Rain')
  await app.playback.save({ podcastEpisodeId: rain.episode_id, time: 3, total: 5, finished: true })
  const events = app.events.length

  const again = { guid: 'wp-7', enclosure: host.file('/uploads/r.mp3', silentMp3(6)), length: 70_000, date: dateOf(29) }
  expect(await podcast.read(edit('Rain', again))).toMatchObject({ result: 'updated', added: 0 })

  const row = await podcast.find('Rain')
  expect(row).toMatchObject({
    episode_id: rain.episode_id,
    guid: 'wp-7',
    first_published: new Date(start + 19 * DAY).toISOString(),
  })
  expect((await history(app, rain.episode_id)).podcastHistoryItem).toMatchObject({ finished: true })
  expect(await podcast.list()).toHaveLength(6)
  expect(app.events.slice(events).filter(({ type }) => type === 'addedEpisodes')).toEqual([])
  expect((await podcast.find('Snow')).first_published).toBeNull()
})

test('a move of the whole feed, a corrected hour and a typo are not published again', async () => {
  await using podcast = await startPodcast()
  await podcast.read(items => items.map(item => ({ ...item, guid: `new-${item.title}`, date: dateOf(25) })))
  await podcast.read(edit('Rain', { title: 'Rain!', date: dateOf(25.2) }))
  expect((await podcast.list()).filter(row => row.first_published !== null || row.newer_recording)).toEqual([])
})

test('a title that goes out of the bottom of the feed while a new one comes is another episode', async () => {
  await using podcast = await startPodcast()
  const added = { guid: 'new', title: 'Sun', date: dateOf(30), enclosure: 'https://cdn.example/sun.mp3' }
  expect(await podcast.read(items => [added, ...items.slice(0, -1)])).toMatchObject({ added: 1 })
})

test('a newer recording is offered, fetched on demand, and takes the place of the old file', async () => {
  await using podcast = await startPodcast()
  const { app, host } = podcast
  const rain = await podcast.find('Rain')
  const downloaded = app.event('downloadFinished')
  await app.episodes.download(rain.episode_id)
  await downloaded
  await app.context.downloads.settled()
  await app.playback.save({ podcastEpisodeId: rain.episode_id, time: 3, total: 6, finished: false })
  const fileOf = () => app.context.store.episodes.findByEid(rain.episode_id)!.file_path!
  const [old, bytes] = [fileOf(), silentMp3(9)]
  const pathOf = (path: string) => join(app.folder, 'podcasts', path)

  const enclosure = host.on('/rain-remastered.mp3', request => serveBytes(request, bytes, 'audio/mpeg', '"9"'))
  await podcast.read(edit('Rain', { enclosure, length: bytes.byteLength }))
  expect(await podcast.find('Rain')).toMatchObject({ newer_recording: true, status: true, first_published: null })
  expect(fileOf()).toBe(old)
  expect(host.requests.filter(({ path }) => path === '/rain-remastered.mp3')).toEqual([])

  const replaced = app.event('downloadFinished')
  expect(await app.episodes.fetchNewer(rain.episode_id)).toMatchObject({ episode_id: rain.episode_id })
  await replaced
  await app.context.downloads.settled()
  expect(await podcast.find('Rain')).toMatchObject({
    newer_recording: false,
    status: true,
    file_size: bytes.byteLength,
  })
  expect([existsSync(pathOf(old)), existsSync(pathOf(fileOf()))]).toEqual([false, true])
  expect((await history(app, rain.episode_id)).podcastHistoryItem).toMatchObject({ position: 3, finished: false })
})

test('a newer recording that cannot be fetched, or is given up, leaves the old file', async () => {
  await using podcast = await startPodcast()
  const { app, host } = podcast
  const rain = await podcast.find('Rain')
  const downloaded = app.event('downloadFinished')
  await app.episodes.download(rain.episode_id)
  await downloaded
  await app.context.downloads.settled()
  const enclosure = host.on('/gone.mp3', () => new Response('gone', { status: 404 }))
  await podcast.read(edit('Rain', { enclosure, length: 77_777 }))
  await app.episodes.fetchNewer(rain.episode_id)
  await app.context.downloads.settled()
  expect(await podcast.find('Rain')).toMatchObject({ status: true, newer_recording: true })

  const row = app.context.store.downloads.findOfEpisode(app.context.store.episodes.findByEid(rain.episode_id)!.id)!
  await app.context.downloads.cancel(row)
  expect(await podcast.find('Rain')).toMatchObject({ status: true, newer_recording: true, deleted: false })
})

test('another address for all of a feed offers no newer recordings', async () => {
  await using podcast = await startPodcast()
  const { app } = podcast
  const { store } = app.context
  await podcast.read(edit('Fog', { notes: 'Edited' }))
  for (const { id } of store.episodes.knownOf(podcast.podcastId()))
    store.episodes.keepFile(id, { path: `${id}.mp3`, size: 1, type: 'audio/mpeg', now: 1, duration: null })
  await podcast.read(items =>
    items.map(item => ({ ...item, enclosure: item.enclosure!.replace('.mp3', '-ads.mp3'), length: item.length! + 99 })),
  )
  expect((await podcast.list()).filter(row => row.newer_recording)).toEqual([])
})

test('what a person found to be two episodes stays two, through ten readings and a move', async () => {
  await using podcast = await startPodcast()
  const { app } = podcast
  const rain = await podcast.find('Rain')
  await app.playback.save({ podcastEpisodeId: rain.episode_id, time: 3, total: 6, finished: true })
  await podcast.read(edit('Rain', { date: dateOf(29), length: 66_000, title: 'Rain, live' }))
  expect((await podcast.find('Rain, live')).first_published).not.toBeNull()

  const { podcastEpisode: live } = await app.episodes.split(rain.episode_id)
  expect(live).toMatchObject({ name: 'Rain, live', guid: 'guid-Rain', first_published: null })
  expect(await podcast.find('Rain')).toMatchObject({ episode_id: rain.episode_id, first_published: null })
  const isPlayed = async (eid: string) => (await history(app, eid)).podcastHistoryItem?.finished ?? false
  expect([await isPlayed(rain.episode_id), await isPlayed(live.episode_id)]).toEqual([true, false])
  expect(await refusal(app.episodes.split(rain.episode_id))).toMatchObject({ code: 'episode-not-found' })

  podcast.seekTwinsAgain()
  for (let reading = 0; reading < 9; reading++)
    expect(await podcast.read(edit('Hail', { notes: `Edited ${reading}` }))).toMatchObject({ added: 0 })
  await podcast.read(items =>
    items.map(item => ({
      ...item,
      guid: `moved-${item.title}`,
      enclosure: `https://new.example/${encodeURI(item.title!)}`,
      date: new Date(Date.parse(item.date!) + 25 * 3600_000).toUTCString(),
    })),
  )
  podcast.seekTwinsAgain()
  await podcast.read(edit('Hail', { notes: 'Edited again' }))
  expect((await podcast.list()).map(({ name }) => name).toSorted()).toEqual(
    ['Fog', 'Hail', 'Rain', 'Rain, live', 'Snow', 'Sun', 'Wind'].toSorted(),
  )
  expect(await podcast.find('Rain, live')).toMatchObject({ episode_id: live.episode_id, guid: 'moved-Rain, live' })
})

test('a file that goes to the newer of two episodes leaves nothing with the older', async () => {
  await using podcast = await startPodcast()
  const { app } = podcast
  const rain = await podcast.find('Rain')
  await podcast.read(edit('Rain', { date: dateOf(29), length: 66_000, title: 'Rain, live' }))
  const { store } = app.context
  const idOf = (eid: string) => store.episodes.findByEid(eid)!.id
  const at = Date.now() + 1e9
  const file = { path: 'Rain.mp3', size: 1, type: 'audio/mpeg', now: at, duration: null }
  store.episodes.keepFile(idOf(rain.episode_id), file)
  const { podcastEpisode: live } = await app.episodes.split(rain.episode_id)
  const [older, newer] = [rain.episode_id, live.episode_id].map(eid => store.episodes.find(idOf(eid))!)
  expect(newer).toMatchObject({ file_path: 'Rain.mp3', downloaded_at: at })
  expect(older).toMatchObject({ file_path: null, file_type: null, downloaded_at: null })
})

test('what a person found to be one episode stays one, with what was heard, through ten readings and a move', async () => {
  await using podcast = await startPodcast()
  const { app } = podcast
  const [rain, wind] = [await podcast.find('Rain'), await podcast.find('Wind')]
  await app.playback.save({ podcastEpisodeId: rain.episode_id, time: 3, total: 6, finished: true })
  const { podcastEpisode: one } = await app.episodes.join(rain.episode_id, wind.episode_id)
  expect(await podcast.list()).toHaveLength(5)
  expect((await history(app, one.episode_id)).podcastHistoryItem).toMatchObject({ finished: true })
  expect(one.first_published).not.toBeNull()
  expect(await refusal(app.episodes.join(one.episode_id, one.episode_id))).toMatchObject({ code: 'episode-not-found' })

  for (let reading = 0; reading < 9; reading++)
    expect(await podcast.read(edit('Hail', { notes: `Edited ${reading}` }))).toMatchObject({ added: 0 })
  const moved = await podcast.read(items =>
    items.map(item => ({
      ...item,
      guid: `moved-${item.title}`,
      enclosure: `https://new.example/${item.title}`,
      date: new Date(Date.parse(item.date!) + 25 * 3600_000).toUTCString(),
    })),
  )
  expect(moved).toMatchObject({ added: 0 })
  await podcast.read(edit('Rain', { notes: 'Edited at last' }))
  expect(await podcast.list()).toHaveLength(5)
  expect((await history(app, one.episode_id)).podcastHistoryItem).toMatchObject({ finished: true })

  const { podcastEpisode: other } = await app.episodes.split(one.episode_id)
  expect(await podcast.list()).toHaveLength(6)
  expect(await podcast.read(edit('Hail', { notes: 'The last' }))).toMatchObject({ added: 0 })
  expect((await app.episodes.find(other.episode_id)).podcastEpisode.guid).toStartWith('moved-')
})

test.each(['Rain', 'Wind'])(
  'two episodes become one while the file of %s is on its way, and the one gets it',
  async name => {
    await using podcast = await startPodcast()
    const { app, host } = podcast
    const { store } = app.context
    const gate = Promise.withResolvers<void>()
    const isAsked = Promise.withResolvers<void>()
    const bytes = silentMp3(8)
    const enclosure = host.on('/slow.mp3', async request => {
      isAsked.resolve()
      await gate.promise
      return serveBytes(request, bytes, 'audio/mpeg', '"slow"')
    })
    await podcast.read(edit(name, { enclosure, length: bytes.byteLength }))
    const [rain, wind] = [await podcast.find('Rain'), await podcast.find('Wind')]
    const finished = app.event('downloadFinished')
    await app.episodes.download((name === 'Rain' ? rain : wind).episode_id)
    await isAsked.promise
    const { podcastEpisode: one } = await app.episodes.join(rain.episode_id, wind.episode_id)
    gate.resolve()
    await finished
    await app.context.downloads.settled()
    const row = store.episodes.findByEid(one.episode_id)!
    expect(existsSync(join(app.folder, 'podcasts', row.file_path!))).toBe(true)
    expect(store.downloads.findOfEpisode(row.id)).toMatchObject({ state: 'done' })
    expect(store.episodes.allWithFiles()).toHaveLength(1)
  },
)

test('a trailer that a person found to be an episode comes back as neither', async () => {
  await using podcast = await startPodcast(
    `<podcast:trailer url="https://cdn.example/trailer.mp3" pubdate="${dateOf(1)}" type="audio/mpeg">Soon</podcast:trailer>`,
  )
  const { app } = podcast
  const [rain, trailer] = [await podcast.find('Rain'), await podcast.find('Soon')]
  const { podcastEpisode: one } = await app.episodes.join(rain.episode_id, trailer.episode_id)
  expect(one).toMatchObject({ name: 'Rain', guid: 'guid-Rain' })
  for (let reading = 0; reading < 3; reading++)
    expect(await podcast.read(edit('Rain', { notes: `Edited ${reading}` }))).toMatchObject({ added: 0 })
  expect(await podcast.list()).toHaveLength(6)
})

test('a server that stops after two episodes became one, while a file was on its way, fetches it at its next start', async () => {
  const podcast = await startPodcast()
  const { app, host, clock } = podcast
  const bytes = silentMp3(8)
  const isAsked = Promise.withResolvers<void>()
  let isStuck = true
  const enclosure = host.on('/slow.mp3', request => {
    isAsked.resolve()
    return isStuck ? new Promise<Response>(() => {}) : serveBytes(request, bytes, 'audio/mpeg', '"slow"')
  })
  await podcast.read(edit('Rain', { enclosure, length: bytes.byteLength }))
  const [rain, wind] = [await podcast.find('Rain'), await podcast.find('Wind')]
  await app.episodes.download(rain.episode_id)
  await isAsked.promise
  const { podcastEpisode: one } = await app.episodes.join(rain.episode_id, wind.episode_id)
  await app[Symbol.asyncDispose]()

  isStuck = false
  await using next = await startTestApp({ folder: app.folder, now: clock })
  await next.context.downloads.recover()
  next.context.downloads.pump()
  await next.context.downloads.settled()
  const { store } = next.context
  const row = store.episodes.findByEid(one.episode_id)!
  expect(store.downloads.findOfEpisode(row.id)).toMatchObject({ state: 'done' })
  expect(existsSync(join(app.folder, 'podcasts', row.file_path!))).toBe(true)
  expect(await next.context.files.folder.strayParts(new Set())).toEqual([])
  host.stop()
})
