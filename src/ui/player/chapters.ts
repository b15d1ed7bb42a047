import type { Chapter } from '../../shared/api/chapter'

// Within a chapter's first seconds, back means the one before it.
const JUST_BEGUN_SECONDS = 3

/** Finds the index of the chapter at a position in seconds; -1 before the first one. */
export const chapterAt = (chapters: readonly Chapter[], position: number) =>
  chapters.findLastIndex(({ startTime }) => startTime <= position)

/** Finds the second that the button "back" leads to: the start of this chapter, or of the one before it. */
export function startBefore(chapters: readonly Chapter[], position: number): number {
  const index = chapterAt(chapters, position)
  const start = chapters[index]?.startTime ?? 0
  return position - start > JUST_BEGUN_SECONDS ? start : (chapters[index - 1]?.startTime ?? 0)
}
