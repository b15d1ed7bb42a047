import { writeAdtsHeader, type SoundConfig } from './adts-header'
import type { Source } from '../frames/window'
import { CutRefused } from './source'

/** Samples of sound without headers: where each is in the file, and its bytes. */
export type Samples = { config: SoundConfig; places: Float64Array; lengths: Uint16Array }

/**
 * A separate file, cut out of another: its type and size, the bytes that it begins with, and the sound behind them:
 * bytes of the other file as they are, or samples that each get a header.
 */
export type CutPlan = {
  type: 'audio/mpeg' | 'audio/aac'
  size: number
  head: Uint8Array
  sound: { from: number; to: number } | Samples
}

const PIECE = 256 * 1024
/** Bytes between two samples that are read along rather than with another request. */
const FARTHEST = 32 * 1024

/** Yields the bytes of a cut, 256 KB at a time. Throws `CutRefused` where its source has become shorter. */
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

/** Samples that are read at once: the first of them, the one behind the last, and the bytes that hold them. */
type Run = { first: number; end: number; from: number; to: number }

/** Walks through samples in their order; those that lie close behind each other make one run. */
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

/** The samples of a run, each behind its header. */
function framed({ config, places, lengths }: Samples, { first, end, from }: Run, bytes: Uint8Array): Uint8Array {
  const frames: Uint8Array[] = []
  for (let sample = first; sample < end; sample++) {
    const at = places[sample]! - from
    frames.push(writeAdtsHeader(config, lengths[sample]!), bytes.subarray(at, at + lengths[sample]!))
  }
  return Buffer.concat(frames)
}
