import { readHeader } from '../id3'
import { CutRefused, type Window } from './source'

/** A frame of sound: where it lies, its bytes, and the samples that it becomes. */
export type Frame = { at: number; length: number; samples: number }

/** Layout of the frames of a kind of sound. `rate`: samples per second. */
export type FrameFormat = {
  headerBytes: number
  /** Reads the header at a place of some bytes; null where none begins. `kind` is the same in all frames of a stream. */
  parse: (bytes: Buffer, at: number) => { length: number; samples: number; rate: number; kind: number } | null
}

/** Most bytes of garbage that are searched for the next frame. */
const FARTHEST = 1024 * 1024
const MOST_TAGS = 4

/** The byte behind the ID3 tags at the start. */
export async function soundStart(window: Window): Promise<number> {
  let at = 0
  for (let count = 0; count < MOST_TAGS; count++) {
    const header = await readHeader(window.readable, at)
    if (!header) return at
    at += header.length
  }
  return at
}

/** The first frame from a place on whose two successors are of its kind; null where there is none. */
export async function findFrame(window: Window, format: FrameFormat, from: number, kind?: number) {
  for (let at = from; at < from + FARTHEST;) {
    const bytes = await window.from(at, 64 * 1024)
    if (bytes.length < format.headerBytes) return null
    const last = Math.min(bytes.length - format.headerBytes, from + FARTHEST - at)
    for (let offset = 0; offset <= last; offset++) {
      if (bytes[offset] !== 0xff) continue
      const found = format.parse(bytes, offset)
      if (found && (kind ?? found.kind) === found.kind && (await isFollowed(window, format, at + offset, 2)))
        return { ...found, at: at + offset }
    }
    at += last + 1
  }
  return null
}

/** Whether so many frames of one kind follow the one at a place, or the file ends before. */
async function isFollowed(window: Window, format: FrameFormat, at: number, count: number): Promise<boolean> {
  const bytes = await window.from(at, format.headerBytes)
  const found = bytes.length < format.headerBytes ? null : format.parse(bytes, 0)
  if (!found) return false
  const next = at + found.length
  if (count === 0 || next >= window.size) return true
  const following = await window.from(next, format.headerBytes)
  if (following.length < format.headerBytes) return true
  return format.parse(following, 0)?.kind === found.kind && isFollowed(window, format, next, count - 1)
}

/**
 * Visits the frames of a stream from a place on, past garbage between them, until `visit` returns false or there are no
 * more. Reads headers only, but all of them: nothing else tells where a second lies.
 */
export async function walkFrames(
  window: Window,
  format: FrameFormat,
  first: { at: number; kind: number },
  visit: (frame: Frame, bytes: Buffer, offset: number) => boolean,
) {
  let { at } = first
  for (;;) {
    const bytes = await window.from(at, 4096)
    let offset = 0
    while (offset + 4096 <= bytes.length || at + bytes.length >= window.size) {
      if (offset + format.headerBytes > bytes.length) break
      const found = format.parse(bytes, offset)
      if (!found || found.kind !== first.kind) break
      if (at + offset + found.length > window.size) return
      if (!visit({ at: at + offset, length: found.length, samples: found.samples }, bytes, offset)) return
      offset += found.length
    }
    if (offset > 0) {
      at += offset
      continue
    }
    const next = await findFrame(window, format, at + 1, first.kind)
    if (!next) return
    at = next.at
  }
}

/** The frames of a span of time: those before it that it needs, and where it begins and ends. */
export type Passage = { before: Frame[]; first: Frame; from: number; to: number; count: number; isEven: boolean }

/**
 * Finds the frames of a span of seconds. `reach` returns how many of the last frames before the span the first of it
 * needs. Throws `CutRefused`.
 */
export async function findPassage(
  window: Window,
  format: FrameFormat,
  start: { at: number; kind: number; rate: number },
  span: { from: number; to: number },
  reach: (frame: Frame, bytes: Buffer, offset: number, before: readonly Frame[]) => number,
): Promise<Passage> {
  const [begin, end] = [span.from * start.rate, span.to * start.rate]
  const recent: Frame[] = []
  let passage: Passage | null = null
  let samples = 0
  await walkFrames(window, format, start, (frame, bytes, offset) => {
    const isWithin = samples + frame.samples > begin
    samples += frame.samples
    if (!isWithin) {
      recent.push(frame)
      if (recent.length > 2 * MOST_BEFORE) recent.splice(0, MOST_BEFORE)
      return true
    }
    if (!passage) {
      const count = reach(frame, bytes, offset, recent)
      const before = count === 0 ? [] : recent.slice(-count)
      passage = { before, first: frame, from: frame.at, to: frame.at, count: 0, isEven: true }
    }
    passage.to = frame.at + frame.length
    passage.count++
    // Frames of one bit rate differ by a byte of padding.
    passage.isEven &&= Math.abs(frame.length - passage.first.length) <= 1
    return samples < end
  })
  if (!passage) throw new CutRefused('beyond-end')
  return passage
}

export const MOST_BEFORE = 100
