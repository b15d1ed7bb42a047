import type { EpisodeRow } from '../../../store/episodes'
import { AppRefusal, numberOf } from './protocol'
import { durationOf } from './shapes/file'

/** More than any episode has. */
const MAX_SECONDS = 10_000_000
/** The last moment that a date can be. */
const MAX_MOMENT = 8.64e15

/** Reads seconds; null for what cannot be a position or a length. A moment before the beginning is the beginning. */
export function secondsOf(given: unknown): number | null {
  const seconds = numberOf(given)
  return seconds === null || seconds > MAX_SECONDS ? null : Math.max(0, seconds)
}

/** Reads a moment in milliseconds; null for none. */
export function momentOf(given: unknown): number | null {
  const moment = numberOf(given)
  return moment === null || moment < 1 || moment > MAX_MOMENT ? null : Math.floor(moment)
}

type LengthOf = Pick<EpisodeRow, 'duration' | 'file_size' | 'enclosure_size'>

/** Reads the length of an episode as an app measured it; null if it only repeats the one that we sent. */
export function totalOf(given: unknown, episode: LengthOf): number | null {
  const total = secondsOf(given)
  if (total === null || total === 0) return null
  return Math.abs(total - durationOf(episode)) < 1 ? null : total
}

/** Some milliseconds of work. */
const PART = 20

/** The most entries of one call. */
const MAX_ENTRIES = 2000

/**
 * Does something with each entry of a call, in order; other requests are answered in between. Throws `AppRefusal` (413)
 * for too many, before anything is done.
 */
export async function inPauses<T, R>(entries: readonly T[], work: (entry: T) => R): Promise<R[]> {
  if (entries.length > MAX_ENTRIES) throw new AppRefusal(413, `Too many entries, the limit is ${MAX_ENTRIES}`)
  const results: R[] = []
  for (const entry of entries) {
    if (results.length > 0 && results.length % PART === 0) await new Promise(setImmediate)
    results.push(work(entry))
  }
  return results
}
