import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { mediaLimits } from '../../../src/server/media/limits'
import { numberTag } from '../../../src/server/media/write-tags'
import { readMedia } from '../../../src/server/media/read'
import { temporaryFolder } from '../../support/app'
import { silentMp3, wav, withChapters } from '../../support/builders'

const folder = temporaryFolder()

async function read(bytes: Uint8Array, type = 'audio/mpeg') {
  const path = join(folder, String(Bun.hash(bytes)))
  await Bun.write(path, bytes)
  return { path, ...(await readMedia({ path, type, limits: mediaLimits })) }
}

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const synchsafe = (value: number) => Buffer.from([21, 14, 7, 0].map(shift => (value >>> shift) & 127))
const latin = (text: string) => Buffer.from(text, 'latin1')
const zero = Buffer.alloc(1)

/** A frame of ID3v2.4, and a tag of them. */
const frame = (id: string, body: Buffer, format = 0) =>
  Buffer.concat([latin(id), synchsafe(body.length), Buffer.from([0, format]), body])
const tag = (frames: Buffer[], { flags = 0, version = 4 } = {}) => {
  const body = Buffer.concat(frames)
  return Buffer.concat([latin('ID3'), Buffer.from([version, 0, flags]), synchsafe(body.length), body])
}
const utf16 = (text: string) => Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const chapter = (name: string, start: number, end: number, ...inside: Buffer[]) =>
  frame('CHAP', Buffer.concat([latin(name), zero, u32(start), u32(end), Buffer.alloc(8, 255), ...inside]))
const link = (address: string) =>
  frame('WXXX', Buffer.concat([Buffer.from([0]), latin('chapter url'), zero, latin(address)]))

describe('chapters of an MP3', () => {
  test('have titles in any encoding, links, and an end where there is one', async () => {
    const facts = await read(
      Buffer.concat([
        tag([
          frame('TIT2', utf16('The whole')),
          chapter('b', 5000, 5000, frame('TIT2', Buffer.concat([Buffer.from([3]), Buffer.from('Zürich')]))),
          chapter('a', 0, 5000, frame('TIT2', utf16('Übersicht')), link('https://a.example/x')),
        ]),
        silentMp3(20),
      ]),
    )
    expect(facts).toMatchObject({ duration: 20, unread: null })
    expect(facts.chapters).toEqual([
      { startMs: 0, endMs: 5000, title: 'Übersicht', href: 'https://a.example/x', imageUrl: null },
      { startMs: 5000, endMs: null, title: 'Zürich', href: null, imageUrl: null },
    ])
  })

  test('are those of the table of contents, where there is one', async () => {
    const shown = frame('CTOC', Buffer.concat([latin('toc'), zero, Buffer.from([3, 2]), latin('a\0c\0')]))
    const named = (name: string, start: number) => chapter(name, start, start + 10, frame('TIT2', utf16(name)))
    const { chapters } = await read(
      Buffer.concat([tag([shown, named('a', 0), named('b', 10), named('c', 20)]), silentMp3(3)]),
    )
    expect(chapters.map(({ title }) => title)).toEqual(['a', 'c'])
  })

  test('are found behind pictures of twenty megabytes, and in a second tag', async () => {
    const picture = frame('APIC', Buffer.alloc(20_000_000, 7))
    const { chapters, duration } = await read(
      Buffer.concat([
        tag([picture, chapter('a', 0, 10, frame('TIT2', utf16('One')))]),
        tag([chapter('b', 10, 20, frame('TIT2', utf16('Two')))]),
        silentMp3(3),
      ]),
    )
    expect(chapters.map(({ title }) => title)).toEqual(['One', 'Two'])
    expect(duration).toBe(3)
  })

  test('are found where bytes were stuffed, whole tag or frame', async () => {
    const stuffed = (bytes: Buffer) => Buffer.from([...bytes].flatMap(byte => (byte === 0xff ? [byte, 0] : [byte])))
    const plain = chapter('a', 0, 10, frame('TIT2', utf16('One')))
    const byFrame = frame('CHAP', stuffed(plain.subarray(10)), 0x02)
    expect((await read(Buffer.concat([tag([byFrame]), silentMp3(3)]))).chapters).toMatchObject([{ title: 'One' }])
    const whole = withChapters(silentMp3(3), [{ start: 0, end: 10, title: 'One' }])
    const frames = stuffed(Buffer.from(whole.subarray(10, whole.length - silentMp3(3).length)))
    const byTag = Buffer.concat([tag([frames], { version: 3, flags: 0x80 }), silentMp3(3)])
    expect((await read(byTag)).chapters).toMatchObject([{ title: 'One' }])
  })

  test('are none where the tag is cut, compressed, or of another kind', async () => {
    const cut = tag([chapter('a', 0, 10, frame('TIT2', utf16('One')))]).subarray(0, 40)
    expect(await read(Buffer.concat([cut, silentMp3(3)]))).toMatchObject({ chapters: [], unread: null })
    const compressed = frame('CHAP', Buffer.alloc(40, 1), 0x08)
    expect((await read(Buffer.concat([tag([compressed]), silentMp3(3)]))).chapters).toEqual([])
    expect((await read(Buffer.concat([tag([Buffer.alloc(50)], { version: 2 }), silentMp3(3)]))).chapters).toEqual([])
  })
})

test('a thousand chapters with pictures and links are within bounds', async () => {
  const chapters = Array.from({ length: 1000 }, (_, index) =>
    chapter(
      `c${index}`,
      index * 1000,
      index * 1000 + 999,
      frame('TIT2', utf16(`Part ${index}`)),
      link('https://a.example/'),
      frame('APIC', Buffer.alloc(10_000)),
    ),
  )
  const facts = await read(Buffer.concat([tag(chapters), silentMp3(3)]))
  expect([facts.chapters.length, facts.unread]).toEqual([1000, null])
})

test('the length of bare AAC follows from its first frames', async () => {
  // 300 bytes for 1024 samples at 44.1 kHz.
  const frame = Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x25, 0x9f, 0xfc]), Buffer.alloc(293)])
  const facts = await read(Buffer.alloc(300 * 2584, frame), 'audio/aac')
  expect(facts).toMatchObject({ duration: 60, unread: null })
})

test('the length of a WAV and of an Ogg are what they say', async () => {
  expect(await read(wav([[7, 'tone']]), 'audio/wav')).toMatchObject({ duration: 7, unread: null })
  const page = (kind: number, granule: bigint, body: Buffer) => {
    const header = Buffer.concat([
      latin('OggS'),
      Buffer.from([0, kind]),
      Buffer.alloc(20),
      Buffer.from([1, body.length]),
    ])
    header.writeBigInt64LE(granule, 6)
    return Buffer.concat([header, body])
  }
  const head = Buffer.concat([latin('OpusHead'), Buffer.from([1, 1, 0x38, 1]), Buffer.alloc(7)])
  // It begins with 312 samples that nobody hears; the last page has no end of a packet in it.
  const opus = [page(2, 0n, head), page(0, 48_000n * 90n + 312n, Buffer.alloc(200)), page(0, -1n, Buffer.alloc(200))]
  expect(await read(Buffer.concat(opus), 'audio/ogg')).toMatchObject({ duration: 90, unread: null })
  expect(await read(latin('OggS but nothing more'), 'audio/ogg')).toMatchObject({ duration: null, chapters: [] })
})

test('chapters of a FLAC are found behind a picture of twelve megabytes', async () => {
  const block = (kind: number, body: Buffer) => {
    const header = Buffer.from([kind, 0, 0, 0])
    header.writeUIntBE(body.length, 1, 3)
    return Buffer.concat([header, body])
  }
  const text = (words: string) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(words))
    return Buffer.concat([length, Buffer.from(words)])
  }
  const LAST = 0x80
  const info = Buffer.alloc(34)
  info.writeUIntBE(44_100 << 4, 10, 3)
  info.writeUInt32BE(44_100 * 90, 14)
  const comments = [
    'TITLE=Fog',
    'CHAPTER001=00:01:02.500',
    'chapter001name=Übersicht',
    'CHAPTER001URL=https://a.example/',
  ]
  const count = Buffer.from([comments.length, 0, 0, 0])
  const bytes = Buffer.concat([
    latin('fLaC'),
    block(0, info),
    block(6, Buffer.alloc(12_000_000)),
    block(4 | LAST, Buffer.concat([text('writer'), count, ...comments.map(text)])),
  ])
  const { duration, chapters, unread } = await read(bytes, 'audio/x-flac')
  expect({ duration, chapters, unread }).toEqual({
    duration: 90,
    chapters: [{ startMs: 62_500, endMs: null, title: 'Übersicht', href: 'https://a.example/', imageUrl: null }],
    unread: null,
  })
})

test('a tag of more frames than anybody writes is not numbered', async () => {
  const { path } = await read(
    Buffer.concat([tag(Array.from({ length: 10_001 }, () => frame('TXXX', zero))), silentMp3(3)]),
  )
  expect(await numberTag({ path, number: '7', title: 'Fog', limits: mediaLimits })).toBeNull()
  const plain = await read(Buffer.concat([tag([frame('TIT2', utf16('Fog'))]), silentMp3(3)]))
  const numbered = await numberTag({ path: plain.path, number: '7', title: 'Fog', limits: mediaLimits })
  expect(Buffer.from(numbered!.tag).toString('utf8')).toContain('7 Fog')
})

/** Frames of MPEG-1, layer III, at 44.1 kHz: `index` is that of their bit rate. */
function frames(index: number, count: number): Buffer {
  const bitRate = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128][index]!
  const frame = Buffer.alloc(Math.floor((144_000 * bitRate) / 44_100))
  frame.set([0xff, 0xfb, index << 4, 0xc4])
  return Buffer.alloc(frame.length * count, frame)
}
const SECONDS = 1800
const perSecond = 44_100 / 1152
/** A minute of 32 kbit/s, and 128 kbit/s from then on, without the header of an encoder. */
const unlabelled = Buffer.concat([
  frames(1, Math.ceil(60 * perSecond)),
  frames(9, Math.ceil((SECONDS - 60) * perSecond)),
])

describe('an MP3 of several bit rates without an encoder’s header', () => {
  test('has the length of its frames, which are all counted', async () => {
    const facts = await read(unlabelled)
    expect(facts).toMatchObject({ duration: SECONDS, isEstimate: false })
    const damaged = Buffer.concat([
      unlabelled.subarray(0, 100_000),
      Buffer.alloc(5000, 0x55),
      unlabelled.subarray(100_000),
    ])
    expect((await read(damaged)).duration).toBeWithin(SECONDS - 1, SECONDS + 1)
  })

  test.each([
    ['takes too long', { soundMs: 0 }],
    ['needs more reading than is allowed', { soundBytes: 3 * 1024 * 1024 }],
  ])('has an estimated one where counting them %s', async (_, limits) => {
    const { path } = await read(unlabelled)
    const facts = await readMedia({ path, type: 'audio/mpeg', limits: { ...mediaLimits, ...limits } })
    expect(facts).toMatchObject({ isEstimate: true })
    expect(facts.duration).toBeGreaterThan(0)
  })
})

test('an encoder’s header is believed if it was made for this file, and not for a part of it', async () => {
  const info = frames(1, 1)
  info.write('Xing', 21, 'latin1')
  info.writeUInt32BE(3, 25)
  info.writeUInt32BE(12_345, 29)
  info.writeUInt32BE(unlabelled.length, 33)
  const stated = (12_345 / perSecond) | 0
  expect(await read(Buffer.concat([info, unlabelled]))).toMatchObject({ duration: stated, isEstimate: false })
  const withAdvertising = Buffer.concat([info, unlabelled, frames(9, 10_000)])
  expect((await read(withAdvertising)).duration).toBe(Math.floor(SECONDS + 10_000 / perSecond))
})

test('garbage in which frames are searched has no length', async () => {
  expect(await read(Buffer.alloc(100_000, 0xff))).toMatchObject({ duration: null, isEstimate: false })
})
