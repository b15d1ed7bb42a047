import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { rss, silentMp3, withChapters, type ItemSpec } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const items: ItemSpec[] = [
  { title: 'Fog: part 1/2', date: 'Sun, 01 Mar 2026 05:00:00 GMT' },
  { title: 'Old', date: 'Sat, 28 Feb 2026 05:00:00 GMT' },
]

/** A podcast whose episodes are all here. */
async function plant(app: TestApp, host: ReturnType<typeof startFeedHost>, specs = items, mp3 = silentMp3(2)) {
  const withFiles = specs.map((spec, index) => ({ ...spec, enclosure: host.file(`/show-${index}.mp3`, mp3) }))
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Lighthouse: Radio', items: withFiles })))
  await app.podcasts.downloadAll(podcast.id)
  await app.context.downloads.settled()
  return podcast
}
const pathsOf = (app: TestApp) => app.context.store.episodes.allWithFiles().map(({ file_path }) => file_path)

test('files are called as the formats say, each a safe name of its own', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  await app.system.editNaming({
    podcastFormat: '{podcastTitle} ({language})',
    episodeFormat: '{episodeNumber} - {date} - {title}',
    directPaths: true,
    replacementStrategy: 'replace-with-dash-and-underscore',
  })
  await plant(app, host, [...items, { title: 'Old', date: 'Fri, 27 Feb 2026 05:00:00 GMT' }])
  expect(pathsOf(app)).toEqual([
    'Lighthouse- Radio (en)/1 - 2026-02-27 - Old.mp3',
    'Lighthouse- Radio (en)/2 - 2026-02-28 - Old.mp3',
    'Lighthouse- Radio (en)/3 - 2026-03-01 - Fog- part 1_2.mp3',
  ])
})

test('a format with something unknown in it is refused, and named', async () => {
  await using app = await startTestApp()
  for (const [format, variable, message] of [
    ['{titel}', '{titel}', 'episodeFormat: {titel} is not a known variable'],
    ['{title', '{title', 'episodeFormat: a brace has no partner: {title'],
    ['title}', '}', 'episodeFormat: a brace has no partner: }'],
  ] as const)
    expect(await refusal(app.system.editNaming({ episodeFormat: format }))).toMatchObject({
      status: 422,
      code: 'invalid-format',
      message,
      args: { field: 'episodeFormat', variable },
    })
  expect(await refusal(app.system.editSettings({ podcastFormat: '{episodeTitle}' }))).toMatchObject({
    args: { field: 'podcastFormat' },
  })
  expect(await app.system.episodeFormatting('{date} {episodeTitle}')).toBe('2023-12-24 My Homelab')
  expect(await app.system.podcastFormatting('{title}/{keywords}')).toBe('The homelab podcast-Technology')
})

test('existing files are renamed as the preview showed, and still play', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const podcast = await plant(app, host)
  expect(pathsOf(app)).toEqual(['Lighthouse- Radio/Old/Old.mp3', 'Lighthouse- Radio/Fog- part 1-2/Fog- part 1-2.mp3'])
  const naming = {
    episodeFormat: '{date} {title}',
    podcastFormat: 'Shows {title}',
    replacementStrategy: 'remove',
  } as const
  expect((await app.system.previewNaming(naming)).map(({ path }) => path)).toEqual([
    'Shows Lighthouse Radio/2026-03-01 Fog part 12/2026-03-01 Fog part 12.mp3',
    'Shows Lighthouse Radio/2026-02-28 Old/2026-02-28 Old.mp3',
  ])
  await app.system.editNaming(naming)
  const { renames, total } = await app.system.renames()
  expect([total, renames[0]]).toEqual([
    2,
    { from: 'Lighthouse- Radio/Old/Old.mp3', to: 'Shows Lighthouse Radio/2026-02-28 Old/2026-02-28 Old.mp3' },
  ])
  const { jobId } = await app.system.rescan({ applyFilenames: true })
  await app.context.rename.settled()
  expect(await app.system.job(jobId)).toMatchObject({ kind: 'rename', state: 'done', total: 2, done: 2, failed: 0 })
  expect(pathsOf(app)).toEqual(renames.map(({ to }) => to))
  expect(await app.system.renames()).toEqual({ renames: [], total: 0 })
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const media = await app.fetch(new URL(data[0]!.podcastEpisode.local_url).pathname)
  expect([media.status, (await media.bytes()).length]).toEqual([200, silentMp3(2).length])
  expect(app.context.files.folder.exists('Lighthouse- Radio')).toBe(false)
})

test('two files with each other’s names are swapped', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  await app.system.editNaming({ directPaths: true })
  await plant(app, host, [
    { title: 'A', date: 'Sun, 01 Mar 2026 05:00:00 GMT' },
    { title: 'B', date: 'Sat, 28 Feb 2026 05:00:00 GMT' },
  ])
  const { store } = app.context
  const [b, a] = store.episodes.allWithFiles()
  const sizes = () => store.episodes.allWithFiles().map(({ id, file_path }) => `${id} ${file_path}`)
  expect(sizes()).toEqual([`${b!.id} Lighthouse- Radio/B.mp3`, `${a!.id} Lighthouse- Radio/A.mp3`])
  const job = store.jobs.add(
    app.context.admin.id,
    'rename',
    [
      { feedUrl: '', title: null, tags: [], episodeId: b!.id, targetPath: a!.file_path },
      { feedUrl: '', title: null, tags: [], episodeId: a!.id, targetPath: b!.file_path },
    ],
    0,
  )
  app.context.rename.resume()
  await app.context.rename.settled()
  expect(store.jobs.find(job.id)).toMatchObject({ state: 'done', failed: 0 })
  // One of them had to step aside, and has a number now.
  expect(sizes().toSorted()).toEqual(
    [`${b!.id} Lighthouse- Radio/A (2).mp3`, `${a!.id} Lighthouse- Radio/B.mp3`].toSorted(),
  )
})

test('a rename interrupted between the move and its record is finished', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  let from = ''
  const to = 'Elsewhere/Old.mp3'
  {
    await using app = await startTestApp({ folder })
    await plant(app, host)
    const [old, fog] = app.context.store.episodes.allWithFiles()
    from = old!.file_path
    app.context.store.jobs.add(
      app.context.admin.id,
      'rename',
      [
        { feedUrl: '', title: from, tags: [], episodeId: old!.id, targetPath: to },
        { feedUrl: '', title: '', tags: [], episodeId: fog!.id, targetPath: 'Elsewhere/Fog.mp3' },
      ],
      0,
    )
    await app.context.files.folder.move(from, to)
  }
  await using app = await startTestApp({ folder })
  app.context.rename.resume()
  await app.context.rename.settled()
  expect(pathsOf(app)).toEqual([to, 'Elsewhere/Fog.mp3'])
  expect(pathsOf(app).every(path => app.context.files.folder.exists(path))).toBe(true)
})

test('nothing outside the media folder is touched, and nothing is overwritten', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  await plant(app, host, [{ title: '../../../etc/passwd' }])
  const [path] = pathsOf(app)
  expect(path).toBe('Lighthouse- Radio/-..-..-etc-passwd/-..-..-etc-passwd.mp3')
  const stranger = join(app.context.files.folder.root, 'Lighthouse- Radio', 'x.mp3')
  mkdirSync(join(app.context.files.folder.root, 'Lighthouse- Radio'), { recursive: true })
  await Bun.write(stranger, 'somebody else’s')
  await app.system.editNaming({ episodeFormat: 'x', directPaths: true })
  await app.system.rescan({ applyFilenames: true })
  await app.context.rename.settled()
  expect(await Bun.file(stranger).text()).toBe('somebody else’s')
  expect(pathsOf(app)).toEqual(['Lighthouse- Radio/x (2).mp3'])
})

test.each(['file', 'podcast'])('deleting a %s while it is renamed leaves none of it under either name', async what => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const podcast = await plant(app, host)
  await app.system.editNaming({ episodeFormat: '{date} {title}' })
  const { rename, downloads, admin, store, files } = app.context
  // The first file is on the move when this returns.
  rename.start(admin.id, { applyFilenames: true, applyMetadata: false })
  if (what === 'podcast') await app.podcasts.remove(podcast.id, true)
  else await downloads.remove(store.episodes.find(store.episodes.allWithFiles()[0]!.id)!)
  await rename.settled()
  expect(pathsOf(app)).toEqual(what === 'podcast' ? [] : [expect.stringContaining('Fog')])
  const left = new Bun.Glob('**/*.mp3').scanSync(files.folder.root)
  expect([...left]).toEqual(pathsOf(app))
})

test('a number is written before the title in the file, and the rest of the file stays', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const mp3 = withChapters(silentMp3(2), [{ start: 0, end: 1000, title: 'One' }])
  const podcast = await plant(app, host, items, mp3)
  const before = app.context.store.episodes.allWithFiles()
  expect(await Bun.file(app.context.files.folder.pathOf(before[0]!.file_path)).bytes()).toEqual(new Uint8Array(mp3))
  await app.system.editNaming({ episodeNumbering: true })
  await app.system.rescan({ applyMetadata: true })
  await app.context.rename.settled()
  const { parseFile } = await import('music-metadata')
  const read = async (index: number) =>
    parseFile(app.context.files.folder.pathOf(before[index]!.file_path), { includeChapters: true })
  expect((await read(0)).common.title).toBe('1 Old')
  expect((await read(1)).common.title).toBe('2 Fog: part 1/2')
  expect((await read(1)).format.chapters?.map(({ title }) => title)).toEqual(['One'])
  const bytes = await Bun.file(app.context.files.folder.pathOf(before[0]!.file_path)).bytes()
  expect(Buffer.from(bytes.subarray(-silentMp3(2).length)).equals(silentMp3(2))).toBe(true)
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  expect(data.map(({ podcastEpisode }) => podcastEpisode.episode_numbering_processed)).toEqual([true, true])
  expect(data[1]!.podcastEpisode.file_size).toBe(bytes.length)
  await app.system.rescan({ applyMetadata: true })
  await app.context.rename.settled()
  expect((await read(0)).common.title).toBe('1 Old')
})
