import { batch, type ReadonlySignal } from '@preact/signals-core'

type Rows<T> = readonly (T | undefined)[]
type Needs<T> = { size: number; loadRows: (offset: number, signal: AbortSignal) => Promise<readonly T[]> }
type Store<T> = {
  pages: ReadonlySignal<ReadonlyMap<number, Rows<T>>>
  put: (page: number, rows: readonly T[]) => void
}

/** Fetches the pages of a list that are not there as a whole. Rejects if one fails. */
export async function fillPages<T>(
  { size, loadRows }: Needs<T>,
  { pages, put }: Store<T>,
  first: number,
  last: number,
) {
  const isThere = (page: number) =>
    pages
      .peek()
      .get(page)
      ?.every(row => row !== undefined)
  const missing = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter(page => !isThere(page))
  const { signal } = new AbortController()
  const fetched = await Promise.all(missing.map(page => loadRows(page * size, signal)))
  batch(() => missing.forEach((page, at) => put(page, fetched[at]!)))
}
