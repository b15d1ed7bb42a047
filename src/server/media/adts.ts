import type { FileHandle } from 'node:fs/promises'
import { piece } from './bounded-file'
import { readHeader } from './id3'

const HEAD = 256 * 1024
const SAMPLES = 1024
/** Samples per second, by the index that AAC writes. */
export const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

/**
 * The seconds of bare AAC, which nowhere states its length: its size over the mean of its first frames.
 * https://wiki.multimedia.cx/index.php/ADTS
 */
export async function adtsDuration(file: FileHandle, size: number): Promise<number | null> {
  const begin = (await readHeader(file, 0))?.length ?? 0
  const head = await piece(file, begin, HEAD)
  let frames = 0
  let at = 0
  let rate = 0
  while (at + 7 <= head.length && head[at] === 0xff && (head[at + 1]! & 0xf6) === 0xf0) {
    const length = ((head[at + 3]! & 3) << 11) | (head[at + 4]! << 3) | (head[at + 5]! >> 5)
    if (length < 7) break
    rate ||= aacRates[(head[at + 2]! >> 2) & 15] ?? 0
    frames += 1
    at += length
  }
  return frames > 0 && rate > 0 ? (((size - begin) / (at / frames)) * SAMPLES) / rate : null
}
