import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { examineMedia } from '../../../src/server/upkeep/doctor/media'
import { type FileChange, putInPlace } from '../../../src/server/moving/files/put-in-place'
import { inspectFile } from '../../../src/server/moving/files/find-file'
import type { FileWay } from '../../../src/server/moving/needs'
import { refusal, startClock, startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { silentMp3, withChapters } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { reportOf } from '../../support/foreign/dump'
import { writePodgrab } from '../../support/foreign/podgrab'
import { moveIn, openWorld } from './world'
import { openBeside } from '../../support/other-writer'

const sound = silentMp3(2)

/** Writes a file below a folder, with the folders above it. */
function put(folder: string, path: string, bytes: Uint8Array | string = sound) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), bytes)
}

/** A Podgrab whose podcasts have these files, by the id of the episode. */
function writeWithFiles(path: string, origin: string, files: Record<string, { path: string; size?: number | null }>) {
  writePodgrab(path, origin)
  const db = new Database(path)
  const insert = db.query(
    `INSERT INTO podcast_items (id, podcast_id, title, guid, file_url, duration, pub_date, bookmark_date,
       download_path, download_status, file_size)
     VALUES ($id, $podcast, $title, $id, $address, 1800, '2026-01-09 00:00:00+00:00', '0001-01-01', $path, 2, $size)`,
  )
  db.run('DELETE FROM podcast_items')
  for (const [id, { path, size = sound.length }] of Object.entries(files))
    insert.run({
      $id: id,
      $podcast: id.startsWith('a') ? 'p1' : 'p2',
      $title: `Title ${id}`,
      $address: `${origin}/${id}.mp3`,
      $path: path,
      $size: size,
    })
  db.close()
  return path
}

async function startWorld(options: { folder?: string; env?: Record<string, string> } = {}) {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock(), ...options })
  app.prefill(0)
  const folder = temporaryFolder()
  const list = (files: Record<string, { path: string; size?: number | null }>) =>
    writeWithFiles(join(temporaryFolder(), 'podgrab.db'), host.origin, files)
  return {
    host,
    app,
    folder,
    list,
    bring: (path: string, way: FileWay = 'link', from = '/assets', to = folder) =>
      moveIn(app, path, app.context.admin, { folders: [{ from, to }], way }),
    report: () => reportOf(app.folder).filter(line => line.startsWith('files')),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const media = ({ folder }: TestApp) => join(folder, 'podcasts')
const filesOf = ({ context: { store } }: TestApp) =>
  store.episodes
    .allWithFiles()
    .map(({ file_path }) => file_path)
    .toSorted()
const findings = async ({ context: { store, files, now } }: TestApp) =>
  (await examineMedia(store, files, now())).filter(({ level }) => level !== 'fine')

test('files come under our own names, with their length and chapters, as if they had been downloaded', async () => {
  await using world = await startWorld()
  const { app, folder } = world
  const chapters = [{ start: 0, end: 1000, title: 'Fog' }]
  const marked = withChapters(sound, chapters)
  put(folder, 'Alpha/one.mp3', marked)
  // Its feed has dropped this one.
  put(folder, 'Gone/two.mp3')
  const list = world.list({
    a1: { path: '/assets/Alpha/one.mp3', size: marked.length },
    g1: { path: '/assets/Gone/two.mp3' },
  })
  await world.bring(list)
  expect(world.report()).toEqual(['files taken: 2'])
  expect(filesOf(app)).toEqual(['Alpha/Title a1/Title a1.mp3', 'Gone/Title g1/Title g1.mp3'])
  const { store, now } = app.context
  const a1 = store.episodes.findByFile('Alpha/Title a1/Title a1.mp3')!
  expect(store.episodes.find(a1.id)).toMatchObject({
    file_size: marked.length,
    file_type: 'audio/mpeg',
    downloaded_at: now(),
    duration: 2,
    removed: 0,
  })
  expect(store.chapters.of(a1.id)).toMatchObject([{ title: 'Fog' }])
  expect(await findings(app)).toEqual([])
  expect(app.context.retention.due({ byHand: false })).toEqual([])
  expect(readdirSync(join(media(app), '.partial'))).toEqual([])

  await world.bring(list)
  expect(world.report()).toEqual(['files present: 2'])
  expect(filesOf(app)).toHaveLength(2)
})

test('every file that may not be taken is left out, with the reason', async () => {
  await using world = await startWorld()
  const { app, folder } = world
  const outside = temporaryFolder()
  put(outside, 'secret.mp3')
  symlinkSync(join(outside, 'secret.mp3'), join(folder, 'link.mp3'))
  symlinkSync(outside, join(folder, 'away'))
  put(folder, 'text.mp3', 'I am a text, whatever my name says')
  put(folder, 'torso.mp3', sound.subarray(0, 5000))
  put(folder, 'one/twin.mp3')
  put(folder, 'two/twin.mp3')
  put(folder, 'x/other/podcast.mp3')
  mkdirSync(join(folder, 'folder.mp3'))
  await world.bring(
    world.list({
      g01: { path: '/assets/link.mp3' },
      g02: { path: '/assets/away/secret.mp3' },
      g03: { path: `/assets/../${outside.split('/').at(-1)}/secret.mp3` },
      g04: { path: '/assets/text.mp3', size: null },
      g05: { path: '/assets/torso.mp3' },
      g06: { path: '/assets/twin.mp3' },
      g07: { path: '/assets/nothing.mp3' },
      g08: { path: '/assets/folder.mp3' },
      // Every file of that program has this name: its folder is another one.
      g09: { path: '/elsewhere/show/episode/podcast.mp3', size: null },
      g10: { path: 'C:\\Users\\x\\nothing.mp3' },
    }),
  )
  expect(world.report()).toEqual([
    'files left-out incomplete: 1',
    'files left-out no-file: 4',
    'files left-out not-media: 1',
    'files left-out outside-folder: 3',
    'files left-out several-files: 1',
  ])
  expect(filesOf(app)).toEqual([])
  // No episode is made for a file that does not come.
  expect(app.context.store.podcasts.findByFeed(`${world.host.origin}/gone.xml`)!.episode_count).toBe(0)
})

test('a file whose path is another one here is found by name and size, and of twins the one in the same folder', async () => {
  await using world = await startWorld()
  const { app, folder } = world
  put(folder, 'deep/down/short.mp3', silentMp3(1))
  put(folder, 'deep/short.mp3', silentMp3(3))
  put(folder, 'Gone/same.mp3')
  put(folder, 'Else/same.mp3')
  put(folder, 'show/episode/podcast.mp3')
  await world.bring(
    world.list({
      a1: { path: '/storage/emulated/0/short.mp3', size: silentMp3(1).length },
      a2: { path: '/mnt/Gone/same.mp3' },
      a3: { path: 'podcasts/show/episode/podcast.mp3', size: null },
    }),
    'copy',
    '',
  )
  expect(world.report()).toEqual(['files taken: 3'])
  const { store } = app.context
  const sizeOf = (name: string) =>
    store.episodes.find(store.episodes.findByFile(`Alpha/${name}/${name}.mp3`)!.id)!.file_size
  expect(['Title a1', 'Title a2', 'Title a3'].map(sizeOf)).toEqual([silentMp3(1).length, sound.length, sound.length])
})

test.each(['link', 'copy', 'move'] as const)(
  'a link shares its bytes, a copy has its own, a move leaves nothing behind: %s',
  async way => {
    await using world = await startWorld()
    const { app, folder } = world
    put(folder, 'one.mp3')
    const before = statSync(join(folder, 'one.mp3')).ino
    await world.bring(world.list({ a1: { path: '/assets/one.mp3' } }), way)
    const path = 'Alpha/Title a1/Title a1.mp3'
    expect(readFileSync(join(media(app), path))).toEqual(Buffer.from(sound))
    expect(statSync(join(media(app), path)).ino === before).toBe(way !== 'copy')
    expect(existsSync(join(folder, 'one.mp3'))).toBe(way !== 'move')
    const change = app.context.store.moves.changesSince(1, 0, 100).find(({ kind }) => kind === 'file')!
    expect(JSON.parse(change.before!) as FileChange).toMatchObject({
      path,
      way,
      original: join(folder, 'one.mp3'),
    })
  },
)

const isOtherDisk = statSync(tmpdir()).dev !== statSync(temporaryFolder()).dev

test.skipIf(!isOtherDisk)('a move to another disk copies the file, and then removes the original', async () => {
  await using world = await startWorld()
  const { app } = world
  const { mkdtempSync, rmSync } = await import('node:fs')
  const folder = mkdtempSync(join(tmpdir(), 'castellan-other-disk-'))
  try {
    put(folder, 'one.mp3')
    await world.bring(world.list({ a1: { path: '/assets/one.mp3' } }), 'move', '/assets', folder)
    expect(filesOf(app)).toEqual(['Alpha/Title a1/Title a1.mp3'])
    expect(readdirSync(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a file that lies in the media folder already stays where it is', async () => {
  await using world = await startWorld()
  const { app } = world
  put(media(app), 'old/one.mp3')
  put(media(app), '.hidden/two.mp3')
  await world.bring(
    world.list({ a1: { path: '/assets/old/one.mp3' }, a2: { path: '/assets/.hidden/two.mp3' } }),
    'move',
    '/assets',
    media(app),
  )
  expect(world.report()).toEqual(['files left-out outside-folder: 1', 'files taken: 1'])
  expect(filesOf(app)).toEqual(['old/one.mp3'])
  expect(await findings(app)).toEqual([])
  await world.bring(world.list({ a4: { path: '/assets/old/one.mp3' } }), 'link', '/assets', media(app))
  expect(world.report()).toEqual(['files left-out of-another-episode: 1'])
})

test('a full disk leaves the files out, and the next run brings them', async () => {
  const data = temporaryFolder()
  const without = await startWorld({ folder: data, env: { DISK_RESERVE: '1000000' } })
  put(without.folder, 'one.mp3')
  const list = without.list({ a1: { path: '/assets/one.mp3' } })
  await without.bring(list, 'copy')
  expect(without.report()).toEqual(['files left-out disk-full: 1'])
  expect(filesOf(without.app)).toEqual([])
  expect(existsSync(join(media(without.app), 'Alpha'))).toBe(false)
  await without[Symbol.asyncDispose]()

  await using world = await startWorld({ folder: data })
  await world.bring(list, 'copy', '/assets', without.folder)
  expect(world.report()).toEqual(['files taken: 1'])
})

test('a file that somebody deleted here does not come back', async () => {
  await using world = await startWorld()
  const { app, folder } = world
  put(folder, 'one.mp3')
  const list = world.list({ a1: { path: '/assets/one.mp3' } })
  await world.bring(list)
  const { store, downloads } = app.context
  const { id } = store.episodes.findByFile('Alpha/Title a1/Title a1.mp3')!
  await downloads.remove(store.episodes.find(id)!)
  expect(existsSync(join(folder, 'one.mp3'))).toBe(true)
  await world.bring(list)
  expect(world.report()).toEqual(['files left-out deleted-here: 1'])
})

test('a waiting download of an episode ends when its file comes', async () => {
  await using world = await startWorld()
  const { app, folder } = world
  const { store, subscribe, downloads, admin } = app.context
  const podcast = await subscribe(admin, `${world.host.origin}/alpha.xml`)
  const { id } = store.episodes.knownOf(podcast.id).find(({ guid }) => guid === 'a1')!
  downloads.request(store.episodes.find(id)!, admin.id)
  put(folder, 'one.mp3')
  await world.bring(world.list({ a1: { path: '/assets/one.mp3' } }))
  expect(world.report()).toEqual(['files taken: 1'])
  expect(store.downloads.findOfEpisode(id)).toBeNull()
  expect(await findings(app)).toEqual([])
})

test('without a media folder nothing is begun', async () => {
  await using world = await startWorld()
  const { app, folder } = world
  put(folder, 'one.mp3')
  await world.bring(world.list({ a1: { path: '/assets/one.mp3' } }))
  const { rmSync } = await import('node:fs')
  rmSync(media(app), { recursive: true })
  const { moves, admin } = app.context
  const files = { folders: [{ from: '/assets', to: folder }], way: 'link' } as const
  expect(await refusal(moves.start(admin, world.list({}), { files }))).toMatchObject({ code: 'media-folder-absent' })
})

test('a file that has changed since it was looked into is not taken', async () => {
  await using world = await startWorld()
  const { app, folder } = world
  put(folder, 'one.mp3')
  const found = await inspectFile(realpathSync(folder), join(folder, 'one.mp3'), null)
  if ('reason' in found) throw new Error(found.reason)
  for (const way of ['link', 'copy'] as const) {
    truncateSync(join(folder, 'one.mp3'), 4000)
    const placed = await putInPlace({ files: app.context.files.folder, reserveBytes: 0 }, found, {
      target: 'x/one.mp3',
      name: 'one',
      way,
    })
    expect(placed).toEqual({ reason: 'changed-file' })
  }
  expect(existsSync(join(media(app), 'x'))).toBe(false)
})

test('an original is removed even if the process ended right before that', async () => {
  await using world = await startWorld()
  const { app, folder } = world
  const { moves, store } = app.context
  put(folder, 'one.mp3')
  const list = world.list({ a1: { path: '/assets/one.mp3' } })
  await world.bring(list, 'move')
  put(folder, 'one.mp3')
  const move = store.moves.find(1)!
  mkdirSync(join(app.folder, 'moving', move.uuid))
  copyFileSync(list, join(app.folder, 'moving', move.uuid, 'source'))
  using db = openBeside(join(app.folder, 'castellan.db'))
  db.run(`UPDATE move SET state = 'applying'`)
  moves.resume()
  await moves.settled()
  expect(existsSync(join(folder, 'one.mp3'))).toBe(false)
  expect(filesOf(app)).toHaveLength(1)
})
