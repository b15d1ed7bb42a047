import { silentMp3, wav } from './builders'

/**
 * Media files that are made to hurt whoever looks into them: small in what they say, huge in what a reader makes of it.
 * Each begins as its kind does and is sent as `type`; the sound behind it, where there is any, plays. `make` takes
 * which share of the repeated part to make, 1 unless told otherwise. `isHarmless`: what hurts in it need not be read to
 * know its length and its chapters, and it is always made whole.
 */
export type HostileMedia = { type: string; make: (share?: number) => Uint8Array; isHarmless?: true }

const latin = (text: string) => Buffer.from(text, 'latin1')
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
const u32le = (value: number) => Buffer.from(u32(value)).reverse()
const synchsafe = (value: number) => Buffer.from([21, 14, 7, 0].map(shift => (value >>> shift) & 127))
const repeat = (unit: Buffer, count: number) => Buffer.alloc(unit.length * count, unit)

// ID3v2.3, https://id3.org/id3v2.3.0
const frame = (id: string, body: Buffer) => Buffer.concat([latin(id), u32(body.length), Buffer.alloc(2), body])
const title = (text: string) => frame('TIT2', Buffer.concat([Buffer.alloc(1), latin(text)]))
const id3 = (frames: Buffer) => Buffer.concat([latin('ID3'), Buffer.from([3, 0, 0]), synchsafe(frames.length), frames])
const chapter = (name: string, inside: Buffer) =>
  frame('CHAP', Buffer.concat([latin(name), Buffer.alloc(1), u32(0), u32(1000), Buffer.alloc(8, 255), inside]))
const tagged = (frames: Buffer) => Buffer.concat([id3(frames), silentMp3(3)])

function manyChapters(count: number): Buffer {
  const unit = chapter('00000000', title('x'))
  const frames = repeat(unit, count)
  const at = frame('CHAP', Buffer.alloc(0)).length
  for (let index = 0; index < count; index++) {
    const place = index * unit.length + at
    frames.write(String(index).padStart(8, '0'), place, 'latin1')
    frames.writeUInt32BE(index * 10, place + 9)
  }
  return frames
}

// APEv2 with its footer, behind the sound: https://wiki.hydrogenaud.io/index.php?title=APEv2_specification
function apeTag(count: number): Buffer {
  const items = repeat(Buffer.concat([u32le(1), u32le(0), latin('ISRC'), Buffer.from([0, 0x61])]), count)
  const footer = [latin('APETAGEX'), u32le(2000), u32le(items.length + 32), u32le(count), u32le(0), Buffer.alloc(8)]
  return Buffer.concat([items, ...footer])
}

// ISO base media file format: a box is its length, its name and what is in it.
const box = (name: string, ...inside: Buffer[]) => {
  const length = inside.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([u32(length), latin(name), ...inside])
}
const mp4 = (...moov: Buffer[]) =>
  Buffer.concat([
    box('ftyp', latin('M4A '), u32(0), latin('M4A mp42')),
    box('moov', ...moov),
    box('mdat', Buffer.alloc(64)),
  ])
const movieHeader = box('mvhd', Buffer.alloc(12), u32(1000), u32(3000), Buffer.alloc(80))
const track = (...tables: Buffer[]) =>
  box(
    'trak',
    box('tkhd', Buffer.alloc(84)),
    box(
      'mdia',
      box('mdhd', Buffer.alloc(12), u32(1000), u32(3000), Buffer.alloc(4)),
      box('hdlr', Buffer.alloc(8), latin('soun'), Buffer.alloc(13)),
      box('minf', box('stbl', ...tables)),
    ),
  )
/** A box in a box in a box: each holds all that are within it. */
function nested(name: string, depth: number): Buffer {
  const bytes = Buffer.alloc(8 * depth)
  for (let level = 0; level < depth; level++) {
    bytes.writeUInt32BE(8 * (depth - level), 8 * level)
    bytes.write(name, 8 * level + 4, 'latin1')
  }
  return bytes
}

/** A packet of Ogg in as many pages as it takes, then one page that ends the stream. */
function ogg(packets: Buffer[], granule: number): Buffer {
  const pages: Buffer[] = []
  const page = (kind: number, position: number, segments: Buffer, body: Buffer) =>
    pages.push(
      Buffer.concat([
        latin('OggS'),
        Buffer.from([0, kind]),
        u32le(position),
        Buffer.alloc(4),
        u32le(7),
        u32le(pages.length),
        Buffer.alloc(4),
        Buffer.from([segments.length]),
        segments,
        body,
      ]),
    )
  for (const [place, packet] of packets.entries()) {
    for (let at = 0; at < packet.length || at === 0; at += 255 * 255) {
      const body = packet.subarray(at, at + 255 * 255)
      const isLast = at + 255 * 255 > packet.length
      const segments = Buffer.alloc(Math.floor(body.length / 255), 255)
      const kind = place === 0 ? 2 : at > 0 ? 1 : 0
      page(kind, 0, isLast ? Buffer.concat([segments, Buffer.from([body.length % 255])]) : segments, body)
    }
  }
  page(4, granule, Buffer.from([1]), Buffer.alloc(1))
  return Buffer.concat(pages)
}
const comments = (count: number) =>
  Buffer.concat([u32le(0), u32le(count), repeat(Buffer.concat([u32le(6), latin('ISRC=x')]), count)])

const streamInfo = Buffer.from('1000100000000000000ac440f000020400'.padEnd(68, '0'), 'hex')
const flac = (block: Buffer) =>
  Buffer.concat([
    latin('fLaC'),
    Buffer.from([0, 0, 0, 34]),
    streamInfo,
    u32((0x84 << 24) | block.length),
    block,
    Buffer.alloc(1024),
  ])

/** Chunks in a WAV file, before its sound. */
function riff(...chunks: Buffer[]): Buffer {
  const plain = Buffer.from(wav([[3, 'tone']]))
  const body = Buffer.concat([plain.subarray(8, 36), ...chunks, plain.subarray(36)])
  return Buffer.concat([latin('RIFF'), u32le(body.length), body])
}
const chunk = (name: string, body: Buffer) =>
  Buffer.concat([latin(name), u32le(body.length), body, Buffer.alloc(body.length % 2)])

// EBML: an element is its number, its length in eight bytes and what is in it.
const element = (number: string, body: Buffer) => {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(body.length) | (1n << 56n))
  return Buffer.concat([Buffer.from(number, 'hex'), length, body])
}
const webm = (...segment: Buffer[]) =>
  Buffer.concat([element('1a45dfa3', element('4282', latin('webm'))), element('18538067', Buffer.concat(segment))])

const matroskaChapter = element(
  'b6',
  Buffer.concat([element('91', Buffer.from([1])), element('80', element('85', latin('x')))]),
)
/** MPEG-2, layer III, 8 kbit/s at 24 kHz. */
const shortFrame = Buffer.concat([Buffer.from([0xff, 0xf3, 0x14, 0xc4]), Buffer.alloc(20)])
/** AC-3, 32 kbit/s at 48 kHz. */
const ac3Frame = Buffer.concat([Buffer.from([0x0b, 0x77, 0, 0, 0, 0x40]), Buffer.alloc(122)])
/** A packet with a time of a stream of sound. https://www.itu.int/rec/T-REC-H.222.0 */
const transportPacket = Buffer.concat([
  Buffer.from([0x47, 0x41, 0, 0x10, 0, 0, 1, 0xc0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1]),
  Buffer.alloc(170, 255),
])

export const hostileMedia: Record<string, HostileMedia> = {
  'an MP3 of 600,000 chapters': { type: 'audio/mpeg', make: (share = 1) => tagged(manyChapters(600_000 * share)) },
  'an MP3 of 1.5 million titles': {
    type: 'audio/mpeg',
    make: (share = 1) => tagged(repeat(title('x'), 1_500_000 * share)),
  },
  'an MP3 whose chapter has a million titles': {
    type: 'audio/mpeg',
    make: (share = 1) => tagged(chapter('one', repeat(title('x'), 1_000_000 * share))),
  },
  'an MP3 of chapters within chapters': {
    type: 'audio/mpeg',
    isHarmless: true,
    make: () => tagged(Array.from({ length: 2000 }).reduce<Buffer>(inside => chapter('c', inside), title('x'))),
  },
  'an MP3 of a million tables of contents': {
    type: 'audio/mpeg',
    make: (share = 1) =>
      tagged(
        repeat(frame('CTOC', Buffer.concat([Buffer.from([0x61, 0, 3, 255]), latin('a\0b\0')])), 1_000_000 * share),
      ),
  },
  'an MP3 of a thousand tags': {
    type: 'audio/mpeg',
    isHarmless: true,
    make: () => Buffer.concat([repeat(id3(Buffer.alloc(0)), 1000), silentMp3(3)]),
  },
  'an MP3 whose tag is 200 MB of nothing': {
    type: 'audio/mpeg',
    make: (share = 1) => tagged(Buffer.alloc(200_000_000 * share)),
  },
  'an MP3 with a million items behind its sound': {
    type: 'audio/mpeg',
    isHarmless: true,
    make: () => Buffer.concat([silentMp3(3), apeTag(1_000_000)]),
  },
  'an MP3 of a million frames that are as short as can be': {
    type: 'audio/mpeg',
    isHarmless: true,
    make: () => repeat(shortFrame, 1_000_000),
  },
  'an MP3 of frames that each end in garbage': {
    type: 'audio/mpeg',
    isHarmless: true,
    make: () =>
      Buffer.concat([silentMp3(3), repeat(Buffer.concat([repeat(shortFrame, 3), Buffer.alloc(40, 255)]), 200_000)]),
  },
  'an MP4 of 400,000 tags': {
    type: 'audio/mp4',
    make: (share = 1) => {
      const item = box('\u00a9nam', box('data', u32(1), u32(0), latin('x')))
      return mp4(
        movieHeader,
        box('udta', box('meta', u32(0), box('hdlr', Buffer.alloc(24)), box('ilst', repeat(item, 400_000 * share)))),
      )
    },
  },
  'an MP4 of boxes within boxes': {
    type: 'audio/mp4',
    make: (share = 1) => mp4(movieHeader, nested('udta', 1_000_000 * share)),
  },
  'an MP4 of 15 million samples': {
    type: 'audio/mp4',
    make: (share = 1) =>
      mp4(
        movieHeader,
        track(box('stsz', u32(0), u32(0), u32(15_000_000 * share), Buffer.alloc(60_000_000 * share, 1))),
      ),
  },
  'an MP4 of 7 million times': {
    type: 'audio/mp4',
    make: (share = 1) =>
      mp4(movieHeader, track(box('stts', u32(0), u32(7_000_000 * share), Buffer.alloc(56_000_000 * share, 1)))),
  },
  'an MP4 of 200,000 tracks': {
    type: 'audio/mp4',
    make: (share = 1) => mp4(movieHeader, repeat(box('trak', box('tkhd', Buffer.alloc(84))), 200_000 * share)),
  },
  'an Ogg of two million comments': {
    type: 'audio/ogg',
    make: (share = 1) => {
      const identification = Buffer.concat([
        Buffer.from([1]),
        latin('vorbis'),
        u32le(0),
        Buffer.from([1]),
        u32le(8000),
        Buffer.alloc(12),
        Buffer.from([0xb8, 1]),
      ])
      const packet = Buffer.concat([Buffer.from([3]), latin('vorbis'), comments(2_000_000 * share), Buffer.from([1])])
      return ogg([identification, packet], 24_000)
    },
  },
  'an Opus file of two million comments': {
    type: 'audio/ogg',
    make: (share = 1) => {
      const head = Buffer.concat([latin('OpusHead'), Buffer.from([1, 1, 0, 0]), u32le(48_000), Buffer.alloc(3)])
      return ogg([head, Buffer.concat([latin('OpusTags'), comments(2_000_000 * share)])], 144_000)
    },
  },
  'an Opus file whose comments are in a million pages without a byte': {
    type: 'audio/ogg',
    isHarmless: true,
    make: () => {
      const head = Buffer.concat([latin('OpusHead'), Buffer.from([1, 1, 0, 0]), u32le(48_000), Buffer.alloc(3)])
      const plain = ogg([head, Buffer.concat([latin('OpusTags'), comments(1)])], 144_000)
      return Buffer.concat([
        plain.subarray(0, 47),
        repeat(plain.subarray(-29, -1).fill(0, 26), 1_000_000),
        plain.subarray(47),
      ])
    },
  },
  'a FLAC of 1.6 million comments': { type: 'audio/flac', make: (share = 1) => flac(comments(1_600_000 * share)) },
  'a FLAC that announces four billion comments': {
    type: 'audio/flac',
    isHarmless: true,
    make: () => flac(Buffer.concat([u32le(0), u32le(0xffffffff), Buffer.alloc(100)])),
  },
  'a WAV of 1.5 million titles': {
    type: 'audio/wav',
    make: (share = 1) => riff(chunk('id3 ', id3(repeat(title('x'), 1_500_000 * share)))),
  },
  'a WAV of a million chunks': {
    type: 'audio/wav',
    make: (share = 1) => riff(repeat(chunk('junk', Buffer.alloc(2)), 1_000_000 * share)),
  },
  'a WAV of a million notes': {
    type: 'audio/wav',
    make: (share = 1) =>
      riff(chunk('LIST', Buffer.concat([latin('INFO'), repeat(chunk('INAM', latin('x\0')), 1_000_000 * share)]))),
  },
  'a WebM of 500,000 tags': {
    type: 'video/webm',
    isHarmless: true,
    make: () =>
      webm(element('1254c367', repeat(element('7373', element('67c8', element('45a3', latin('x')))), 500_000))),
  },
  'a WebM of a million clusters': {
    type: 'video/webm',
    isHarmless: true,
    make: () => webm(repeat(element('1f43b675', Buffer.alloc(0)), 1_000_000)),
  },
  'a WebM of a million elements without a byte': {
    type: 'video/webm',
    make: (share = 1) => webm(repeat(element('ec', Buffer.alloc(0)), 1_000_000 * share)),
  },
  'a WebM of 300,000 chapters': {
    type: 'video/webm',
    make: (share = 1) => webm(element('1043a770', element('45b9', repeat(matroskaChapter, 300_000 * share)))),
  },
  'a WebM of a million names of a chapter': {
    type: 'video/webm',
    make: (share = 1) =>
      webm(
        element('1043a770', element('45b9', element('b6', repeat(element('80', Buffer.alloc(0)), 1_000_000 * share)))),
      ),
  },
  'a WebM whose index leads to itself': {
    type: 'video/webm',
    isHarmless: true,
    make: () =>
      webm(
        element(
          '114d9b74',
          repeat(
            element(
              '4dbb',
              Buffer.concat([element('53ab', Buffer.from('1043a770', 'hex')), element('53ac', Buffer.alloc(1))]),
            ),
            500,
          ),
        ),
      ),
  },
  'a transport stream of nothing but times': {
    type: 'video/mp2t',
    isHarmless: true,
    make: () => repeat(transportPacket, 200_000),
  },
  'an AC-3 of a million frames': {
    type: 'audio/vnd.dolby.dd-raw',
    isHarmless: true,
    make: () => repeat(ac3Frame, 200_000),
  },
}

const openBox = (name: string) => Buffer.concat([u32(0), latin(name)])
const start = mp4().subarray(0, box('ftyp', latin('M4A '), u32(0), latin('M4A mp42')).length)

/** Beginnings of media files that end nowhere, and what may follow in them again and again. */
export const endlessMedia: readonly { begin: Buffer; units: readonly Buffer[] }[] = [
  {
    begin: Buffer.concat([latin('ID3'), Buffer.from([3, 0, 0]), synchsafe(1 << 20)]),
    units: [
      title('x'),
      title(''),
      chapter('c', title('x')),
      chapter('', Buffer.alloc(0)),
      frame('CTOC', latin('a\0\x03\x01b\0')),
    ],
  },
  {
    begin: Buffer.from(silentMp3(1)),
    units: [latin('ID3\x03\0\0\0\0\0\0'), Buffer.alloc(417), latin('\xff\xfb\x90'), Buffer.from(silentMp3(0.1))],
  },
  {
    begin: Buffer.concat([start, openBox('moov')]),
    units: [box('trak'), box('udta'), openBox('udta'), track(), movieHeader, box('free')],
  },
  {
    begin: Buffer.concat([start, openBox('moov'), openBox('udta'), openBox('meta'), u32(0), openBox('ilst')]),
    units: [box('\u00a9nam', box('data', u32(1), u32(0), latin('x'))), box('----'), box('covr', box('data'))],
  },
  {
    begin: Buffer.concat([latin('RIFF'), u32le(0xffffffff), latin('WAVE')]),
    units: [
      chunk('junk', Buffer.alloc(2)),
      chunk('LIST', Buffer.concat([latin('INFO'), chunk('INAM', latin('x\0'))])),
      chunk('data', Buffer.alloc(0)),
      chunk('id3 ', id3(title('x'))),
    ],
  },
  {
    begin: ogg(
      [Buffer.concat([latin('OpusHead'), Buffer.from([1, 1, 0, 0]), u32le(48_000), Buffer.alloc(3)])],
      1,
    ).subarray(0, 47),
    units: [ogg([Buffer.alloc(1)], 0), latin('OggS'), ogg([Buffer.concat([latin('OpusTags'), comments(1)])], 5)],
  },
  {
    begin: Buffer.concat([latin('fLaC'), Buffer.from([0, 0, 0, 34]), streamInfo]),
    units: [
      Buffer.from([1, 0, 0, 0]),
      Buffer.concat([Buffer.from([4, 0, 0, 18]), comments(1)]),
      Buffer.from([6, 0, 0, 1, 0]),
    ],
  },
  {
    begin: Buffer.concat([
      element('1a45dfa3', element('4282', latin('webm'))),
      Buffer.from('1853806701ffffffffffffff', 'hex'),
    ]),
    units: [
      element('1f43b675', Buffer.alloc(0)),
      element('1254c367', element('7373', element('67c8', Buffer.alloc(0)))),
      element('ec', Buffer.alloc(1)),
      element('1043a770', Buffer.alloc(0)),
    ],
  },
  {
    begin: Buffer.concat([
      element('1a45dfa3', element('4282', latin('webm'))),
      Buffer.from('1853806701ffffffffffffff1043a77001ffffffffffffff45b901ffffffffffffff', 'hex'),
    ]),
    units: [
      matroskaChapter,
      element('b6', Buffer.alloc(0)),
      element('80', element('85', latin('y'))),
      Buffer.from('b6ff', 'hex'),
    ],
  },
  {
    begin: flac(Buffer.concat([u32le(0), u32le(0xffffffff)])).subarray(0, -1024),
    units: [
      Buffer.concat([u32le(23), latin('CHAPTER001=00:00:01.000')]),
      Buffer.concat([u32le(16), latin('CHAPTER001NAME=x')]),
      u32le(0),
    ],
  },
  {
    begin: repeat(transportPacket, 3),
    units: [transportPacket, Buffer.alloc(188, 0x47), Buffer.alloc(4)],
  },
  {
    begin: repeat(ac3Frame, 3),
    units: [ac3Frame, ac3Frame.subarray(0, 6), Buffer.from([0x0b, 0x77])],
  },
  {
    begin: repeat(shortFrame, 3),
    units: [shortFrame, shortFrame.subarray(0, 4), Buffer.from([0xff, 0xff]), Buffer.alloc(9)],
  },
]
