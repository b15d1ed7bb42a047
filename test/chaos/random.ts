export type Random = ReturnType<typeof createRandom>

/** The same plan for the same seed; when what happens is the machine's business. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    between: (from: number, to: number) => from + next() * (to - from),
    any: <T>(list: readonly T[]): T => list[below(list.length)]!,
    some: <T>(list: readonly T[], count: number): T[] =>
      Array.from({ length: Math.min(count, list.length) }, () => list[below(list.length)]!),
  }
}
