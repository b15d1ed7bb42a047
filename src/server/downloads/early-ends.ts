/** So often must a host end a file at the same size until the length that it announces is not believed any more. */
const OFTEN = 3

export type EarlyEnds = ReturnType<typeof createEarlyEnds>

/** Remembers at which size hosts ended files before the length that they announced, by the ids of downloads. */
export function createEarlyEnds() {
  const ends = new Map<number, { size: number; count: number }>()
  return {
    /** Whether a host ended this file too early before. */
    has: (id: number) => ends.has(id),
    /** Notes such an end; returns whether the file is taken for whole, as it ended there each time. */
    note(id: number, size: number): boolean {
      const known = ends.get(id)
      const count = known?.size === size ? known.count + 1 : 1
      ends.set(id, { size, count })
      return count >= OFTEN
    },
    forget: (id: number) => void ends.delete(id),
  }
}
