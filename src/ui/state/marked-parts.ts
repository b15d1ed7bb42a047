import type { Chapter } from '../../shared/api/texts'
import type { SkipMark } from '../../shared/api/marks'

/** A stretch of an episode in seconds. */
export type Stretch = { start: number; end: number }
/** A part that is marked, with the titles of the chapters in it. */
export type Part = Stretch & { titles: readonly string[] }

/**
 * Two ends that are closer count as the same: chapters are often rounded to seconds, and fingers are even less precise.
 */
const TOLERANCE = 0.5

/**
 * Lists the marked parts of an episode in order, none of which touch: chapters whose title means advertising, changed
 * by what the listener marked, the later mark over the earlier. `duration` in seconds, 0 = unknown.
 */
export function partsOf(chapters: readonly Chapter[], marks: readonly SkipMark[], duration: number): Part[] {
  const stretches = chapters.map(chapter => ({ ...stretchOf(chapter, duration), title: chapter.title }))
  const within = (whole: Stretch) => stretches.filter(one => covers(whole, one)).map(({ title }) => title)
  let parts: Part[] = stretches
    .filter((_, index) => chapters[index]!.advertising)
    .map(({ start, end, title }) => ({ start, end, titles: [title] }))
  for (const { start, end, skip } of marks) {
    parts = without(parts, [{ start, end }])
    if (skip) parts.push({ start, end, titles: within({ start, end }) })
  }
  return joined(parts)
}

/** Removes stretches from parts. */
export const without = (parts: readonly Part[], taken: readonly Stretch[]): Part[] =>
  taken.reduce<Part[]>(
    (left, { start, end }) =>
      left.flatMap(part =>
        part.end <= start || part.start >= end
          ? [part]
          : [
              { ...part, end: Math.min(part.end, start) },
              { ...part, start: Math.max(part.start, end) },
            ].filter(isLong),
      ),
    [...parts],
  )

/** Returns the stretch of a chapter; the last one ends with the episode. */
export const stretchOf = ({ startTime, endTime }: Chapter, duration: number): Stretch => ({
  start: startTime,
  end: endTime > startTime ? endTime : Math.max(duration, startTime),
})

/** Whether a stretch is within another one. */
export const covers = (whole: Stretch, { start, end }: Stretch) =>
  whole.start <= start + TOLERANCE && whole.end >= end - TOLERANCE

/** Whether a chapter is marked as a whole. */
export const isMarked = (parts: readonly Part[], chapter: Chapter, duration: number) =>
  parts.some(part => covers(part, stretchOf(chapter, duration)))

/** Finds the part at a second, unless it is about to end. */
export const partAt = <P extends Stretch>(parts: readonly P[], seconds: number): P | undefined =>
  parts.find(({ start, end }) => start <= seconds && seconds < end - TOLERANCE)

const isLong = ({ start, end }: Stretch) => end - start >= TOLERANCE

function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = []
  for (const part of parts.filter(isLong).toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1)
    if (!last || part.start > last.end + TOLERANCE) all.push(part)
    else {
      const titles = [...new Set([...last.titles, ...part.titles])]
      all[all.length - 1] = { start: last.start, end: Math.max(last.end, part.end), titles }
    }
  }
  return all
}
