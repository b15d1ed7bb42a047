export type Find = (what: string, from: number) => number

/**
 * Finds the next place of a text, and remembers it: a missing text is searched for only once, however often it is
 * requested.
 */
export function createFinder(source: { indexOf: Find }): Find {
  const known = new Map<string, { from: number; at: number }>()
  return (what, from) => {
    const last = known.get(what)
    if (last && from >= last.from && (last.at === -1 || from <= last.at)) return last.at
    const at = source.indexOf(what, from)
    if (last) {
      last.from = from
      last.at = at
    } else known.set(what, { from, at })
    return at
  }
}
