import type { ForeignRow } from '../../store/foreign-database'
import type { OtherItem } from '../item'
import { number, seconds, text } from './values'

export type TranscriptSegments = Extract<OtherItem, { is: 'transcript' }>['segments']

const MAX_SEGMENTS = 50_000
/** In characters: sixty hours of speech. */
const MAX_TEXT = 4_000_000

/** Collects the rows of one transcript, which name `start_ms`, `end_ms`, `speaker` and `text`; null = too long. */
export function collectSegments() {
  const segments: TranscriptSegments = []
  let length = 0
  return {
    add(row: ForeignRow) {
      const said = text(row.text)
      if (said === null) return
      length += said.length
      if (length > MAX_TEXT || segments.length >= MAX_SEGMENTS) return
      const start = (number(row.start_ms) ?? NaN) / 1000
      const end = seconds(row.end_ms, 'ms') === null ? null : number(row.end_ms)! / 1000
      // One without a time is said after the one before it.
      segments.push({
        start: Number.isNaN(start) ? (segments.at(-1)?.start ?? 0) : start,
        end,
        text: said,
        speaker: text(row.speaker, 200),
      })
    },
    /** The collected rows; null if these are not all. */
    all: () => (length > MAX_TEXT || segments.length >= MAX_SEGMENTS ? null : segments),
  }
}
