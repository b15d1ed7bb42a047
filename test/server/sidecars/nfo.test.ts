import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'bun:test'
import { albumNfo, episodeNfo, showNfo, sidecarsOf } from '../../../src/server/sidecars/sidecars'

const podcast = { title: 'Fog & <Rain>', author: 'Mara "Field"', summary: '<p>Stories &amp; songs</p>' }
const episode = {
  title: 'Part 1',
  notes: '<p>First &lt;part&gt;</p><p>Second</p>',
  published_at: Date.UTC(2026, 2, 4, 23),
  dated: 1,
  duration: 61,
  season: 2,
  number: 7,
}
const read = (xml: string) => {
  expect(XMLValidator.validate(xml)).toBe(true)
  return new XMLParser({ parseTagValue: false }).parse(xml) as Record<string, Record<string, string>>
}

test('a podcast of sound is an album', () => {
  expect(read(albumNfo(podcast)).album).toEqual({
    title: 'Fog & <Rain>',
    artist: 'Mara "Field"',
    albumartist: 'Mara "Field"',
    genre: 'Podcast',
    review: 'Stories & songs',
  })
  expect(read(albumNfo({ title: 'Fog', author: null, summary: null })).album).toEqual({
    title: 'Fog',
    genre: 'Podcast',
  })
})

test('a podcast of videos is a series, and each video an episode of it', () => {
  expect(read(showNfo(podcast)).tvshow).toMatchObject({ title: 'Fog & <Rain>', plot: 'Stories & songs' })
  expect(read(episodeNfo(episode, podcast, 12)).episodedetails).toEqual({
    title: 'Part 1',
    showtitle: 'Fog & <Rain>',
    season: '2',
    episode: '7',
    aired: '2026-03-04',
    studio: 'Mara "Field"',
    runtime: '2',
    plot: 'First <part> Second',
  })
})

test('a video without a season or number has its year and its place, and without a date the first season', () => {
  const bare = { ...episode, season: null, duration: 0 }
  expect(read(episodeNfo(bare, podcast, 12)).episodedetails).toMatchObject({ season: '2026', episode: '12' })
  const undated = read(episodeNfo({ ...bare, dated: 0 }, podcast, 12)).episodedetails!
  expect(undated).toMatchObject({ season: '1', episode: '12' })
  expect(['aired' in undated, 'runtime' in undated]).toEqual([false, false])
})

test('what XML has no way to write is left out, and long notes are cut', () => {
  const title = 'a\0b\u001b[0m\ufffec\ud800]]>'
  const { album } = read(albumNfo({ title, author: null, summary: '&'.repeat(9000) }))
  expect(album!.title).toBe('ab[0mc\ufffd]]>')
  expect(album!.review).toHaveLength(4000)
})

test('sidecars lie beside the file, and the cover also in the folder of the podcast', () => {
  expect(sidecarsOf('Radio/Fog/Fog.mp3', 'audio/mpeg', 'image/jpeg')).toEqual([
    { path: 'Radio/Fog/folder.jpg', kind: 'cover' },
    { path: 'Radio/folder.jpg', kind: 'cover' },
    { path: 'Radio/Fog/album.nfo', kind: 'album' },
  ])
  expect(sidecarsOf('Radio/Fog.mp3', 'audio/mpeg', 'image/png').map(({ path }) => path)).toEqual([
    'Radio/folder.png',
    'Radio/album.nfo',
  ])
  expect(sidecarsOf('Radio/Fog/Fog 1.2.mp4', 'video/mp4', null)).toEqual([
    { path: 'Radio/tvshow.nfo', kind: 'show' },
    { path: 'Radio/Fog/Fog 1.2.nfo', kind: 'episode' },
  ])
  // Other programs show no WebP.
  expect(sidecarsOf('Radio/Fog.mp3', 'audio/mpeg', 'image/webp').map(({ kind }) => kind)).toEqual(['album'])
  expect(sidecarsOf('Fog.mp3', 'audio/mpeg', 'image/png')).toEqual([])
})
