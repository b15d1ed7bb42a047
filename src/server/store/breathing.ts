/**
 * Does a piece of work that writes, and rests for as long as it took: there is one writer at a time, and whoever waits
 * for his turn looks for it only every few milliseconds.
 */
export async function breathing<T>(work: () => T): Promise<T> {
  const began = performance.now()
  const result = work()
  await Bun.sleep(Math.max(1, performance.now() - began))
  return result
}
