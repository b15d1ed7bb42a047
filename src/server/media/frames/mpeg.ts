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
  /** Bytes of the header with its check sum, and of the side information that layer III has behind it. */
  head: number
  side: number
  isFirstVersion: boolean
}

/** Reads the header of a frame; null where none begins. */
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

/** Lengths of the whole as the first frame states them, where it holds an encoder's numbers instead of sound. */
export type StatedLength = { frames: number | null; bytes: number | null }

/**
 * Reads the numbers of an encoder in a frame; null where it holds sound.
 * http://gabriel.mp3-tech.org/mp3infotag.html, https://www.codeproject.com/Articles/8295/MPEG-Audio-Frame-Header
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
