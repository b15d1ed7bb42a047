const PATIENCE_MS = 15_000

/**
 * Finds the smallest input that shows the same defect, by leaving out halves, then quarters, down to single characters.
 * In an object, the texts of these names are made smaller one by one.
 */
export async function minimise<T>(
  input: T,
  texts: readonly string[],
  isStillWrong: (input: T) => Promise<boolean>,
): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  if (typeof input === 'string') return (await shorten(input, text => isStillWrong(text as T), until)) as T
  if (typeof input !== 'object' || input === null) return input
  const smallest = { ...input } as Record<string, unknown>
  for (const [name, value] of Object.entries(input))
    if (typeof value === 'string' && texts.includes(name))
      smallest[name] = await shorten(value, text => isStillWrong({ ...smallest, [name]: text } as T), until)
  return smallest as T
}

async function shorten(text: string, isStillWrong: (text: string) => Promise<boolean>, until: number) {
  let shortest = text
  for (let chunk = Math.ceil(shortest.length / 2); chunk >= 1; chunk = Math.floor(chunk / 2))
    for (let at = 0; at < shortest.length && performance.now() < until;) {
      const shorter = shortest.slice(0, at) + shortest.slice(at + chunk)
      if (await isStillWrong(shorter)) shortest = shorter
      else at += chunk
    }
  return shortest
}
