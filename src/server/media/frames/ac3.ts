import type { FrameFormat } from './walk'

// ATSC A/52: AC-3, and in its annex E the enhanced AC-3.
const rates = [48_000, 44_100, 32_000]
const bitRates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
const BLOCK = 256
const blocks = [1, 2, 3, 6]
/** The kinds of both, which do not mix in a stream. */
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
  const rate = rates[rateIndex]
  const bitRate = bitRates[(sizes & 63) >> 1]
  if (!rate || !bitRate) return null
  // At 44.1 kHz frames alternate between two lengths.
  const words = Math.floor((96 * 1000 * bitRate) / rate) + (rateIndex === 1 ? sizes & 1 : 0)
  return { length: 2 * words, samples: 6 * BLOCK, rate: rate / 2 ** Math.max(0, version - 8), kind: rateIndex }
}

function parseEnhanced(bytes: Buffer, at: number) {
  const [third, fourth, fifth] = [bytes[at + 2]!, bytes[at + 3]!, bytes[at + 4]!]
  const rateIndex = fifth >> 6
  const half = (fifth >> 4) & 3
  const rate = rateIndex === 3 ? (rates[half] ?? 0) / 2 : rates[rateIndex]!
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
