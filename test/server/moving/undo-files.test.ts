import { expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { examineMedia } from '../../../src/server/upkeep/doctor/media'
import type { FileWay } from '../../../src/server/moving/needs'
import { startClock, startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { silentMp3, withChapters } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { writePodfetch } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { paintCover } from '../../../src/server/demo/feeds'
import { wholeDumpOf } from '../../support/whole-dump'
import { fillLibrary } from './fill'
import { moveIn, openWorld, undoLatest, undoneOf } from './world'
import { openBeside } from '../../support/other-writer'

const chapters = [{ start: 0, end: 1000, title: 'Fog' }]
const sound = withChapters(silentMp3(2), chapters)
const picture = paintCover(1, [250, 240, 30], [10, 10, 10])
const ways = ['link', 'copy', 'move'] as const

function put(folder: string, path: string, bytes: Uint8Array | string = sound) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), bytes)
}

/** Names and bytes of all files of a folder, but for our mark in it. */
const treeOf = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name !== '.castellan' && statSync(join(folder, name)).isFile())
    .map(name => `${name} ${Bun.hash(readFileSync(join(folder, name)))}`)
    .sort()

async function startUndoing() {
  const host = startFeedHost()
  openWorld(host)
  const clock = startClock()
  const app = await startTestApp({ now: clock })
  app.prefill(0)
  const root = temporaryFolder()
  mkdirSync(join(root, 'podcasts'))
  const path = writePodfetch(join(root, 'podcast.db'), host.origin, 'C')
  changeForeign(path, `UPDATE podcast_episodes SET file_episode_path = NULL, download_location = NULL`)
  const source = join(root, 'podcasts')
  return {
    host,
    clock,
    app,
    source,
    media: join(app.folder, 'podcasts'),
    /** Gives the source files of these episodes, and brings them. */
    async bring(names: readonly string[], way: FileWay, folder = source) {
      for (const name of names) {
        if (folder === source) put(source, `${name}.mp3`)
        changeForeign(
          path,
          `UPDATE podcast_episodes SET file_episode_path = 'podcasts/${name}.mp3', download_location = 'Local'
            WHERE url LIKE '%/${name}.mp3'`,
        )
      }
      await moveIn(app, path, app.context.admin, { folders: [{ from: 'podcasts', to: folder }], way }, true)
      const { store } = app.context
      expect(store.moves.changesSince(1, 0, 1000).filter(({ kind }) => kind === 'file')).toHaveLength(names.length)
    },
    /** The path in the media folder of the file that the last move brought. */
    brought: () => {
      const change = app.context.store.moves.changesSince(1, 0, 1000).findLast(({ kind }) => kind === 'file')!
      return (JSON.parse(change.before!) as { path: string }).path
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

async function dumpOf({ folder, context }: TestApp) {
  await context.indexer.run()
  return wholeDumpOf(folder)
}

const findings = async ({ context: { store, files, now } }: TestApp) =>
  (await examineMedia(store, files, now())).filter(({ level }) => level !== 'fine')

const filesOf = (lines: readonly string[]) => lines.filter(line => line.startsWith('files'))
const oddOf = (lines: readonly string[]) => lines.filter(line => !line.includes(' undone'))

for (const way of ways) {
  test(`an empty library is empty again once people and files of PodFetch are taken back: ${way}`, async () => {
    await using world = await startUndoing()
    const before = await dumpOf(world.app)
    put(world.source, 'other.txt', 'a text')
    await world.bring(['a1', 'a2'], way)
    expect(existsSync(join(world.source, 'a1.mp3'))).toBe(way !== 'move')
    expect(Object.keys(await dumpOf(world.app))).toEqual(expect.arrayContaining(['chapter', 'user']))
    world.clock.advance(60_000)
    const id = await undoLatest(world.app)
    expect(await dumpOf(world.app)).toEqual(before)
    expect(oddOf(undoneOf(world.app, id))).toEqual([])
    expect(undoneOf(world.app, id)).toEqual(expect.arrayContaining(['files undone: 2', 'users undone: 2']))
    expect(treeOf(world.media)).toEqual([])
    expect(treeOf(world.source).map(line => line.split(' ')[0]!)).toEqual(['a1.mp3', 'a2.mp3', 'other.txt'])
    expect(readFileSync(join(world.source, 'a1.mp3'))).toEqual(Buffer.from(sound))
    expect(await findings(world.app)).toEqual([])
  })

  test(`a library that shares much is as it was once files are taken back: ${way}`, async () => {
    await using world = await startUndoing()
    const { app, host } = world
    const { store, admin, downloads } = app.context
    const marked = withChapters(silentMp3(3), [{ start: 0, end: 500, title: 'Earlier' }])
    host.file('/a1.mp3', marked)
    await fillLibrary(app, host, [admin])
    const alpha = store.podcasts.findByFeed(`${host.origin}/alpha.xml`)!
    const a1 = store.episodes.knownOf(alpha.id).find(({ guid }) => guid === 'a1')!.id
    // Its file was here earlier, with chapters of its own.
    await downloads.request(store.episodes.find(a1)!, admin.id)
    downloads.pump()
    await downloads.settled()
    await downloads.remove(store.episodes.find(a1)!)
    store.episodes.markRemoved(a1, false)
    const before = await dumpOf(app)
    expect(before.chapter).toHaveLength(1)
    world.clock.advance(60_000)
    await world.bring(['a1', 'a2'], way)
    expect(store.episodes.find(a1)).toMatchObject({ duration: 2 })
    world.clock.advance(60_000)
    const id = await undoLatest(app)
    expect(await dumpOf(app)).toEqual(before)
    expect(oddOf(undoneOf(app, id))).toEqual([])
    expect(treeOf(world.media)).toEqual([])
    expect(treeOf(world.source)).toHaveLength(2)
  })

  test(`a podcast that is a folder of files goes with its cover: ${way}`, async () => {
    await using world = await startUndoing()
    const { app } = world
    const folder = join(temporaryFolder(), 'Night Watch')
    put(folder, '2021-03-04 One.mp3')
    put(folder, 'Season 2/2021-03-05 Two.mp3', silentMp3(1))
    put(folder, 'cover.png', picture)
    const [before, tree] = [await dumpOf(app), treeOf(folder)]
    const { moves, admin } = app.context
    await moves.startFolder(admin, folder, null, way)
    moves.resume()
    await moves.settled()
    expect(Object.keys(await dumpOf(app))).toEqual(expect.arrayContaining(['cover', 'podcast_settings']))
    world.clock.advance(60_000)
    const id = await undoLatest(app)
    expect(await dumpOf(app)).toEqual(before)
    expect(oddOf(undoneOf(app, id))).toEqual([])
    expect(treeOf(folder)).toEqual(tree)
    expect(treeOf(world.media)).toEqual([])
    expect(treeOf(join(app.folder, 'covers'))).toEqual([])
  })
}

test('what a folder brought later is taken back, and what it brought before stays', async () => {
  await using world = await startUndoing()
  const { app, clock } = world
  const { moves, admin } = app.context
  const folder = join(temporaryFolder(), 'Night Watch')
  const bring = async () => {
    await moves.startFolder(admin, folder, null, 'link')
    moves.resume()
    await moves.settled()
  }
  put(folder, 'One.mp3', silentMp3(1))
  await bring()
  const [before, tree] = [await dumpOf(app), treeOf(app.folder)]
  clock.advance(60_000)
  put(folder, 'Two.mp3', silentMp3(2))
  put(folder, 'cover.png', picture)
  await bring()
  expect((await dumpOf(app)).cover).toHaveLength(1)
  await undoLatest(app)
  expect(await dumpOf(app)).toEqual(before)
  const isKept = (line: string) => /^(podcasts|covers)/.test(line)
  expect(treeOf(app.folder).filter(isKept)).toEqual(tree.filter(isKept))
})

const isOtherDisk = statSync(tmpdir()).dev !== statSync(temporaryFolder()).dev

test.skipIf(!isOtherDisk)('a file that was moved from another disk goes back to it', async () => {
  await using world = await startUndoing()
  const folder = mkdtempSync(join(tmpdir(), 'castellan-other-disk-'))
  try {
    put(folder, 'a1.mp3')
    const tree = treeOf(folder)
    await world.bring(['a1'], 'move', folder)
    expect(treeOf(folder)).toEqual([])
    await undoLatest(world.app)
    expect(treeOf(folder)).toEqual(tree)
    expect(treeOf(world.media)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a file that lay in the media folder before stays there', async () => {
  await using world = await startUndoing()
  const { app, media } = world
  put(media, 'old/a1.mp3')
  const [before, tree] = [await dumpOf(app), treeOf(media)]
  changeForeign(
    join(dirname(world.source), 'podcast.db'),
    `UPDATE podcast_episodes SET file_episode_path = 'podcasts/a1.mp3', download_location = 'Local' WHERE url LIKE '%/a1.mp3'`,
  )
  await world.bring(['a1'], 'move', join(media, 'old'))
  expect(treeOf(media)).toEqual(tree)
  const id = await undoLatest(app)
  expect(filesOf(undoneOf(app, id))).toEqual(['files undone: 1'])
  expect(await dumpOf(app)).toEqual(before)
  expect(treeOf(media)).toEqual(tree)
})

/** Each makes it impossible to put a moved file back, and says what the report names as the reason. */
const hindrances: [string, string, (original: string, part: string) => void][] = [
  ['its folder is gone', 'folder-gone', original => rmSync(dirname(original), { recursive: true })],
  ['something else is there', 'place-taken', original => writeFileSync(original, 'mine')],
  ['nothing can be written there', 'not-writable', (_, part) => mkdirSync(part)],
]

for (const [name, reason, hinder] of hindrances)
  test(`a moved file that cannot go back stays with its podcast: ${name}`, async () => {
    await using world = await startUndoing()
    const { app, host, source, media } = world
    await world.bring(['a1', 'a2'], 'move')
    const tree = treeOf(media)
    const { uuid } = app.context.store.moves.find(1)!
    const { place } = app.context.store.moves.changesSince(1, 0, 1000).findLast(({ kind }) => kind === 'file')!
    hinder(join(source, 'a2.mp3'), join(source, `.castellan-${uuid}-${place}.part`))
    const id = await undoLatest(app)
    const report = undoneOf(app, id)
    const kept = reason === 'folder-gone' ? 2 : 1
    expect(report).toContain(`files kept ${reason}: ${kept}`)
    expect(report).toContain('podcasts kept files-stay: 1')
    const alpha = app.context.store.podcasts.findByFeed(`${host.origin}/alpha.xml`)!
    expect(alpha.file_count).toBe(kept)
    // The other one went back.
    expect(treeOf(media)).toEqual(kept === 2 ? tree : tree.filter(line => line.includes('a2')))
    if (reason === 'place-taken') expect(readFileSync(join(source, 'a2.mp3'), 'utf8')).toBe('mine')
    if (existsSync(source)) expect(treeOf(source)).toHaveLength(reason === 'place-taken' ? 2 : 1)
    expect(await findings(app)).toEqual([])
  })

test('a moved file goes back once a cancelled move is taken back', async () => {
  await using world = await startUndoing()
  const { app, source, media } = world
  const { moves, admin } = app.context
  const names = ['a1', 'a2', 'a4', 'b1']
  for (const name of names) {
    put(source, `${name}.mp3`)
    changeForeign(
      join(dirname(source), 'podcast.db'),
      `UPDATE podcast_episodes SET file_episode_path = 'podcasts/${name}.mp3', download_location = 'Local'
        WHERE url LIKE '%/${name}.mp3'`,
    )
  }
  const [before, tree] = [await dumpOf(app), treeOf(source)]
  const files = { folders: [{ from: 'podcasts', to: source }], way: 'move' } as const
  await moves.start(admin, join(dirname(source), 'podcast.db'), { files })
  moves.resume()
  await app.event('downloadFinished')
  const { id } = moves.undo(admin, 1)
  await moves.settled()
  moves.resume()
  await moves.settled()
  expect(app.context.store.moves.find(id)).toMatchObject({ state: 'undone', message: 'Cancelled' })
  expect(await dumpOf(app)).toEqual(before)
  expect(treeOf(source)).toEqual(tree)
  expect(treeOf(media)).toEqual([])
})

test('a file whose original a killed process had not removed yet leaves that alone', async () => {
  await using world = await startUndoing()
  const { app, source, media } = world
  const before = await dumpOf(app)
  await world.bring(['a1'], 'move')
  // Once as the same file, as after a hard link; the dump says whether the record has gone.
  linkSync(join(media, world.brought()), join(source, 'a1.mp3'))
  await undoLatest(app)
  expect(await dumpOf(app)).toEqual(before)
  expect(treeOf(source)).toHaveLength(1)
  expect(treeOf(media)).toEqual([])
})

test('files that people replaced, deleted or downloaded again stay as they are', async () => {
  await using world = await startUndoing()
  const { app, host, media } = world
  const { store, downloads, admin } = app.context
  await world.bring(['a1', 'a2', 'a4', 'b1'], 'copy')
  const find = (name: string) =>
    store.podcasts
      .allWithFolders()
      .flatMap(({ id }) => store.episodes.knownOf(id))
      .filter(one => one.enclosure_url.endsWith(`/${name}.mp3`))
      .map(one => store.episodes.find(one.id)!)
      .find(({ file_path }) => file_path !== null)!
  const [a1, a2, a4, b1] = ['a1', 'a2', 'a4', 'b1'].map(find)
  appendFileSync(join(media, a1!.file_path!), 'more')
  // As long as before, but written later.
  utimesSync(join(media, b1!.file_path!), Date.now() / 1000 + 60, Date.now() / 1000 + 60)
  await downloads.remove(a2!)
  host.file('/a4.mp3', silentMp3(1))
  await downloads.remove(a4!)
  world.clock.advance(1000)
  await downloads.request(store.episodes.find(a4!.id)!, admin.id)
  downloads.pump()
  await downloads.settled()
  const tree = treeOf(media)
  const id = await undoLatest(app)
  expect(filesOf(undoneOf(app, id))).toEqual(['files gone: 1', 'files kept changed: 3'])
  expect(treeOf(media)).toEqual(tree)
  expect(undoneOf(app, id)).toContain('podcasts kept files-stay: 1')
  expect(await findings(app)).toEqual([])
})

test('a file of which the other program has none any more stays', async () => {
  await using world = await startUndoing()
  const { app, source, media } = world
  await world.bring(['a1', 'a2'], 'link')
  rmSync(join(source, 'a1.mp3'))
  const id = await undoLatest(app)
  expect(filesOf(undoneOf(app, id))).toEqual(['files kept only-copy: 1', 'files undone: 1'])
  expect(undoneOf(app, id)).toContain('podcasts kept files-stay: 1')
  expect(treeOf(media)).toHaveLength(1)
  expect(await findings(app)).toEqual([])
})

test('a podcast without a feed stays while another move has brought files of it', async () => {
  await using world = await startUndoing()
  const { app, media } = world
  const { moves, admin, store } = app.context
  const folder = join(temporaryFolder(), 'Night Watch')
  for (const name of ['One', 'Two']) {
    put(folder, `${name}.mp3`)
    await moves.startFolder(admin, folder, null, 'move')
    moves.resume()
    await moves.settled()
  }
  moves.undo(admin, 1)
  moves.resume()
  await moves.settled()
  expect(undoneOf(app, 1)).toContain('podcasts kept files-stay: 1')
  expect([treeOf(folder).length, treeOf(media).length]).toEqual([1, 1])
  moves.undo(admin, 2)
  moves.resume()
  await moves.settled()
  expect(treeOf(folder)).toHaveLength(2)
  expect(store.podcasts.allWithFolders()).toHaveLength(1)
})

test('a file of which somebody asks for another download stays', async () => {
  await using world = await startUndoing()
  const { app } = world
  const { store, downloads, admin } = app.context
  await world.bring(['a1'], 'copy')
  const episode = store.episodes.find(store.episodes.findByFile(world.brought())!.id)!
  await downloads.request(episode, admin.id)
  expect(store.downloads.findOfEpisode(episode.id)).not.toBeNull()
  const id = await undoLatest(app)
  expect(filesOf(undoneOf(app, id))).toEqual(['files kept downloaded: 1'])
})

test('a file that is missing from the disk loses its record, and an absent media folder keeps everything', async () => {
  await using world = await startUndoing()
  const { app, media } = world
  await world.bring(['a1', 'a2'], 'move')
  rmSync(join(media, world.brought()))
  await undoLatest(app)
  expect(filesOf(undoneOf(app, 1))).toEqual(['files gone: 1', 'files undone: 1'])
  expect(treeOf(world.source)).toHaveLength(1)

  await using other = await startUndoing()
  await other.bring(['a1'], 'move')
  rmSync(other.media, { recursive: true })
  await undoLatest(other.app)
  expect(filesOf(undoneOf(other.app, 1))).toEqual(['files kept media-folder-absent: 1'])
  expect(undoneOf(other.app, 1)).toContain('podcasts kept files-stay: 1')
})

test('an episode of a folder that somebody likes keeps its file', async () => {
  await using world = await startUndoing()
  const { app } = world
  const { moves, admin, store, favourites } = app.context
  const folder = join(temporaryFolder(), 'Night Watch')
  put(folder, 'One.mp3')
  put(folder, 'Two.mp3', silentMp3(1))
  await moves.startFolder(admin, folder, null, 'move')
  moves.resume()
  await moves.settled()
  const [podcast] = store.podcasts.allWithFolders()
  const [liked] = store.episodes.withFilesOf(podcast!.id)
  favourites.like(admin.id, liked!.id, true)
  const id = await undoLatest(app)
  expect(undoneOf(app, id)).toEqual([
    'episodes kept liked: 1',
    'episodes undone: 1',
    'files kept liked: 1',
    'files undone: 1',
    'podcasts kept liked: 1',
    'subscriptions undone: 1',
  ])
  expect(store.podcasts.find(podcast!.id)).toMatchObject({ active: 0, file_count: 1 })
  expect(store.podcastSettings.of(podcast!.id).auto_cleanup).toBe(0)
  expect(treeOf(folder)).toHaveLength(1)
})

test('a file that fails to be taken back stays, and the rest is undone', async () => {
  await using world = await startUndoing()
  const { app, source, media } = world
  await world.bring(['a1'], 'link')
  const db = openBeside(join(app.folder, DATABASE_FILE))
  db.run("CREATE TRIGGER t BEFORE UPDATE OF file_path ON episode BEGIN SELECT raise(ABORT, 'no'); END")
  db.close()
  const id = await undoLatest(app)
  expect(filesOf(undoneOf(app, id))).toEqual(['files kept unexpected: 1'])
  expect(undoneOf(app, id)).toContain('users undone: 2')
  expect([treeOf(source), treeOf(media)].map(tree => tree.length)).toEqual([1, 1])
})
