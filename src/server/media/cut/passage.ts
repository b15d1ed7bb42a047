import { walkFrames, type Frame, type FrameFormat } from '../frames/walk'
import type { Window } from '../frames/window'
import { CutRefused } from './source'

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
      if (recent.length > 2 * MAX_BEFORE) recent.splice(0, MAX_BEFORE)
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

export const MAX_BEFORE = 100
