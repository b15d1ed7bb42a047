import type { Chapter } from '../../shared/api/texts'
import { chapterAt } from './chapters'

// Within a chapter's first seconds, "back" means the previous chapter.
const JUST_BEGUN_SECONDS = 3

/** Finds the second that the button "back" seeks to: the start of this chapter, or of the previous one. */
export function startBefore(chapters: readonly Chapter[], position: number): number {
  const index = chapterAt(chapters, position)
  const start = chapters[index]?.startTime ?? 0
  return position - start > JUST_BEGUN_SECONDS ? start : (chapters[index - 1]?.startTime ?? 0)
}

export type Segment = { id: string; title: string; start: number; end: number }

/**
 * Divides an episode of a length in seconds into the parts that its chapters cover, from its first second to its last.
 * Without chapters it is one piece.
 */
export function segmentsOf(chapters: readonly Chapter[], duration: number): Segment[] {
  const begun = chapters.filter(({ startTime }) => startTime < duration)
  const isLate = (begun[0]?.startTime ?? 1) > 0
  const starts = [
    ...(isLate ? [{ id: 'start', title: '', start: 0 }] : []),
    ...begun.map(({ id, title, startTime }) => ({ id, title, start: startTime })),
  ]
  return starts
    .map((one, index) => ({ ...one, end: starts[index + 1]?.start ?? duration }))
    .filter(({ start, end }) => end > start)
}
