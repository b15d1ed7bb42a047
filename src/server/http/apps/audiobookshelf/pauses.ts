import { AppRefusal } from './protocol'

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
