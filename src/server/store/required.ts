import { notFound } from '../platform/problem'

/** Passes on the row that a query found. Throws the `Problem` that says what was not found. */
export function required<T>(row: T | null | undefined, what: Parameters<typeof notFound>[0]): T {
  if (row === null || row === undefined) throw notFound(what)
  return row
}
