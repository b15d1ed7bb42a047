import type { FrameFormat } from './walk'

// MPEG-1 (ISO/IEC 11172-3) and MPEG-2 (ISO/IEC 13818-3), and the unofficial half rates of version 2.5.
const layerOfBits = [null, 3, 2, 1] as const
const bitRates = {
  1: {
    1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  2: {
    1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
}

const rates = [44_100, 48_000, 32_000]

export type MpegHeader = {
  length: number
  samples: number
  rate: number
  kind: number
  layer: 1 | 2 | 3
  /** Bytes of the header with its checksum, and of the side information that follows it in layer III. */
  head: number
  side: number
  isFirstVersion: boolean
}

/** Reads the header of a frame; null if none begins. */
export function parseMpegHeader(bytes: Buffer, at: number): MpegHeader | null {
  const [first, second, third, fourth] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!]
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null
  const version = (second >> 3) & 3
  const layer = layerOfBits[(second >> 1) & 3]
  const rateIndex = (third >> 2) & 3
  if (version === 1 || !layer || rateIndex === 3) return null
  const isFirstVersion = version === 3
  const bitRate = bitRates[isFirstVersion ? 1 : 2][layer][third >> 4]
  if (!bitRate) return null
  const rate = rates[rateIndex]! / (isFirstVersion ? 1 : version === 2 ? 2 : 4)
  const samples = layer === 1 ? 384 : layer === 2 || isFirstVersion ? 1152 : 576
  // Layer I counts in slots of four bytes.
  const slot = layer === 1 ? 4 : 1
  const isMono = fourth >> 6 === 3
  return {
    length: (Math.floor((samples * bitRate * 125) / rate / slot) + ((third >> 1) & 1)) * slot,
    samples,
    rate,
    kind: (version << 4) | (layer << 2) | rateIndex,
    layer,
    head: second & 1 ? 4 : 6,
    side: isFirstVersion ? (isMono ? 17 : 32) : isMono ? 9 : 17,
    isFirstVersion,
  }
}

export const mpegFormat: FrameFormat = { sync: 0xff, headerBytes: 4, parse: parseMpegHeader }

/** Lengths of the whole file as stated by a first frame that holds an encoder's numbers instead of sound. */
type StatedLength = { frames: number | null; bytes: number | null }

/**
 * Reads the numbers of an encoder in a frame; null if it holds sound. http://gabriel.mp3-tech.org/mp3infotag.html,
 * https://www.codeproject.com/Articles/8295/MPEG-Audio-Frame-Header
 */
export function readStatedLength(frame: Buffer): StatedLength | null {
  const header = frame.length < 4 ? null : parseMpegHeader(frame, 0)
  if (header?.layer !== 3) return null
  const name = (place: number) => frame.toString('latin1', place, place + 4)
  const number = (place: number) => (place + 4 <= frame.length ? frame.readUInt32BE(place) || null : null)
  const xing = header.head + header.side
  if (/^(Xing|Info)$/.test(name(xing))) {
    const flags = frame[xing + 7] ?? 0
    const frames = flags & 1 ? number(xing + 8) : null
    return { frames, bytes: flags & 2 ? number(xing + (flags & 1 ? 12 : 8)) : null }
  }
  if (name(36) === 'VBRI') return { frames: number(50), bytes: number(46) }
  return null
}

/** Samples per second, by the index that AAC writes. */
export const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

const SAMPLES = 1024

/** https://wiki.multimedia.cx/index.php/ADTS */
export const adtsFormat: FrameFormat = {
  sync: 0xff,
  headerBytes: 7,
  parse(bytes, at) {
    if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return null
    const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5)
    const index = (bytes[at + 2]! >> 2) & 15
    const rate = aacRates[index]
    if (length < 7 || rate === undefined) return null
    return { length, samples: SAMPLES * ((bytes[at + 6]! & 3) + 1), rate, kind: index }
  },
}

// ATSC A/52: AC-3, and in its annex E the enhanced AC-3.
const ac3Rates = [48_000, 44_100, 32_000]
const ac3BitRates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
const BLOCK = 256
const blocks = [1, 2, 3, 6]
/** The kinds of both, which are not mixed in a stream. */
const ENHANCED = 8

export const ac3Format: FrameFormat = {
  sync: 0x0b,
  headerBytes: 6,
  parse(bytes, at) {
    if (bytes[at] !== 0x0b || bytes[at + 1] !== 0x77) return null
    const version = bytes[at + 5]! >> 3
    return version <= 10 ? parsePlain(bytes[at + 4]!, version) : version <= 16 ? parseEnhanced(bytes, at) : null
  },
}

function parsePlain(sizes: number, version: number) {
  const rateIndex = sizes >> 6
  const rate = ac3Rates[rateIndex]
  const bitRate = ac3BitRates[(sizes & 63) >> 1]
  if (!rate || !bitRate) return null
  // At 44.1 kHz frames alternate between two lengths.
  const words = Math.floor((96 * 1000 * bitRate) / rate) + (rateIndex === 1 ? sizes & 1 : 0)
  return { length: 2 * words, samples: 6 * BLOCK, rate: rate / 2 ** Math.max(0, version - 8), kind: rateIndex }
}

function parseEnhanced(bytes: Buffer, at: number) {
  const [third, fourth, fifth] = [bytes[at + 2]!, bytes[at + 3]!, bytes[at + 4]!]
  const rateIndex = fifth >> 6
  const half = (fifth >> 4) & 3
  const rate = rateIndex === 3 ? (ac3Rates[half] ?? 0) / 2 : ac3Rates[rateIndex]!
  if (rate === 0) return null
  // Frames of further channels, and of other programmes, sound at the same time as the first.
  const isFirst = third >> 6 !== 1 && ((third >> 3) & 7) === 0
  return {
    length: 2 * ((((third & 7) << 8) | fourth) + 1),
    samples: isFirst ? (rateIndex === 3 ? 6 : blocks[half]!) * BLOCK : 0,
    rate,
    kind: ENHANCED | rateIndex,
  }
}
