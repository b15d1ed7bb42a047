/** Moves one item of a list to another place; the list itself stays as it is. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const list = [...items]
  list.splice(to, 0, ...list.splice(from, 1))
  return list
}
