import { aacRates } from '../frames/adts'
import { piece } from '../pieces'
import type { Box, BoxReader } from '../write-tags/boxes'
import type { SoundConfig } from './adts-header'

const MOST_BYTES = 16 * 1024
const AAC = 0x40
/** Kinds of sound that wrap another: with the high half of its frequencies, and with a second channel, made up. */
const wrapping = new Set([5, 29])

/** Reads the description of a track of AAC; null for any other sound. */
export async function readSoundConfig(reader: BoxReader, tables: readonly Box[]): Promise<SoundConfig | null> {
  const stsd = tables.find(({ type }) => type === 'stsd')
  if (!stsd) return null
  const bytes = await piece(reader.file, stsd.body, Math.min(MOST_BYTES, stsd.to - stsd.body))
  if (bytes.toString('latin1', 12, 16) !== 'mp4a') return null
  const at = bytes.indexOf('esds', 16, 'latin1')
  const specific = at === -1 ? null : specificIn(bytes.subarray(at + 8))
  return specific && readSpecific(specific)
}

/** The AudioSpecificConfig within the descriptors of ISO/IEC 14496-1; null where they describe something else. */
function specificIn(bytes: Buffer): Buffer | null {
  const stream = descriptorAt(bytes, 0, 3)
  if (!stream) return null
  const flags = stream[2] ?? 0
  const skipped = 3 + (flags & 0x80 ? 2 : 0) + (flags & 0x40 ? 1 + (stream[3] ?? 0) : 0) + (flags & 0x20 ? 2 : 0)
  const decoder = descriptorAt(stream, skipped, 4)
  return decoder?.[0] === AAC ? descriptorAt(decoder, 13, 5) : null
}

/**
 * The content of the descriptor at a place, if it has this tag. Its length is written in up to four bytes of seven
 * bits.
 */
function descriptorAt(bytes: Buffer, at: number, tag: number): Buffer | null {
  if (bytes[at] !== tag) return null
  let length = 0
  let place = at + 1
  for (let count = 0; count < 4; count++) {
    const byte = bytes[place++] ?? 0
    length = (length << 7) | (byte & 127)
    if (byte < 128) break
  }
  return bytes.subarray(place, place + length)
}

/** https://wiki.multimedia.cx/index.php/MPEG-4_Audio */
function readSpecific(bytes: Buffer): SoundConfig | null {
  const bits = createBits(bytes)
  const kind = bits(5)
  const rateIndex = readRate(bits)
  const channels = bits(4)
  if (wrapping.has(kind)) readRate(bits)
  const profile = (wrapping.has(kind) ? bits(5) : kind) - 1
  const isKnown = profile >= 0 && profile <= 3 && rateIndex !== -1 && channels >= 1 && channels <= 7
  return isKnown ? { profile, rateIndex, channels } : null
}

/** An index of the rates, or a rate as such; -1 for one that has no index. */
function readRate(bits: (count: number) => number): number {
  const index = bits(4)
  const found = index === 15 ? aacRates.indexOf(bits(24)) : index
  return found < aacRates.length ? found : -1
}

/** Reads bits one after the other; behind the end there are zeros. */
function createBits(bytes: Buffer) {
  let place = 0
  return (count: number): number => {
    let value = 0
    for (let bit = 0; bit < count; bit++, place++)
      value = value * 2 + (((bytes[place >> 3] ?? 0) >> (7 - (place & 7))) & 1)
    return value
  }
}
