/** Some milliseconds of work. */
const PART = 20

/** Does something with each of many things, in order; other requests are answered in between. */
export async function inPauses<T, R>(things: readonly T[], work: (thing: T) => R): Promise<R[]> {
  const results: R[] = []
  for (const thing of things) {
    if (results.length > 0 && results.length % PART === 0) await new Promise(setImmediate)
    results.push(work(thing))
  }
  return results
}
