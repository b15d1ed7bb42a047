import type { Source } from '../frames/walk'

/** Seconds, from and without. */
export type CutSpan = { from: number; to: number }

/** The reason why nothing can be cut from a file. */
export type CutRefusal = 'unsupported' | 'malformed' | 'beyond-end' | 'too-large' | 'too-slow'

export class CutRefused extends Error {
  override name = 'CutRefused'
  constructor(readonly reason: CutRefusal) {
    super(`Nothing can be cut: ${reason}`)
  }
}

/** Samples of sound without headers: where each is in the file, and its bytes. */
export type Samples = { config: SoundConfig; places: Float64Array; lengths: Uint16Array }

/**
 * A separate file, cut out of another: its type and size, the bytes that it begins with, and the sound after them:
 * bytes of the other file as they are, or samples that each get a header.
 */
export type CutPlan = {
  type: 'audio/mpeg' | 'audio/aac'
  size: number
  head: Uint8Array
  sound: { from: number; to: number } | Samples
}

const PIECE = 256 * 1024
/** Bytes between two samples up to which they are read in one request. */
const FARTHEST = 32 * 1024

/** Yields the bytes of a cut, 256 KB at a time. Throws `CutRefused` if its source has become shorter. */
export async function* bytesOf(source: Source, { head, sound }: CutPlan): AsyncGenerator<Uint8Array> {
  yield head
  if ('from' in sound) {
    for (let at = sound.from; at < sound.to;) {
      const bytes = await read(source, at, Math.min(sound.to, at + PIECE))
      yield bytes
      at += bytes.length
    }
  } else for (const run of runsOf(sound)) yield framed(sound, run, await read(source, run.from, run.to))
}

async function read({ readBytes }: Source, from: number, to: number): Promise<Uint8Array> {
  const bytes = await readBytes(from, to)
  if (bytes.length < to - from) throw new CutRefused('malformed')
  return bytes
}

/** Samples that are read at once: the first of them, the one after the last, and the bytes that hold them. */
type Run = { first: number; end: number; from: number; to: number }

/** Walks through samples in order; those close to each other form one run. */
export function* runsOf({ places, lengths }: Pick<Samples, 'places' | 'lengths'>): Generator<Run> {
  for (let end = 0; end < places.length;) {
    const first = end
    const from = places[first]!
    let to = from
    while (
      end < places.length &&
      places[end]! >= to &&
      places[end]! - to <= FARTHEST &&
      places[end]! + lengths[end]! - from <= PIECE
    ) {
      to = places[end]! + lengths[end]!
      end++
    }
    yield { first, end, from, to }
  }
}

/** The samples of a run, each after its header. */
function framed({ config, places, lengths }: Samples, { first, end, from }: Run, bytes: Uint8Array): Uint8Array {
  const frames: Uint8Array[] = []
  for (let sample = first; sample < end; sample++) {
    const at = places[sample]! - from
    frames.push(writeAdtsHeader(config, lengths[sample]!), bytes.subarray(at, at + lengths[sample]!))
  }
  return Buffer.concat(frames)
}

/** Settings of an AAC decoder, as the header of an ADTS frame holds them. */
export type SoundConfig = { profile: number; rateIndex: number; channels: number }

/** Bytes of the header of a frame of ADTS without a checksum, https://wiki.multimedia.cx/index.php/ADTS */
export const ADTS_HEADER = 7
/** Most bytes of a sample, whose frame states its length in 13 bits. */
export const MAX_SAMPLE = 2 ** 13 - 1 - ADTS_HEADER

/** Writes the header of a frame of ADTS. */
function writeAdtsHeader({ profile, rateIndex, channels }: SoundConfig, length: number): Buffer {
  const whole = length + ADTS_HEADER
  return Buffer.from([
    0xff,
    0xf1,
    (profile << 6) | (rateIndex << 2) | (channels >> 2),
    ((channels & 3) << 6) | (whole >> 11),
    (whole >> 3) & 0xff,
    ((whole & 7) << 5) | 0x1f,
    0xfc,
  ])
}
