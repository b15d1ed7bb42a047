import { parseBuffer } from 'music-metadata'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { startTestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { paintSquare } from '../../support/paint-square'
import { chunks, chunksOf, m4a } from '../../support/tagged-media'

const red = paintSquare(() => [200, 30, 30])

/** Downloads the one episode of a podcast with a cover, and returns its file as it lies in the folder. */
async function download(media: Uint8Array, type: string, settings: object) {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  app.context.store.settings.edit(settings)
  const image = host.file('/cover.png', red, { type: 'image/png' })
  const items = [{ title: 'Fog', enclosure: host.file('/a', media, { type }), date: 'Wed, 04 Mar 2026 10:00:00 GMT' }]
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Radio', image, items })))
  await app.context.covers.fetchDue()
  const [{ podcastEpisode }] = (await app.podcasts.episodes(podcast.id, {}, null)).data as [any]
  await app.episodes.download(podcastEpisode.episode_id)
  await app.event('downloadFinished')
  const row = app.context.store.episodes.findByEid(podcastEpisode.episode_id)!
  const file = await readFile(join(app.context.files.folder.root, row.file_path!))
  const parts = [...new Bun.Glob('*').scanSync(join(app.context.files.folder.root, '.partial'))]
  return { file, row, parts, lines: app.lines }
}

test('a downloaded file is kept byte for byte unless the settings ask for tags', async () => {
  const { file, row } = await download(silentMp3(2), 'audio/mpeg', {})
  expect(file).toEqual(Buffer.from(silentMp3(2)))
  expect(row.file_size).toBe(file.length)
})

test('tags are written into an MP3 in front of its sound, and the library knows the new size', async () => {
  const { file, row, parts } = await download(silentMp3(2), 'audio/mpeg', { writeTags: true })
  const { common } = await parseBuffer(file, { mimeType: 'audio/mpeg' })
  expect(common).toMatchObject({ title: 'Fog', album: 'Radio', artist: 'Mara Field', year: 2026, track: { no: 1 } })
  expect(Buffer.from(common.picture![0]!.data)).toEqual(Buffer.from(red))
  expect(file.subarray(-silentMp3(2).length)).toEqual(Buffer.from(silentMp3(2)))
  expect([row.file_size, row.numbered, parts]).toEqual([file.length, 0, []])
})

test('the number stands before the title where the settings ask for both', async () => {
  const { file, row } = await download(silentMp3(2), 'audio/mpeg', { writeTags: true, episodeNumbering: true })
  const { common } = await parseBuffer(file, { mimeType: 'audio/mpeg' })
  expect(common).toMatchObject({ title: '1 Fog', album: 'Radio' })
  expect(row.numbered).toBe(1)
})

test('tags are written into an M4A, and its sound is found again', async () => {
  const { file, row } = await download(m4a(), 'audio/mp4', { writeTags: true, episodeNumbering: true })
  const { common } = await parseBuffer(file, { mimeType: 'audio/mp4' })
  expect(common).toMatchObject({ title: 'Fog', album: 'Radio', date: '2026-03-04' })
  expect(chunksOf(file)).toEqual(chunks)
  expect([row.file_size, row.numbered]).toEqual([file.length, 0])
})

test('a file that cannot have tags is kept as it came, and the log says why', async () => {
  const media = m4a({ behind: [Buffer.from('\0\0\0\x08moof', 'latin1')] })
  const { file, lines } = await download(media, 'audio/mp4', { writeTags: true })
  expect(file.equals(media)).toBe(true)
  expect(lines.join('\n')).toContain('fragments')
})
