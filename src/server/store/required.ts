import { notFound } from '../platform/problem'

/** The row that a query found. Throws the `Problem` that names what is missing; a hidden row counts as missing. */
export function required<T>(row: T | null | undefined, what: Parameters<typeof notFound>[0]): T {
  if (row === null || row === undefined) throw notFound(what)
  return row
}
