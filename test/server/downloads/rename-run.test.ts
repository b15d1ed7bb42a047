import { linkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

/** Downloaded episodes of one podcast, side by side in its folder. */
async function plant(titles = ['A', 'B'], folder = temporaryFolder()) {
  const host = startFeedHost()
  const app = await startTestApp({ folder })
  app.prefill(0)
  app.context.store.settings.edit({ directPaths: true })
  const items = titles.map((title, index) => ({
    title,
    guid: title,
    date: new Date(Date.UTC(2026, 0, 20 - index)).toUTCString(),
    enclosure: host.file(`/${index}.mp3`, silentMp3(2)),
  }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Radio', items })))
  await app.podcasts.downloadAll(podcast.id)
  await app.context.downloads.settled()
  const { store, files, rename, admin, media } = app.context
  const episode = (title: string) => {
    const { id } = store.episodes.knownOf(store.podcasts.allIds()[0]!).find(known => known.title === title)!
    return store.episodes.find(id)!
  }
  return {
    app,
    host,
    store,
    files,
    rename,
    media,
    podcast,
    episode,
    start: (applyMetadata = false) => rename.start(admin.id, { applyFilenames: true, applyMetadata }),
    /** A run with one item alone. */
    runOne(title: string, targetPath: string) {
      const item = { feedUrl: '', title, tags: [], episodeId: episode(title).id, targetPath }
      const job = store.jobs.add(admin.id, 'rename', [item], 0)
      rename.resume()
      return job
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

/** Holds whoever reads a media file until `go` is called. */
function holdReader(media: { factsOf: (path: string, type: string) => Promise<unknown> }) {
  const read = media.factsOf
  const gate = Promise.withResolvers<void>()
  const isReading = Promise.withResolvers<void>()
  media.factsOf = async (path, type) => {
    isReading.resolve()
    await gate.promise
    return read(path, type)
  }
  return { isReading: isReading.promise, go: gate.resolve }
}

test('a name that another episode has stays its own, even while its file is missing', async () => {
  await using world = await plant()
  rmSync(world.files.folder.pathOf('Radio/B.mp3'))
  const job = world.runOne('A', 'Radio/b.mp3')
  await world.rename.settled()
  expect(world.store.jobs.find(job.id)).toMatchObject({ state: 'done', failed: 0 })
  expect([world.episode('A').file_path, world.episode('B').file_path]).toEqual(['Radio/b (2).mp3', 'Radio/B.mp3'])
})

test('a file of somebody else’s whose name differs in case alone is not overwritten', async () => {
  await using world = await plant()
  await Bun.write(world.files.folder.pathOf('Radio/a.mp3'), 'somebody else’s')
  // On a disk that ignores case, this has just become the file of the episode.
  if (await world.files.folder.areSame('Radio/a.mp3', 'Radio/A.mp3')) return
  world.runOne('A', 'Radio/a.mp3')
  await world.rename.settled()
  expect(await Bun.file(world.files.folder.pathOf('Radio/a.mp3')).text()).toBe('somebody else’s')
  expect(world.episode('A').file_path).toBe('Radio/a (2).mp3')
})

test('a file may get its own name in other letters', async () => {
  await using world = await plant()
  // As a disk that ignores case shows it: both names lead to one file.
  if (!world.files.folder.exists('Radio/a.mp3'))
    linkSync(world.files.folder.pathOf('Radio/A.mp3'), world.files.folder.pathOf('Radio/a.mp3'))
  world.runOne('A', 'Radio/a.mp3')
  await world.rename.settled()
  expect(world.episode('A').file_path).toBe('Radio/a.mp3')
  expect(world.files.folder.exists('Radio/a.mp3')).toBe(true)
})

test('a file that is on the disk under neither name is said to be missing', async () => {
  await using world = await plant()
  rmSync(world.files.folder.pathOf('Radio/A.mp3'))
  const job = world.runOne('A', 'Radio/C.mp3')
  await world.rename.settled()
  expect(world.store.jobs.items(job.id, true)).toMatchObject([
    { error_code: 'media-unreachable', message: 'The file is not on the disk. Download the episode again.' },
  ])
  expect(world.episode('A').file_path).toBe('Radio/A.mp3')
})

test('a second run is refused, and a file that is being read counts as under way until it is', async () => {
  await using world = await plant(['A'])
  const { isReading, go } = holdReader(world.media)
  const job = world.start(true)
  await isReading
  expect(await refusal((async () => world.start())())).toMatchObject({ code: 'already-running' })
  expect(world.rename.isMoving(world.episode('A').id)).toBe(true)
  // A process killed right here reads it at its next start.
  expect(world.store.jobs.waiting(job.id)).toHaveLength(1)
  go()
  await world.rename.settled()
  expect(world.rename.isMoving(world.episode('A').id)).toBe(false)
})

test('an item whose file has moved and is to be read stays open until it was read', async () => {
  await using world = await plant(['A'])
  world.store.settings.edit({ episodeFormat: 'x {title}' })
  const { isReading, go } = holdReader(world.media)
  const job = world.start(true)
  await isReading
  expect(world.episode('A').file_path).toBe('Radio/x A.mp3')
  expect(world.store.jobs.waiting(job.id)).toHaveLength(1)
  go()
  await world.rename.settled()
  expect(world.store.jobs.find(job.id)).toMatchObject({ state: 'done', done: 1, failed: 0 })
})

test('nothing is recorded of a file that was deleted while it was read', async () => {
  await using world = await plant(['A'])
  const { isReading, go } = holdReader(world.media)
  world.start(true)
  await isReading
  world.store.episodes.dropFile(world.episode('A').id)
  go()
  await world.rename.settled()
  expect(world.episode('A')).toMatchObject({ file_path: null, file_size: null })
})

test('whoever waits for a file acts before the next one moves, and does not wait for the whole run', async () => {
  await using world = await plant(['A', 'B'])
  world.store.settings.edit({ episodeFormat: 'x {title}' })
  const job = world.start()
  await world.rename.finished(() => true)
  expect(world.store.jobs.waiting(job.id)).toHaveLength(1)
  await world.rename.settled()
})

test('podcasts whose names differ in case alone get folders of their own, and so do files', async () => {
  await using world = await plant(['Fog', 'FOG'])
  const { app, host, store, rename } = world
  await app.podcasts.add(host.feed('/other.xml', rss({ title: 'RADIO', items: [] })))
  store.settings.edit({ episodeFormat: '{title}!' })
  const { renames } = rename.plan()
  const lower = renames.map(({ to }) => to.toLowerCase())
  expect([lower.length, new Set(lower).size]).toEqual([2, 2])
  world.start()
  await rename.settled()
  const folders = store.podcasts.allWithFolders().map(({ folder }) => folder.toLowerCase())
  expect(new Set(folders).size).toBe(2)
})

test('names that differ in case alone beyond ASCII get a number as they are downloaded', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(2)
  app.context.store.settings.edit({ directPaths: true })
  const items = ['über', 'ÜBER'].map((title, index) => ({ title, enclosure: host.file(`/${index}.mp3`, silentMp3(1)) }))
  await app.podcasts.add(host.feed('/1.xml', rss({ title: 'Été', items })))
  await app.podcasts.add(host.feed('/2.xml', rss({ title: 'ÉTÉ', items: [] })))
  for (const id of [1, 2]) await app.event('downloadFinished', ({ episodeId }) => episodeId === id)
  await app.context.downloads.settled()
  const { store } = app.context
  const paths = store.episodes.filesOf(1).map(({ file_path }) => file_path)
  expect(new Set(paths.map(path => path.toLowerCase())).size).toBe(2)
  expect(paths.filter(path => path.endsWith(' (2).mp3'))).toHaveLength(1)
  expect(store.podcasts.allWithFolders().map(({ folder }) => folder)).toEqual(['Été', 'ÉTÉ (2)'])
})

test('what is downloaded while a run is under way goes to the new folder', async () => {
  await using world = await plant(['A'])
  world.store.settings.edit({ podcastFormat: 'Shows {title}' })
  world.start()
  expect(world.store.podcasts.find(world.episode('A').podcast_id)!.folder).toBe('Shows Radio')
})

test('a run stops when the media folder goes away, and goes on when it is back', async () => {
  await using world = await plant(['A', 'B', 'C'])
  world.store.settings.edit({ episodeFormat: 'x {title}' })
  const { isPresent } = world.files.folder
  world.files.folder.isPresent = () => world.store.jobs.running().every(({ done }) => done < 1)
  const job = world.start()
  await world.rename.settled()
  expect(world.store.jobs.find(job.id)).toMatchObject({ state: 'running', done: 1, failed: 0 })
  world.files.folder.isPresent = isPresent
  world.rename.resume()
  await world.rename.settled()
  expect(world.store.jobs.find(job.id)).toMatchObject({ state: 'done', done: 3, failed: 0 })
})

test('a file that is tried again while its run works on the last one is renamed by it', async () => {
  await using world = await plant(['A', 'B'])
  const { jobs } = world.store
  const items = ['A', 'B'].map(title => {
    const targetPath = `Radio/x ${title}.mp3`
    return { feedUrl: '', title, tags: [], episodeId: world.episode(title).id, targetPath }
  })
  const { id } = jobs.add(world.app.context.admin.id, 'rename', items, 0)
  jobs.settle(id, 0, { state: 'failed', errorCode: 'set-aside', message: 'Set aside' })
  world.rename.resume()
  jobs.reopen(id, 0)
  world.rename.resume()
  await world.rename.settled()
  expect(jobs.find(id)).toMatchObject({ state: 'done', done: 2, failed: 0 })
  expect(world.episode('A').file_path).toBe('Radio/x A.mp3')
})

test('a run that is cancelled stops before its next file', async () => {
  await using world = await plant(['A', 'B'])
  world.store.settings.edit({ episodeFormat: 'x {title}' })
  const job = world.start()
  world.store.jobs.cancel(job.id, 1)
  await world.rename.settled()
  expect(world.store.jobs.find(job.id)).toMatchObject({ state: 'cancelled', done: 1 })
})

test('a number is written before a title once, and in MP3 files alone', async () => {
  await using world = await plant(['A', 'B'])
  world.store.settings.edit({ episodeNumbering: true })
  const numbered: string[] = []
  const { numberTag } = world.media
  world.media.numberTag = (path, number, title) => {
    numbered.push(`${number} ${title}`)
    return numberTag(path, number, title)
  }
  const b = world.episode('B')
  const { file_path: path, file_size: size } = b
  world.store.episodes.keepFile(b.id, { path: path!, size: size!, type: 'audio/mp4', duration: null, now: 0 })
  for (let run = 0; run < 2; run++) {
    world.start(true)
    await world.rename.settled()
  }
  expect(numbered).toEqual(['2 A'])
  expect([world.episode('A').numbered, world.episode('B').numbered]).toEqual([1, 0])
})

test('a title that cannot be numbered leaves the file as it was, and nothing beside it', async () => {
  await using world = await plant(['A'])
  world.store.settings.edit({ episodeNumbering: true })
  const before = await Bun.file(world.files.folder.pathOf('Radio/A.mp3')).bytes()
  // Reading fails after the new tag was written.
  world.media.numberTag = async () => ({ tag: new Uint8Array(10), soundAt: -2 })
  world.start(true)
  await world.rename.settled()
  expect(world.app.lines.join('\n')).toContain('Tags or number could not be written into the file')
  expect(await Bun.file(world.files.folder.pathOf('Radio/A.mp3')).bytes()).toEqual(before)
  expect([...new Bun.Glob('*').scanSync(join(world.files.folder.root, '.partial'))]).toEqual([])
  expect(world.episode('A').numbered).toBe(0)
})

test.each([false, true])(
  'a file whose episode is merged while it moves belongs to the other one, or goes (has one too: %p)',
  async hasOne => {
    await using world = await plant(['A', 'B'])
    const { store, files, app } = world
    const [kept, gone] = [world.episode('B'), world.episode('A')].toSorted((one, other) => one.id - other.id)
    if (!hasOne) await app.context.downloads.remove(store.episodes.find(kept!.id)!)
    const { move } = files.folder
    files.folder.move = async (from, to) => {
      const place = store.inTransaction(() => store.twins.merge(kept!.id, gone!.id))
      if (place) store.forgottenFiles.add(place)
      await move(from, to)
    }
    world.runOne(gone!.title, 'Radio/moved.mp3')
    await world.rename.settled()
    await app.context.forgotten.recover('folder')
    const row = store.episodes.find(kept!.id)!
    expect(row.file_path).toBe(hasOne ? kept!.file_path : 'Radio/moved.mp3')
    const here = ['Radio/A.mp3', 'Radio/B.mp3', 'Radio/moved.mp3'].filter(path => files.folder.exists(path))
    expect(here).toEqual([row.file_path!])
  },
)
