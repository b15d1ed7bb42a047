import { expect, test } from 'bun:test'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaLimits } from '../../../../src/server/media/limits'
import { writeTags } from '../../../../src/server/media/write-tags'
import { temporaryFolder } from '../../../support/app'
import { hostileMedia } from '../../../support/hostile-media'
import * as mp4 from '../../../support/tagged-media'
import { allTags, noTags, tagsIn, withTags } from '../../../support/written-tags'

const M4A = 'audio/mp4'
const { box, item, m4a, meta } = mp4
const text = (name: string, value: string) => item(name, 1, Buffer.from(value))
const encoder = text('\u00a9too', 'An encoder')
const oldList = box(
  'ilst',
  text('\u00a9nam', 'Old title'),
  encoder,
  item('covr', 13, Buffer.alloc(99, 7)),
  text('\u00a9ART', 'Old artist'),
)
const unknown = box('Xtra', Buffer.alloc(40, 9))

/** Movies whose list of items is not there yet, or there in the ways that programs write it. */
const movies: Record<string, Uint8Array[]> = {
  'no user data': [],
  'user data without a list': [box('udta', unknown)],
  'a list within a box that is empty': [box('udta', meta('mdir'))],
  'a list': [box('udta', unknown, meta('mdir', oldList, box('free', Buffer.alloc(30)))), box('free')],
  'a list as QuickTime wraps it': [box('udta', mp4.plainMeta(oldList))],
}
const shapes: Record<string, Parameters<typeof m4a>[0]> = {
  'sound at the end': {},
  'sound at the start': { isSoundFirst: true },
  'places of eight bytes': { width: 8 },
  'places of eight bytes and sound at the start': { width: 8, isSoundFirst: true },
  'long boxes': {
    wrapMovie: (...inside) => mp4.longBox('moov', ...inside),
    wrapSound: (...inside) => mp4.longBox('mdat', ...inside),
  },
  'sound that goes to the end of the file': { wrapSound: (...inside) => mp4.openBox('mdat', ...inside) },
  'a movie that goes to the end of the file': {
    isSoundFirst: true,
    wrapMovie: (...inside) => mp4.openBox('moov', ...inside),
  },
  'sound in two boxes': { behind: [box('free', Buffer.alloc(5)), box('mdat', Buffer.alloc(70, 3))] },
}
const cases = Object.entries(movies).flatMap(([movie, inMovie]) =>
  Object.entries(shapes).map(([shape, parts]) => [movie, shape, m4a({ ...parts, inMovie })] as const),
)

test.each(cases)('a file with %s and %s gets its tags, and its sound is found again', async (_movie, _shape, old) => {
  const file = (await withTags(old, M4A)) as Buffer
  expect(await tagsIn(file, M4A)).toEqual(allTags)
  expect(mp4.chunksOf(file)).toEqual(mp4.chunks)
  expect(mp4.boxNames(file)).toEqual(mp4.boxNames(old))
  expect(file.includes('Old')).toBe(false)
  for (const kept of [encoder, unknown]) expect(file.includes(kept)).toBe(old.includes(kept))
  // What is written again changes nothing any more but the order of the items.
  expect(await withTags(file, M4A)).toHaveLength(file.length)
})

test('only the tags that are given are written', async () => {
  const old = m4a({ inMovie: movies['a list'] })
  const file = await withTags(old, M4A, { album: 'Lighthouse Radio' })
  expect(await tagsIn(file, M4A)).toMatchObject({ title: 'Old title', album: 'Lighthouse Radio', artist: 'Old artist' })
  expect(await withTags(old, M4A, noTags)).toEqual(old)
})

test('user data come in front of the zeros that end a movie', async () => {
  const file = (await withTags(m4a({ inMovie: [unknown, Buffer.alloc(4)] }), M4A)) as Buffer
  const at = file.indexOf(unknown) + unknown.length
  expect(mp4.boxNames(file.subarray(at, at + file.readUInt32BE(at)))).toEqual(['udta'])
  expect(mp4.chunksOf(file)).toEqual(mp4.chunks)
})

test('a list comes in front of the zeros that end user data', async () => {
  const file = (await withTags(m4a({ inMovie: [box('udta', unknown, Buffer.alloc(4))] }), M4A)) as Buffer
  const at = file.indexOf('udta') + 4
  const list = file.readUInt32BE(at)
  expect(mp4.boxNames(file.subarray(at, at + list + unknown.length))).toEqual(['meta', 'Xtra'])
  expect(file.subarray(at + list + unknown.length).subarray(0, 4)).toEqual(Buffer.alloc(4))
  expect(mp4.chunksOf(file)).toEqual(mp4.chunks)
})

test('a JPEG is a cover as well', async () => {
  const cover = { type: 'image/jpeg', bytes: Buffer.alloc(70_000, 5) }
  const file = await withTags(m4a(), M4A, { cover })
  expect(await tagsIn(file, M4A)).toMatchObject({ cover })
  expect(mp4.chunksOf(file as Buffer)).toEqual(mp4.chunks)
})

test('a file in fragments is left alone', async () => {
  expect(await withTags(m4a({ inMovie: [box('mvex')] }), M4A)).toBe('fragments')
  for (const name of ['moof', 'sidx', 'mfra'])
    expect(await withTags(m4a({ behind: [box(name, Buffer.alloc(9))] }), M4A)).toBe('fragments')
})

test('lists that name their items otherwise, and places that are kept elsewhere, are left alone', async () => {
  const list = box('udta', meta('mdir', oldList))
  for (const inMovie of [
    [box('udta', meta('mdta', oldList))],
    [list, list],
    [box('udta', meta('mdir', oldList), meta('mdir', oldList))],
    [box('udta', box('meta', Buffer.alloc(4), oldList))],
    [box('trak', box('mdia', box('minf', box('stbl', box('saio', Buffer.alloc(12))))))],
  ])
    expect(await withTags(m4a({ inMovie }), M4A)).toBe('unsupported-tags')
  expect(await withTags(m4a({ behind: [meta('pict')] }), M4A)).toBe('unsupported-tags')
})

test('a file that is cut, at whatever byte, is left alone', async () => {
  const whole = m4a({ inMovie: movies['a list'], isSoundFirst: true })
  for (let length = 0; length < whole.length; length += 3)
    expect(await withTags(whole.subarray(0, length), M4A)).toBe('malformed')
  const movieFirst = m4a()
  for (let length = 0; length < movieFirst.length; length += 3)
    expect(await withTags(movieFirst.subarray(0, length), M4A)).toBe('malformed')
})

test('only a box that is in no other may go to the end of the file', async () => {
  const inMovie = [box('udta', meta('mdir', mp4.openBox('ilst', encoder)))]
  expect(await withTags(m4a({ inMovie, isSoundFirst: true }), M4A)).toBe('malformed')
})

test('places within the movie, and tables longer than their box, are left alone', async () => {
  const table = (name: string, ...inside: Uint8Array[]) =>
    box('trak', box('mdia', box('minf', box('stbl', box(name, ...inside)))))
  const u32 = (value: number) => Buffer.from([24, 16, 8, 0].map(shift => (value >>> shift) & 255))
  for (const inMovie of [
    [table('stco', u32(0), u32(1), u32(40))],
    [table('stco', u32(0), u32(2), u32(40_000))],
    [table('co64', u32(0), u32(0xffffffff), u32(40))],
    [table('stco', u32(0))],
  ])
    expect(await withTags(m4a({ inMovie }), M4A)).toBe('malformed')
  const distant = m4a({
    inMovie: [table('stco', u32(0), u32(1), u32(0xffffffff))],
    wrapSound: (...inside) => mp4.openBox('mdat', ...inside),
  })
  expect(await withTags(distant, M4A)).toBe('malformed')
  // In a file that is as long as it says, the place needs more bytes than the table has.
  const path = join(temporaryFolder(), 'distant')
  await Bun.write(path, distant)
  await truncate(path, 5_000_000_000)
  expect(await writeTags({ path, type: M4A, tags: allTags, limits: mediaLimits })).toMatchObject({
    refusal: 'too-large',
  })
})

test('a file of more boxes or longer tables than any needs is left alone', async () => {
  const list = box('ilst', Buffer.alloc(30_000 * encoder.length, encoder))
  expect(await withTags(m4a({ inMovie: [box('udta', meta('mdir', list))] }), M4A)).toBe('too-large')
  expect(await withTags(hostileMedia['an MP4 of 200,000 tracks']!.make(), M4A)).toBe('too-large')
  const place = Buffer.alloc(13_000_000)
  const table = box('stco', Buffer.from([0, 0, 0, 0, 0, 0x31, 0x97, 0x50]), place)
  const track = box('trak', box('mdia', box('minf', box('stbl', table))))
  expect(await withTags(m4a({ inMovie: [track] }), M4A)).toBe('too-large')
  expect(await withTags(m4a(), M4A, allTags, { ...mediaLimits, reads: 5 })).toBe('too-large')
})

test('boxes within boxes are not followed', async () => {
  expect(await tagsIn(await withTags(hostileMedia['an MP4 of 15 million samples']!.make(0.1), M4A), M4A)).toMatchObject(
    {
      title: allTags.title,
    },
  )
  expect(await withTags(hostileMedia['an MP4 of boxes within boxes']!.make(), M4A)).toBeInstanceOf(Buffer)
})
