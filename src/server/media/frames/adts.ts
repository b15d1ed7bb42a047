import type { FrameFormat } from './walk'

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
