import { piece } from '../readable'
import { createWindow, type Source } from '../frames/walk'
import { mp4Limits } from '../limits'
import { type Box, boxesAt, boxesIn, boxesOf, type BoxReader, createBoxReader } from '../write-tags/mp4'
import { Refused } from '../write-tags/tags'
import {
  ADTS_HEADER,
  type CutPlan,
  CutRefused,
  type CutSpan,
  MAX_SAMPLE,
  runsOf,
  type Samples,
  type SoundConfig,
} from './plan'
import { aacRates } from '../frames/formats'

const MAX_BOXES = 20_000
/** Five minutes at the highest rate of AAC, in its shortest frames, have 60,000 samples. */
const MAX_SAMPLES = 60_000
/** Scattered samples take a read each. */
const MAX_RUNS = 4000

/**
 * Cuts the samples of a span out of the first track of AAC, with the one before them; each will become a frame of bare
 * AAC. Throws `CutRefused`.
 */
export async function cutMp4(source: Source, span: CutSpan, tag: Buffer, budget: number): Promise<CutPlan> {
  const window = createWindow(source, budget)
  const reader = createBoxReader(window.readable, source.size, MAX_BOXES)
  try {
    const sound = await findSamples(reader, span)
    if (runsOf(sound).drop(MAX_RUNS).next().done !== true) throw new CutRefused('too-large')
    const size = sound.lengths.reduce((sum, length) => sum + length + ADTS_HEADER, tag.length)
    return { type: 'audio/aac', size, head: tag, sound }
  } catch (error) {
    if (error instanceof Refused) throw new CutRefused(error.reason === 'too-large' ? 'too-large' : 'malformed')
    throw error
  }
}

async function findSamples(reader: BoxReader, span: CutSpan): Promise<Samples> {
  const moov = (await boxesIn(reader, 0, reader.size)).find(({ type }) => type === 'moov')
  if (!moov) throw new CutRefused('malformed')
  const inside = await boxesOf(reader, moov)
  // A fragmented MP4 has its tables elsewhere.
  if (inside.some(({ type }) => type === 'mvex')) throw new CutRefused('unsupported')
  for (const track of inside.filter(({ type }) => type === 'trak')) {
    const mdia = await boxesAt(reader, track, ['mdia'])
    if ((await kindOf(reader, mdia)) !== 'soun') continue
    const tables = await boxesAt(reader, track, ['mdia', 'minf', 'stbl'])
    const config = await readSoundConfig(reader, tables)
    if (config) return { config, ...(await samplesOf(reader, tables, await timescaleOf(reader, mdia), span)) }
  }
  throw new CutRefused('unsupported')
}

async function kindOf(reader: BoxReader, mdia: readonly Box[]): Promise<string> {
  const hdlr = mdia.find(({ type }) => type === 'hdlr')
  return hdlr ? (await piece(reader.file, hdlr.body + 8, 4)).toString('latin1') : ''
}

/** Units of time in a second. */
async function timescaleOf(reader: BoxReader, mdia: readonly Box[]): Promise<number> {
  const mdhd = mdia.find(({ type }) => type === 'mdhd')
  const bytes = mdhd ? await piece(reader.file, mdhd.body, 24) : Buffer.alloc(0)
  if (bytes.length < 24) throw new CutRefused('malformed')
  const scale = bytes.readUInt32BE(bytes[0] === 1 ? 20 : 12)
  if (scale === 0) throw new CutRefused('malformed')
  return scale
}

/** The samples heard within a span, and the one before. */
async function samplesOf(reader: BoxReader, tables: readonly Box[], scale: number, span: CutSpan) {
  const read = createTables(reader, tables)
  const [from, to] = placesOf(await read('stts', 8), span.from * scale, span.to * scale)
  const sizes = await readSizes(read)
  const offsets = await read('stco', 4, 'co64')
  const count = Math.min(to, sizes.count)
  const first = Math.max(0, from - 1)
  if (first >= count) throw new CutRefused('beyond-end')
  if (count - first > MAX_SAMPLES) throw new CutRefused('too-large')
  const places: number[] = []
  const lengths: number[] = []
  for (const { chunk, index, inChunk } of chunksOf(await read('stsc', 12), offsets.count)) {
    if (index >= count) break
    if (index + inChunk <= first) continue
    let at =
      offsets.width === 4 ? offsets.bytes.readUInt32BE(chunk * 4) : Number(offsets.bytes.readBigUInt64BE(chunk * 8))
    for (let sample = index; sample < Math.min(index + inChunk, count); sample++) {
      const length = sizes.of(sample)
      if (sample >= first) {
        if (length > MAX_SAMPLE || at + length > reader.size) throw new CutRefused('malformed')
        places.push(at)
        lengths.push(length)
      }
      at += length
    }
  }
  if (places.length === 0) throw new CutRefused('beyond-end')
  return { places: new Float64Array(places), lengths: new Uint16Array(lengths) }
}

type Table = { count: number; width: number; bytes: Buffer }

/** Reads tables of a track: a version, a number of entries, and the entries. They share one bound of bytes. */
function createTables(reader: BoxReader, tables: readonly Box[]) {
  let left = mp4Limits.bytes
  /** `wide`: the name of the same table with entries of eight bytes. */
  return async (name: string, width: number, wide?: string, skipped = 4): Promise<Table> => {
    const box = tables.find(({ type }) => type === name || type === wide)
    if (!box) throw new CutRefused('malformed')
    const own = box.type === wide ? 8 : width
    const head = await piece(reader.file, box.body, skipped + 4)
    if (head.length < skipped + 4) throw new CutRefused('malformed')
    const count = head.readUInt32BE(skipped)
    const most = Math.max(0, Math.floor((box.to - box.body - skipped - 4) / own))
    left -= Math.min(count, most) * own
    if (left < 0) throw new CutRefused('too-large')
    const bytes = await piece(reader.file, box.body + skipped + 4, Math.min(count, most) * own)
    return { count: Math.floor(bytes.length / own), width: own, bytes }
  }
}

/** The numbers of the first sample of a span, and of the one after its last, which need not exist. */
function placesOf({ count, bytes }: Table, from: number, to: number): [number, number] {
  const places: number[] = []
  let [sample, time] = [0, 0]
  for (let entry = 0; entry < count && places.length < 2; entry++) {
    const [samples, length] = [bytes.readUInt32BE(entry * 8), bytes.readUInt32BE(entry * 8 + 4)]
    for (const wanted of [from, to].slice(places.length)) {
      if (time + samples * length <= wanted || length === 0) break
      places.push(sample + Math[wanted === from ? 'floor' : 'ceil']((wanted - time) / length))
    }
    sample += samples
    time += samples * length
  }
  if (places.length === 0) throw new CutRefused('beyond-end')
  return [places[0]!, places[1] ?? sample]
}

async function readSizes(read: ReturnType<typeof createTables>) {
  // Between the version and the number of entries is the size that all samples share, or 0.
  const { count, bytes } = await read('stsz', 4, undefined, 8)
  return { count, of: (sample: number) => bytes.readUInt32BE(sample * 4) }
}

/** The chunks of a track in order, each once: the number of the first sample of each, and how many it has. */
function* chunksOf({ count, bytes }: Table, chunks: number) {
  let index = 0
  let next = 0
  for (let entry = 0; entry < count; entry++) {
    const first = bytes.readUInt32BE(entry * 12) - 1
    const last = entry + 1 < count ? bytes.readUInt32BE(entry * 12 + 12) - 1 : chunks
    const inChunk = bytes.readUInt32BE(entry * 12 + 4)
    for (let chunk = Math.max(next, first); chunk < Math.min(last, chunks); chunk++) {
      yield { chunk, index, inChunk }
      index += inChunk
      next = chunk + 1
    }
  }
}

const MAX_BYTES = 16 * 1024
const AAC = 0x40
/** Kinds of sound that wrap another: with the high half of its frequencies, and with a second channel, made up. */
const wrapping = new Set([5, 29])

/** Reads the description of a track of AAC; null for any other sound. */
async function readSoundConfig(reader: BoxReader, tables: readonly Box[]): Promise<SoundConfig | null> {
  const stsd = tables.find(({ type }) => type === 'stsd')
  if (!stsd) return null
  const bytes = await piece(reader.file, stsd.body, Math.min(MAX_BYTES, stsd.to - stsd.body))
  if (bytes.toString('latin1', 12, 16) !== 'mp4a') return null
  const at = bytes.indexOf('esds', 16, 'latin1')
  const specific = at === -1 ? null : specificIn(bytes.subarray(at + 8))
  return specific && readSpecific(specific)
}

/** The AudioSpecificConfig within the descriptors of ISO/IEC 14496-1; null if they describe something else. */
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

/** Reads bits one after the other; zeros after the end. */
function createBits(bytes: Buffer) {
  let place = 0
  return (count: number): number => {
    let value = 0
    for (let bit = 0; bit < count; bit++, place++)
      value = value * 2 + (((bytes[place >> 3] ?? 0) >> (7 - (place & 7))) & 1)
    return value
  }
}
