export type Random = ReturnType<typeof startRandom>

/** Random numbers, the same for the same seed (mulberry32). */
export function startRandom(seed: number) {
  let state = seed | 0
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    /** From 0 to 1, which it never is. */
    next,
    /** A whole number from 0 to `limit`, which it never is. */
    below,
    /** A whole number from `from` to `to`, both included. */
    between: (from: number, to: number) => from + below(to - from + 1),
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    /** `count` of a list, some perhaps twice; never more than the list is long. */
    some: <T>(list: readonly T[], count: number): T[] =>
      Array.from({ length: Math.min(count, list.length) }, () => list[below(list.length)]!),
    shuffled<T>(list: readonly T[]): T[] {
      const left = [...list]
      return list.map(() => left.splice(below(left.length), 1)[0]!)
    },
    /** True in `percent` of a hundred cases. */
    chance: (percent: number) => next() * 100 < percent,
    /** One of the names; one of twice the weight comes twice as often. */
    weighted<T extends string>(weights: Record<T, number>): T {
      const entries = Object.entries(weights) as [T, number][]
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      return entries.find(([, weight]) => (rest -= weight) < 0)![0]
    },
  }
}
