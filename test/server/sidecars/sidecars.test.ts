import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'bun:test'
import { startClock, startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { paintSquare } from '../../support/paint-square'

const mp3 = silentMp3(2)
const red = paintSquare(() => [200, 30, 30])
const blue = paintSquare(() => [30, 30, 200])

type Options = { titles?: string[]; isOn?: boolean; directPaths?: boolean; folder?: string }

/** A podcast with a cover, whose episodes are downloaded. */
async function plant({ titles = ['Fog'], isOn = true, directPaths = false, folder = temporaryFolder() }: Options = {}) {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ folder, now })
  app.prefill(0)
  app.context.store.settings.edit({ sidecars: isOn, directPaths })
  const image = host.file('/cover.png', red, { type: 'image/png' })
  const items = titles.map(title => ({ title, guid: title, enclosure: host.file(`/${title}.mp3`, mp3) }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Radio', image, items })))
  await app.context.covers.fetchDue()
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const eidOf = (title: string) =>
    data.find(({ podcastEpisode }) => podcastEpisode.name === title)!.podcastEpisode.episode_id
  const world = {
    app,
    now,
    podcast,
    root: app.context.files.folder.root,
    image,
    episode: (title: string) => app.context.store.episodes.findByEid(eidOf(title))!,
    async download(title: string) {
      await app.episodes.download(eidOf(title))
      const { id } = world.episode(title)
      await app.event('downloadFinished', event => event.episodeId === id)
      await app.context.sidecars.update()
    },
    async remove(title: string) {
      await app.context.downloads.remove(world.episode(title))
      await app.context.sidecars.update()
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
  return world
}

/** Lists the files of the podcast's folder below the media folder. */
const filesIn = (root: string) => [...new Bun.Glob('Radio/**').scanSync(root)].toSorted()
const rows = ({ context }: TestApp) => context.store.sidecars

test('nothing is written unless the settings ask for it', async () => {
  await using world = await plant({ isOn: false })
  await world.download('Fog')
  expect(filesIn(world.root)).toEqual(['Radio/Fog/Fog.mp3'])
})

test('a cover and what names the album lie beside a downloaded file, and go with it', async () => {
  await using world = await plant()
  await world.download('Fog')
  expect(filesIn(world.root)).toEqual([
    'Radio/Fog/Fog.mp3',
    'Radio/Fog/album.nfo',
    'Radio/Fog/folder.png',
    'Radio/folder.png',
  ])
  expect(readFileSync(join(world.root, 'Radio/Fog/album.nfo'), 'utf8')).toContain('<title>Radio</title>')
  expect(readFileSync(join(world.root, 'Radio/folder.png'))).toEqual(Buffer.from(red))
  await world.remove('Fog')
  expect(existsSync(join(world.root, 'Radio'))).toBe(false)
  expect(rows(world.app).due(10)).toEqual([])
})

test('files in one folder share what lies there, until the last of them goes', async () => {
  await using world = await plant({ titles: ['Fog', 'Rain'], directPaths: true })
  await world.download('Fog')
  await world.download('Rain')
  const shared = ['Radio/album.nfo', 'Radio/folder.png']
  expect(filesIn(world.root)).toEqual(['Radio/Fog.mp3', 'Radio/Rain.mp3', ...shared])
  await world.remove('Fog')
  expect(filesIn(world.root)).toEqual(['Radio/Rain.mp3', ...shared])
  await world.remove('Rain')
  expect(filesIn(world.root)).toEqual([])
})

test('sidecars that are here stay when the settings ask for no more, and go with their files', async () => {
  await using world = await plant({ titles: ['Fog', 'Rain'] })
  await world.download('Fog')
  world.app.context.store.settings.edit({ sidecars: false })
  await world.download('Rain')
  expect(filesIn(world.root).filter(path => path.startsWith('Radio/Rain'))).toEqual(['Radio/Rain/Rain.mp3'])
  expect(filesIn(world.root)).toContain('Radio/Fog/album.nfo')
  await world.remove('Fog')
  expect(filesIn(world.root)).toEqual(['Radio/Rain/Rain.mp3'])
})

test('a file that moves is followed', async () => {
  await using world = await plant()
  await world.download('Fog')
  const { id } = world.episode('Fog')
  await world.app.context.files.folder.move('Radio/Fog/Fog.mp3', 'Other/Fog.mp3')
  world.app.context.store.episodes.moveFile(id, 'Other/Fog.mp3')
  await world.app.context.sidecars.update()
  expect(existsSync(join(world.root, 'Radio'))).toBe(false)
  expect(readdirSync(join(world.root, 'Other')).toSorted()).toEqual(['Fog.mp3', 'album.nfo', 'folder.png'])
})

test('a file of somebody else stays as it is, also when the episode goes', async () => {
  await using world = await plant()
  const theirs = join(world.root, 'Radio/Fog/album.nfo')
  mkdirSync(dirname(theirs), { recursive: true })
  writeFileSync(theirs, 'theirs')
  await world.download('Fog')
  expect(readFileSync(theirs, 'utf8')).toBe('theirs')
  expect(existsSync(join(world.root, 'Radio/Fog/folder.png'))).toBe(true)
  await world.remove('Fog')
  expect(filesIn(world.root)).toEqual(['Radio/Fog/album.nfo'])
})

test('another cover replaces the old one, and the same one writes nothing', async () => {
  await using world = await plant()
  await world.download('Fog')
  const path = join(world.root, 'Radio/folder.png')
  const refetch = async (bytes: Uint8Array) => {
    const { covers, store, sidecars } = world.app.context
    await covers.keep(store.podcasts.allIds()[0]!, world.image, bytes)
    await sidecars.update()
  }
  rmSync(path)
  await refetch(red)
  expect(existsSync(path)).toBe(false)
  await refetch(blue)
  expect(readFileSync(path)).toEqual(Buffer.from(blue))
})

test('the sidecars of a deleted podcast go', async () => {
  await using world = await plant()
  await world.download('Fog')
  await world.app.podcasts.remove(world.podcast.id, true)
  await world.app.context.sidecars.update()
  expect(filesIn(world.root)).toEqual([])
  expect(rows(world.app).orphans(10)).toEqual([])
})

test('what a killed process left undone is done by the next one', async () => {
  const folder = temporaryFolder()
  {
    await using world = await plant({ folder })
    // Killed right after the file was recorded, and before anybody heard of it.
    await world.app.context.sidecars.stop()
    await world.download('Fog')
    expect(filesIn(world.root)).toEqual(['Radio/Fog/Fog.mp3'])
  }
  await using app = await startTestApp({ folder })
  await app.context.sidecars.update()
  expect(filesIn(app.context.files.folder.root)).toContain('Radio/Fog/album.nfo')
})

test('what cannot be written is tried again after ten minutes', async () => {
  await using world = await plant()
  const { sidecars } = world.app.context
  const blocked = join(world.root, 'Radio/Fog/folder.png')
  mkdirSync(join(blocked, 'x'), { recursive: true })
  rows(world.app).note('Radio/Fog/folder.png', world.episode('Fog').id)
  await world.download('Fog')
  expect(world.app.lines.join('\n')).toContain('Covers and NFO files could not be written')
  expect(rows(world.app).due(10)).toEqual([world.episode('Fog').id])
  rmSync(blocked, { recursive: true })
  await sidecars.update()
  expect(existsSync(blocked)).toBe(false)
  world.now.advance(10 * 60_000)
  await sidecars.update()
  expect(existsSync(blocked)).toBe(true)
  expect(rows(world.app).due(10)).toEqual([])
})
