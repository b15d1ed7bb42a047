import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { examineMedia } from '../../../src/server/upkeep/doctor/media'
import { readFileName } from '../../../src/server/moving/scan-folder'
import type { FileWay } from '../../../src/server/moving/needs'
import { refusal, startClock, startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { paintCover } from '../../../src/server/demo/feeds'
import { startFeedHost } from '../../support/feed-host'
import { reportOf } from '../../support/foreign/dump'

const sound = silentMp3(1)
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

/** An MP3 with an ID3 tag of these frames. */
function tagged(frames: Record<string, string | Buffer>): Uint8Array {
  const bodies = Object.entries(frames).map(([id, text]) => {
    const value = typeof text === 'string' ? Buffer.concat([Buffer.from([3]), Buffer.from(text)]) : text
    const head = Buffer.alloc(10)
    head.write(id, 'latin1')
    // Seven bits in each byte.
    head.set(
      [21, 14, 7, 0].map(shift => (value.length >>> shift) & 127),
      4,
    )
    return Buffer.concat([head, value])
  })
  const body = Buffer.concat(bodies)
  const size = [21, 14, 7, 0].map(shift => (body.length >>> shift) & 127)
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, ...size]), body, sound])
}

function put(folder: string, path: string, bytes: Uint8Array | string = sound, at = day('2020-02-02')) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), bytes)
  utimesSync(join(folder, path), at / 1000, at / 1000)
}

async function bring({ context }: TestApp, folder: string, title: string | null = null, way: FileWay = 'link') {
  await context.moves.startFolder(context.admin, folder, title, way)
  context.moves.resume()
  await context.moves.settled()
}

const library = ({ context: { store } }: TestApp) =>
  store.podcasts.allWithFolders().map(({ id, title }) => ({
    title,
    episodes: store.episodes
      .knownOf(id)
      .map(one => store.episodes.find(one.id)!)
      .toSorted((one, other) => one.published_at - other.published_at)
      .map(
        one =>
          `${new Date(one.published_at).toISOString().slice(0, 10)} ${one.title}${one.file_path ? '' : ' (no file)'}`,
      ),
  }))

test('a folder of files becomes a podcast, with titles and days of its tags or names', async () => {
  await using app = await startTestApp({ now: startClock() })
  const folder = join(temporaryFolder(), 'Night Watch')
  put(folder, '2021-03-04 The Lamp.mp3')
  put(folder, '012 - The Fog.mp3')
  put(folder, '013 - The Boat.mp3')
  put(folder, 'x9.mp3', tagged({ TIT2: 'The Keeper', TDRC: '2022-05-06', TRCK: '7' }))
  put(folder, 'cover.jpg', 'no picture')
  put(folder, 'notes.mp3', 'no sound')
  await bring(app, folder)
  expect(library(app)).toEqual([
    {
      title: 'Night Watch',
      episodes: ['2020-02-02 The Fog', '2020-02-02 The Boat', '2021-03-04 The Lamp', '2022-05-06 The Keeper'],
    },
  ])
  const { store, files, now } = app.context
  expect((await examineMedia(store, files, now())).filter(({ level }) => level !== 'fine')).toEqual([])
  expect(existsSync(join(app.folder, 'podcasts/Night Watch/The Fog/The Fog.mp3'))).toBe(true)
  expect(store.episodes.allWithFiles()).toHaveLength(4)

  await bring(app, folder)
  expect(reportOf(app.folder)).toEqual(['files present: 4', 'podcasts present: 1', 'subscriptions present: 1'])
})

test('each folder with sound in it is a podcast of its own, unless a title makes one of all', async () => {
  const folder = temporaryFolder()
  put(folder, 'One/a.mp3')
  put(folder, 'One/Season 2/b.mp3')
  put(folder, 'Two/c.mp3', tagged({ TALB: 'Second Sight' }))
  put(folder, 'Empty/readme.txt', 'hello')
  {
    await using app = await startTestApp({ now: startClock() })
    await bring(app, folder)
    expect(library(app).map(({ title, episodes }) => `${title} ${episodes.length}`)).toEqual([
      'One 2',
      'Second Sight 1',
    ])
  }
  await using app = await startTestApp({ now: startClock() })
  await bring(app, folder, 'All of it')
  expect(library(app).map(({ title, episodes }) => `${title} ${episodes.length}`)).toEqual(['All of it 3'])
})

test('files that all have one title are named after their files', async () => {
  await using app = await startTestApp({ now: startClock() })
  const folder = join(temporaryFolder(), 'Talks')
  put(folder, '1. First.mp3', tagged({ TIT2: 'Talks' }))
  put(folder, '2. Second.mp3', tagged({ TIT2: 'Talks' }))
  await bring(app, folder)
  expect(library(app)[0]!.episodes).toEqual(['2020-02-02 First', '2020-02-02 Second'])
})

test('files of a podcast that is here become those of its episodes', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const item = (name: string, title: string, date: string) => ({
    guid: name,
    title,
    enclosure: `${host.origin}/${name}.mp3`,
    date: new Date(day(date)).toUTCString(),
  })
  const items = [
    item('s1e1', 'Pilot', '2019-01-01'),
    item('x2', 'Weekly', '2019-01-08'),
    item('x3', 'Weekly', '2019-01-15'),
    item('x4', 'What is: fog?', '2019-01-22'),
  ]
  const { admin, subscribe, store } = app.context
  const podcast = await subscribe(admin, host.feed('/f.xml', rss({ title: 'Night Watch', items })))
  const folder = join(temporaryFolder(), 'night watch')
  put(folder, 's1e1.mp3')
  put(folder, '2019-01-15 Weekly.mp3')
  put(folder, 'What is- fog-.mp3')
  put(folder, 'Lost one.mp3')
  await bring(app, folder)
  expect(library(app)).toEqual([
    {
      title: 'Night Watch',
      episodes: [
        '2019-01-01 Pilot',
        '2019-01-08 Weekly (no file)',
        '2019-01-15 Weekly',
        '2019-01-22 What is: fog?',
        '2020-02-02 Lost one',
      ],
    },
  ])
  expect(store.podcasts.find(podcast.id)).toMatchObject({ active: 1, feed_url: `${host.origin}/f.xml` })
})

test('files of the media folder itself stay where they are', async () => {
  await using app = await startTestApp({ now: startClock() })
  const folder = join(app.folder, 'podcasts/Old Show')
  put(folder, 'one.mp3')
  const before = statSync(join(folder, 'one.mp3')).ino
  await bring(app, folder, null, 'move')
  expect(app.context.store.episodes.allWithFiles()).toMatchObject([{ file_path: 'Old Show/one.mp3' }])
  expect(statSync(join(folder, 'one.mp3')).ino).toBe(before)
})

async function startWithFolder() {
  const app = await startTestApp({ now: startClock() })
  const folder = join(temporaryFolder(), 'Files')
  put(folder, 'one.mp3')
  // From now on everything is passed on to phones.
  app.context.sync.begin(app.context.admin)
  await bring(app, folder)
  const { store } = app.context
  return { app, podcast: store.podcasts.find(store.podcasts.allWithFolders()[0]!.id)! }
}

test('a podcast without a feed is never requested, and cannot be checked', async () => {
  const { app, podcast } = await startWithFolder()
  await using _ = app
  const { store, refresh, now } = app.context
  expect(await app.podcasts.find(podcast.uuid)).toMatchObject({
    rssfeed: '',
    feed_state: 'none',
    active: false,
    favorites: true,
  })
  expect(await refresh.refresh(podcast.id, { isAsked: true })).toMatchObject({ result: 'unchanged' })
  expect(await refusal(app.podcasts.setActive(podcast.uuid, true))).toMatchObject({ code: 'invalid-field' })
  expect(store.podcasts.due(now() + 1e12, true, 10)).toEqual([])
})

test('no podcast app learns of a podcast without a feed, nor of what was played and liked of it', async () => {
  const { app, podcast } = await startWithFolder()
  await using _ = app
  const { store, sync, admin, playback, now } = app.context
  expect(store.sync.podcastsOf(admin.id, true)).toEqual([])
  expect(store.sync.subscriptions(admin.id)).toEqual([])
  expect(store.sync.podcasts(admin)).toEqual([])
  const [episode] = store.episodes.knownOf(podcast.id)
  playback.record(admin.id, store.episodes.find(episode!.id)!, { position: 1, at: now() })
  expect(store.sync.actions(admin.id, { since: 0, podcast: null })).toHaveLength(1)
  expect(sync.actions.since(admin, { since: 0 }).actions).toEqual([])
  store.episodes.likeAll(admin.id, [episode!.id], true, now())
  expect(store.sync.liked(admin)).toEqual([])
})

test('lists of original addresses leave out a podcast without a feed, and its private feed names no folder', async () => {
  const { app, podcast } = await startWithFolder()
  await using _ = app
  const online = await (await app.fetch('/api/v1/settings/opml/online')).text()
  expect(online).not.toContain('castellan-folder')
  expect(online).not.toContain('Files')
  expect(await (await app.fetch('/api/v1/settings/opml/local')).text()).toContain('Files')
  const own = new URL((await app.podcasts.find(podcast.uuid)).podfetch_feed)
  const feed = await (await app.fetch(own.pathname + own.search)).text()
  expect(feed).toContain('<title>one</title>')
  expect(feed).not.toContain('castellan-folder')
})

const picture = paintCover(1, [250, 240, 30], [10, 10, 10])
const frame = Buffer.concat([Buffer.from([0]), Buffer.from('image/png\0'), Buffer.from([3, 0]), picture])

test.each([
  ['beside the files', { 'Folder.PNG': picture, 'one.mp3': sound }],
  ['in their tags', { 'one.mp3': tagged({ APIC: frame }) }],
])('the cover is the picture %s', async (_, written) => {
  await using app = await startTestApp({ now: startClock() })
  const folder = join(temporaryFolder(), 'Files')
  for (const [name, bytes] of Object.entries(written)) put(folder, name, bytes)
  await bring(app, folder)
  const [podcast] = await app.podcasts.list()
  expect(podcast!.original_image_url).toBe(podcast!.image_url)
  const { data } = await app.podcasts.episodes(podcast!.id, {}, null)
  expect(data[0]!.podcastEpisode.image_url).toBe(podcast!.image_url)
  const { pathname, search } = new URL(podcast!.image_url, 'http://localhost')
  const response = await app.fetch(pathname + search)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(app.context.store.covers.due(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 10)).toEqual([])
})

test('a file that calls itself a cover and is none leaves the podcast without', async () => {
  await using app = await startTestApp({ now: startClock() })
  const folder = join(temporaryFolder(), 'Files')
  put(folder, 'cover.jpg', '<svg/>')
  put(folder, 'one.mp3')
  await bring(app, folder)
  expect(app.context.store.podcasts.find(1)!.image_url).toBeNull()
  expect(reportOf(app.folder)).toContain('files taken: 1')
})

test('a deleted file cannot be downloaded, and comes back with its folder', async () => {
  await using app = await startTestApp({ now: startClock() })
  const folder = join(temporaryFolder(), 'Files')
  put(folder, 'one.mp3')
  await bring(app, folder)
  const { store, downloads, admin } = app.context
  const episode = () => store.episodes.find(store.episodes.knownOf(1)[0]!.id)!
  await downloads.remove(episode())
  expect(await refusal(downloads.request(episode(), admin.id))).toMatchObject({ code: 'media-unreachable' })
  expect((await downloads.requestAll([episode().id], admin.id)).queued).toBe(0)
  await bring(app, folder)
  expect(episode()).toMatchObject({ file_path: 'Files/one/one.mp3', removed: 0 })
})

test('a folder that is given a feed is checked from then on', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const folder = join(temporaryFolder(), 'Files')
  put(folder, 'one.mp3')
  await bring(app, folder)
  const [{ id } = { id: '' }] = await app.podcasts.list()
  const changed = await app.podcasts.changeFeed(
    id,
    host.feed('/f.xml', rss({ title: 'Files', items: [{ guid: 'new' }] })),
  )
  expect(changed).toMatchObject({ rssfeed: `${host.origin}/f.xml`, feed_state: 'ok', active: true, episode_count: 2 })
  await bring(app, folder)
  expect(reportOf(app.folder)).toContain('files present: 1')
})

test('no rule deletes the only copy of a file, unless the podcast says so', async () => {
  const now = startClock()
  await using app = await startTestApp({ now })
  const folder = join(temporaryFolder(), 'Files')
  put(folder, 'one.mp3')
  await bring(app, folder)
  now.advance(400 * 86_400_000)
  expect(app.context.retention.due()).toEqual([])
  expect(app.context.retention.due({ byHand: false })).toEqual([])
})

test('a folder without sound is refused', async () => {
  await using app = await startTestApp()
  const folder = temporaryFolder()
  put(folder, 'one.mp3', 'no sound')
  expect(await refusal(bring(app, folder))).toMatchObject({ message: `${folder} contains no audio or video` })
  expect(await refusal(app.context.moves.start(app.context.admin, folder, { from: 'folder' }))).toMatchObject({
    message: `${folder} is not a folder`,
  })
})

test('names of files say their date, number and title', () => {
  const cases: Record<string, ReturnType<typeof readFileName>> = {
    '2021-03-04 Title.mp3': { title: 'Title', at: day('2021-03-04'), number: null },
    '20210304_Some_title.m4a': { title: 'Some title', at: day('2021-03-04'), number: null },
    '2021.03.04 - 12. Title.mp3': { title: 'Title', at: day('2021-03-04'), number: 12 },
    '012 - Title.mp3': { title: 'Title', at: null, number: 12 },
    '007 Title.mp3': { title: 'Title', at: null, number: 7 },
    '24 hours.mp3': { title: '24 hours', at: null, number: null },
    '2021-13-40 Title.mp3': { title: '2021-13-40 Title', at: null, number: null },
    '2021-03-04.mp3': { title: '2021-03-04', at: day('2021-03-04'), number: null },
    'Title (part 2).final.mp3': { title: 'Title (part 2).final', at: null, number: null },
  }
  for (const [name, facts] of Object.entries(cases)) expect([name, readFileName(name)]).toEqual([name, facts])
})
