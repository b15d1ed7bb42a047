import type { TranscriptSegment } from '../../shared/api/texts'
import { MAX_CLIP, MAX_QUOTE } from '../../shared/limits'
import { roundToTenth } from '../../shared/duration'

/** A part of an episode, in seconds. */
export type Passage = { start: number; end: number }

const USUAL = 30
/** The least time between start and end. */
const MIN_COUNT = 1
/** Seconds that a line without an end is assumed to last. */
const LINE = 5

/** The last half minute before a position: what somebody has just heard. */
export const passageBefore = (position: number): Passage => {
  const end = Math.max(roundToTenth(position), MIN_COUNT)
  return { start: Math.max(0, roundToTenth(end - USUAL)), end }
}

/** Moves one border; the other follows if they would be too close to or too far from each other. */
export function moveBorder(passage: Passage, border: keyof Passage, to: number, total: number): Passage {
  const last = total > MIN_COUNT ? total : Number.POSITIVE_INFINITY
  if (border === 'start') {
    const start = clamp(to, 0, last - MIN_COUNT)
    return { start, end: clamp(passage.end, start + MIN_COUNT, Math.min(last, start + MAX_CLIP)) }
  }
  const end = clamp(to, MIN_COUNT, last)
  return { start: clamp(passage.start, Math.max(0, end - MAX_CLIP), end - MIN_COUNT), end }
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** A line of a transcript with a beginning and an end, in seconds. */
export type Line = Passage & { idx: number; speaker: string | null; text: string }

/** The lines that have a time. One without an end lasts until the next begins. */
export function timedLines(segments: readonly TranscriptSegment[]): Line[] {
  const timed = segments.filter(({ startMs }) => startMs !== null)
  return timed.map(({ idx, speaker, text, startMs, endMs }, index) => {
    const start = startMs! / 1000
    const end = endMs === null ? (timed[index + 1]?.startMs ?? startMs! + LINE * 1000) / 1000 : endMs / 1000
    return { idx, speaker, text, start, end: Math.max(end, start + MIN_COUNT) }
  })
}

/** Whether most of a line is within a passage. */
export const isWithin = ({ start, end }: Passage, line: Passage) => {
  const middle = (line.start + line.end) / 2
  return middle >= start && middle <= end
}

/** The passage after a line was chosen: extended to it, or only that line if it was already within the passage. */
export function chooseLine(passage: Passage, line: Passage, total: number): Passage {
  const alone = { start: line.start, end: line.end }
  if (isWithin(passage, line)) return moveBorder(alone, 'end', line.end, total)
  if (line.start < passage.start) return moveBorder({ ...passage, start: line.start }, 'start', line.start, total)
  return moveBorder({ ...passage, end: line.end }, 'end', line.end, total)
}

/** Quotes a passage as one text, cut at a word. */
export function quoteOf(lines: readonly Line[], passage: Passage): string {
  const text = lines
    .filter(line => isWithin(passage, line))
    .map(line => line.text.trim())
    .join(' ')
  if (text.length <= MAX_QUOTE) return text
  const cut = text.slice(0, MAX_QUOTE - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_QUOTE / 2))}…`
}
