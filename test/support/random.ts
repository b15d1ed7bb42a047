export type Random = ReturnType<typeof startRandom>

/** Numbers that follow no rule one could see, and are the same for the same seed (mulberry32). */
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
    below,
    between: (from: number, to: number) => from + below(to - from + 1),
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    shuffled<T>(list: readonly T[]): T[] {
      const left = [...list]
      return list.map(() => left.splice(below(left.length), 1)[0]!)
    },
    /** True so many times in a hundred. */
    chance: (percent: number) => next() * 100 < percent,
    /** One of the names, as often as its weight says. */
    weighted<T extends string>(weights: Record<T, number>): T {
      const entries = Object.entries(weights) as [T, number][]
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      return entries.find(([, weight]) => (rest -= weight) < 0)![0]
    },
  }
}
