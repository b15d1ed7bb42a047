import { expect, test } from 'bun:test'
import { mediaLimits } from '../../../../src/server/media/limits'
import { hostileMedia } from '../../../support/hostile-media'
import { id3Frame, id3Tag, id3v1, latinText, sound, stuffed } from '../../../support/tagged-media'
import { allTags, parse, png, tagsIn, withTags } from '../../../support/written-tags'

const MP3 = 'audio/mpeg'

/** Frames of a version that say something else, and one that nobody knows, with bytes that look like sound. */
const others = (version: number) => {
  const [title, artist, picture, unknown] =
    version === 2 ? ['TT2', 'TP1', 'PIC', 'XYZ'] : ['TIT2', 'TPE1', 'APIC', 'XYZW']
  const format = version === 2 ? 'PNG' : 'image/png\0'
  return {
    replaced: Buffer.concat([
      id3Frame(version, title, latinText('Old title')),
      id3Frame(version, artist, latinText('Old artist')),
      id3Frame(version, picture, Buffer.concat([Buffer.from(`\0${format}\x03\0`, 'latin1'), Buffer.alloc(50, 1)])),
    ]),
    kept: id3Frame(version, unknown, Buffer.from([1, 0xff, 0, 0xff, 0xe0, 2])),
  }
}

function expectSound(file: unknown, behind = sound) {
  expect((file as Buffer).subarray(-behind.length).equals(behind)).toBe(true)
}

test('a file without a tag gets one in front of its sound', async () => {
  const file = await withTags(sound, MP3)
  expect(await tagsIn(file, MP3)).toEqual(allTags)
  expectSound(file)
  expect((await parse(file, MP3)).format.tagTypes).toEqual(['ID3v2.3'])
})

test.each([2, 3, 4])('a tag of version 2.%d keeps its version and every frame that is not replaced', async version => {
  const { replaced, kept } = others(version)
  const file = await withTags(Buffer.concat([id3Tag(version, Buffer.concat([kept, replaced])), sound, id3v1]), MP3)
  expect(await tagsIn(file, MP3)).toEqual(allTags)
  expectSound(file, Buffer.concat([sound, id3v1]))
  expect((file as Buffer)[3]).toBe(version)
  expect((file as Buffer).includes(kept)).toBe(true)
  expect((file as Buffer).includes('Old')).toBe(false)
})

test.each([2, 3])('a tag of version 2.%d whose bytes are stuffed is written without', async version => {
  const { replaced, kept } = others(version)
  const tag = id3Tag(version, stuffed(Buffer.concat([kept, replaced])), 0x80)
  const file = await withTags(Buffer.concat([tag, sound]), MP3)
  expect(await tagsIn(file, MP3)).toEqual(allTags)
  expect((file as Buffer)[5]).toBe(0)
  expect((file as Buffer).includes(kept)).toBe(true)
})

test('a frame of stuffed bytes stays as it is, and a tag that says so only of the whole is left alone', async () => {
  const body = stuffed(Buffer.from([1, 0xff, 0xe0]))
  const frame = id3Frame(4, 'XYZW', body, 0x02)
  const file = await withTags(Buffer.concat([id3Tag(4, frame, 0x80), sound]), MP3)
  expect((file as Buffer).includes(frame)).toBe(true)
  expect(await tagsIn(file, MP3)).toEqual(allTags)
  const unclear = id3Tag(4, id3Frame(4, 'XYZW', body), 0x80)
  expect(await withTags(Buffer.concat([unclear, sound]), MP3)).toBe('unsupported-tags')
  const harmless = id3Tag(4, id3Frame(4, 'XYZW', Buffer.from([1, 2])), 0x80)
  expect(await tagsIn(await withTags(Buffer.concat([harmless, sound]), MP3), MP3)).toEqual(allTags)
})

test('footer, extended header and padding end with the old tag', async () => {
  const { kept } = others(4)
  const extended = Buffer.from([0, 0, 0, 6, 1, 0])
  const tag = id3Tag(4, Buffer.concat([extended, kept, Buffer.alloc(100)]), 0x50)
  const file = (await withTags(Buffer.concat([tag, sound]), MP3)) as Buffer
  expect(await tagsIn(file, MP3)).toEqual(allTags)
  expectSound(file)
  expect([file.includes('3DI'), file.includes(kept)]).toEqual([false, true])
})

test('chapters stay byte for byte', async () => {
  const title = id3Frame(3, 'TIT2', latinText('The first'))
  const chapter = id3Frame(
    3,
    'CHAP',
    Buffer.concat([Buffer.from('a\0\0\0\0\0\0\0\x03\xe8', 'latin1'), Buffer.alloc(8, 255), title]),
  )
  const toc = id3Frame(3, 'CTOC', Buffer.from('toc\0\x03\x01a\0', 'latin1'))
  const file = await withTags(Buffer.concat([id3Tag(3, Buffer.concat([toc, chapter])), sound]), MP3)
  expect((file as Buffer).includes(Buffer.concat([toc, chapter]))).toBe(true)
  expect((await parse(file, MP3)).format.chapters).toMatchObject([{ title: 'The first' }])
})

test('only the tags that are given are written', async () => {
  const old = Buffer.concat([id3Frame(3, 'TIT2', latinText('Old title')), id3Frame(3, 'TYER', latinText('1999'))])
  const back = id3Frame(3, 'APIC', Buffer.concat([Buffer.from('\0image/png\0\x04\0', 'latin1'), png]))
  const bytes = Buffer.concat([id3Tag(3, Buffer.concat([old, back])), sound])
  const file = await withTags(bytes, MP3, { artist: 'Mara Field' })
  expect(await tagsIn(file, MP3)).toMatchObject({ title: 'Old title', artist: 'Mara Field', date: '1999' })
  const dated = (await withTags(bytes, MP3, { date: '2026-03-04', cover: allTags.cover })) as Buffer
  expect(await tagsIn(dated, MP3)).toMatchObject({ title: 'Old title', date: '2026-03-04' })
  // The back cover is another picture.
  expect([dated.includes('1999'), dated.includes(back)]).toEqual([false, true])
})

test.each([2, 3])('another picture than the front cover stays in a tag of version 2.%d', async version => {
  const [id, format] = version === 2 ? ['PIC', 'PNG'] : ['APIC', 'image/png\0']
  const picture = (kind: string) => id3Frame(version, id, Buffer.concat([Buffer.from(`\0${format}${kind}\0`), png]))
  const old = Buffer.concat([picture('\x03'), picture('\x04')])
  const file = await withTags(Buffer.concat([id3Tag(version, old), sound]), MP3, { cover: allTags.cover })
  expect((await parse(file, MP3)).common.picture).toHaveLength(2)
  expect((file as Buffer).includes(picture('\x04'))).toBe(true)
})

test('a cover of more than 8 MB is left out', async () => {
  const cover = (length: number) => ({ cover: { type: 'image/png', bytes: Buffer.alloc(length, 7) } })
  const most = 8 * 1024 * 1024
  expect((await withTags(sound, MP3, cover(most))).length).toBeGreaterThan(most)
  expect((await withTags(sound, MP3, cover(most + 1))).length).toBeLessThan(most)
})

test('texts become one line, and what no player reads is left out', async () => {
  const tags = { title: ' two\nlines\0 ', album: '\ud800'.padEnd(2000, 'x'), date: 'May', number: -1 }
  const written = await tagsIn(await withTags(sound, MP3, { ...tags, cover: { type: 'image/webp', bytes: png } }), MP3)
  expect(written).toMatchObject({ title: 'two lines', album: `\ufffd${'x'.repeat(999)}`, date: null, cover: null })
  expect(written.number).toBeNull()
})

test('a tag that is not understood to its end is left alone', async () => {
  const { kept } = others(3)
  const padded = id3Tag(3, Buffer.concat([kept, Buffer.alloc(100)]))
  for (const cut of [id3Tag(3, kept).subarray(0, -2), padded.subarray(0, -50)])
    expect(await withTags(cut, MP3)).toBe('unsupported-tags')
  const broken = id3Tag(3, Buffer.concat([kept, Buffer.from([0, 0, 7])]))
  expect(await withTags(Buffer.concat([broken, sound]), MP3)).toBe('unsupported-tags')
  // Lengths as version 2.3 writes them, in a tag of version 2.4.
  const large = id3Frame(3, 'XYZW', Buffer.alloc(300))
  expect(await withTags(Buffer.concat([id3Tag(4, Buffer.concat([large, kept])), sound]), MP3)).toBe('unsupported-tags')
  const extended = id3Tag(3, Buffer.concat([Buffer.from([0, 1, 0, 0]), kept]), 0x40)
  expect(await withTags(Buffer.concat([extended, sound]), MP3)).toBe('unsupported-tags')
  expect(await withTags(Buffer.concat([id3Tag(2, Buffer.alloc(20), 0x40), sound]), MP3)).toBe('unsupported-tags')
  expect(await withTags(Buffer.concat([id3Tag(5, kept), sound]), MP3)).toBe('unsupported-tags')
})

test('a tag beyond the limits is left alone', async () => {
  const { make } = hostileMedia['an MP3 of 1.5 million titles']!
  expect(await withTags(make(0.1), MP3)).toBe('too-large')
  const large = id3Tag(3, id3Frame(3, 'XYZW', Buffer.alloc(2000)))
  expect(await withTags(Buffer.concat([large, sound]), MP3, allTags, { ...mediaLimits, tagBytes: 1000 })).toBe(
    'too-large',
  )
})

test('a file of another kind is left alone', async () => {
  expect(await withTags(sound, 'audio/ogg')).toBe('unsupported-type')
})
