import { computed, signal } from '@preact/signals-core'
import { createResource } from '../resource'
import type { Status } from './paged-list'

/** `place`: that of the item that the reader looks for. */
type Outline = { total: number; place?: number | null }
type Rows<T> = readonly (T | undefined)[]
type Pages<T> = ReadonlyMap<number, Rows<T>>
/** The content of a list when its page was left. */
export type KeptList<T, O> = { outline: O; pages: Pages<T> }

type Needs<T, O> = {
  /** Items of a page. */
  size: number
  idOf: (item: T) => string
  loadOutline: (signal: AbortSignal) => Promise<O>
  loadRows: (offset: number, signal: AbortSignal) => Promise<readonly T[]>
}
type Edit<T> = (item: T) => T

export type WholeList<T, O extends Outline> = ReturnType<typeof createWholeList<T, O>>

/**
 * A list whose length is known, so that its reader can jump to any place: only the pages in sight are fetched. A reload
 * fetches those again, and the others once they are in sight. `remembered`: the content of the last visit, shown first.
 */
export function createWholeList<T, O extends Outline>(needs: Needs<T, O>, remembered?: KeptList<T, O>) {
  const { size } = needs
  const outline = createResource(needs.loadOutline)
  if (remembered) outline.set(remembered.outline)
  const { pages, failure, ...part } = createPages(needs, remembered?.pages ?? new Map())

  const length = computed(() => outline.data.value?.total ?? 0)
  const error = computed(() => outline.error.value ?? failure.value)
  const status = computed<Status>(() => {
    if (error.value !== null) return 'failed'
    if (outline.data.value) return length.value === 0 || pages.value.size > 0 ? 'ready' : 'loading'
    return outline.isLoading.value ? 'loading' : 'idle'
  })
  const pageOf = (place: number) => Math.floor(Math.min(place, Math.max(0, length.peek() - 1)) / size)

  return {
    outline: outline.data,
    length,
    status,
    error,
    /** All items that are there, in order; none beyond the end, which older pages may have. */
    items: computed<readonly T[]>(() =>
      [...pages.value]
        .toSorted(([one], [other]) => one - other)
        .flatMap(([page, rows]) => rows.slice(0, Math.max(0, length.value - page * size)))
        .filter(row => row !== undefined),
    ),
    /** Whether the end of the list is known: always. */
    isWhole: signal(true),
    at: (place: number): T | undefined => pages.value.get(Math.floor(place / size))?.[place % size],
    /** Fetches what is missing of these places, which are in sight. */
    show: (from: number, to: number) => part.show(pageOf(from), pageOf(to)),
    /** Finds the place of an item that is there, or that the outline was asked for; null until that is known. */
    seek(isSought: (item: T) => boolean): number | null {
      for (const [page, rows] of pages.value) {
        const at = rows.findIndex(row => row !== undefined && isSought(row))
        if (at !== -1) return page * size + at
      }
      return outline.data.value?.place ?? null
    },
    /** Fetches all that is missing between two places. */
    fill: async (from: number, to: number) =>
      (await import('./fill-list')).fillPages(needs, { pages, put: part.put }, pageOf(from), pageOf(to)),
    reload() {
      part.reload()
      return outline.load()
    },
    /** Sums the list up again, and leaves its items as they are. */
    sumUp: () => outline.load(),
    retry() {
      part.retry()
      return outline.error.peek() === null ? Promise.resolve() : outline.retry()
    },
    change: part.change,
    kept: (): KeptList<T, O> | undefined =>
      outline.data.value ? { outline: outline.data.value, pages: pages.value } : undefined,
    cancel() {
      part.cancel()
      outline.cancel()
    },
  }
}

/** The pages of such a list, by their number. */
function createPages<T>({ size, idOf, loadRows }: Omit<Needs<T, never>, 'loadOutline'>, remembered: Pages<T>) {
  const pages = signal(remembered)
  const failure = signal<unknown>(null)
  const running = new Map<number, AbortController>()
  /** The pages fetched since the last reload. */
  const fresh = new Set<number>()
  /** Edits made while a page was being fetched: its answer may be older than they are. */
  let late: Edit<T>[] = []
  let shown = { first: 0, last: 0 }
  const withLate = (row: T) => late.reduce((edited, edit) => edit(edited), row)

  /** Puts a page into the list, and removes its items from older pages: they have moved. */
  function put(page: number, rows: readonly T[]) {
    const ids = new Set(rows.map(idOf))
    const withoutMoved = (known: Rows<T>) => known.map(row => (row && ids.has(idOf(row)) ? undefined : row))
    const others = [...pages.peek()].map(
      ([other, known]) => [other, fresh.has(other) ? known : withoutMoved(known)] as const,
    )
    fresh.add(page)
    pages.value = new Map([...others, [page, rows]])
  }
  async function fetch(page: number) {
    const mine = new AbortController()
    running.set(page, mine)
    try {
      const rows = await loadRows(page * size, mine.signal)
      if (mine.signal.aborted) return
      put(page, rows.map(withLate))
      failure.value = null
    } catch (error) {
      if (!mine.signal.aborted) failure.value = error
    } finally {
      if (running.get(page) === mine) running.delete(page)
      if (running.size === 0) late = []
    }
  }
  /** Gives up the pages that are not in sight. */
  function cancel(isInSight = (_page: number) => false) {
    for (const [page, request] of running)
      if (!isInSight(page)) {
        running.delete(page)
        request.abort()
      }
  }
  /** Fetches the pages in sight that are missing. */
  function fetchShown() {
    const { first, last } = shown
    cancel(page => page >= first && page <= last)
    for (let page = first; page <= last; page++) if (!fresh.has(page) && !running.has(page)) void fetch(page)
  }
  return {
    pages,
    failure,
    put,
    show(first: number, last: number) {
      shown = { first, last }
      fetchShown()
    },
    reload() {
      fresh.clear()
      cancel()
      fetchShown()
    },
    retry() {
      failure.value = null
      fetchShown()
    },
    cancel: () => cancel(),
    /** Edits every item without asking the server, including those of an answer that is being fetched. */
    change(edit: Edit<T>) {
      if (running.size > 0) late.push(edit)
      pages.value = new Map([...pages.peek()].map(([page, rows]) => [page, rows.map(row => row && edit(row))]))
    },
  }
}
