import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import { createResource } from '../resource'

export type Status = 'idle' | 'loading' | 'ready' | 'failed'
export type Page<T> = { items: readonly T[]; next: string | null }
/** `wanted`: the number of items that a reload fetches; a server may send larger pages for it. */
type LoadPage<T> = (cursor: string | null, signal: AbortSignal, wanted: number) => Promise<Page<T>>
type Kind = 'reload' | 'one-more'
type Edit<T> = (item: T) => T

const LOAD_AHEAD = 15

export type PagedList<T> = ReturnType<typeof createPagedList<T>>

/**
 * A list that is fetched page by page as its reader scrolls. A page that a reload overtakes is dropped. `remembered`:
 * the content of the last visit, shown first.
 */
export function createPagedList<T>(loadPage: LoadPage<T>, remembered?: Page<T>) {
  const lastKind = signal<Kind>('reload')
  /** Smallest number of items that a reload fetches. */
  let reach = 0
  /** Edits made while a page was being fetched: its answer may be older than they are. */
  let late: Edit<T>[] = []
  const withLate = (item: T) => late.reduce((edited, edit) => edit(edited), item)

  const pages = createResource((signal, kind: Kind) => {
    lastKind.value = kind
    late = []
    return kind === 'reload' ? reload(signal) : append(signal)
  })
  if (remembered) pages.set(remembered)
  const items = computed<readonly T[]>(() => pages.data.value?.items ?? [])
  const next = computed(() => pages.data.value?.next ?? null)

  const status = computed<Status>(() => {
    // A reload of something that is shown happens unseen, and so does its failure.
    if (lastKind.value === 'reload' && items.value.length > 0) return 'ready'
    if (pages.isLoading.value) return 'loading'
    if (pages.error.value !== null) return 'failed'
    return pages.data.value ? 'ready' : 'idle'
  })

  async function append(signal: AbortSignal): Promise<Page<T>> {
    const page = await loadPage(next.peek(), signal, 0)
    // Read after the answer: a row may have been edited in the meantime.
    return { items: [...items.peek(), ...page.items.map(withLate)], next: page.next }
  }
  /** Fetches from the first page on, until there is as much as was shown, so that readers keep their place. */
  async function reload(signal: AbortSignal): Promise<Page<T>> {
    reach = items.peek().length
    const fresh: T[] = []
    let cursor: string | null = null
    do {
      const page: Page<T> = await loadPage(cursor, signal, reach - fresh.length)
      fresh.push(...page.items)
      cursor = page.next
    } while (cursor !== null && fresh.length < reach && !signal.aborted)
    return { items: fresh.map(withLate), next: cursor }
  }

  /** Fetches the next page; a reload under way includes it. */
  function loadMore() {
    if (status.peek() !== 'ready' || next.peek() === null) return
    if (pages.isLoading.peek()) reach = items.peek().length + 1
    else void pages.load('one-more')
  }

  return {
    items,
    next,
    ...placesOf(items, loadMore),
    /** Whether the end of the list is known. */
    isWhole: computed(() => next.value === null),
    status,
    error: pages.error,
    isEmpty: computed(() => status.value === 'ready' && items.value.length === 0),
    reload: () => pages.load('reload'),
    loadMore,
    retry: pages.retry,
    /**
     * Edits every item without asking the server, including those of an answer that is being fetched, so possibly
     * twice.
     */
    change(edit: Edit<T>) {
      if (pages.isLoading.peek()) late.push(edit)
      pages.change(shown => ({ ...shown, items: shown.items.map(edit) }))
    },
    /** Shows the items in another order until the next answer. */
    arrange: (order: readonly T[]) => pages.change(shown => ({ ...shown, items: order })),
    cancel: pages.cancel,
    kept: (): Page<T> => ({ items: items.value, next: next.value }),
  }
}

/** Gives a view the items of a list that grows by their places. */
const placesOf = <T>(items: ReadonlySignal<readonly T[]>, loadMore: () => void) => ({
  length: computed(() => items.value.length),
  at: (place: number): T | undefined => items.value[place],
  /** Fetches what is below these places, which are in sight. */
  show(_from: number, to: number) {
    if (to >= items.peek().length - LOAD_AHEAD) loadMore()
  },
  /** Finds the place of an item, and loads more as long as there is none. */
  seek(isSought: (item: T) => boolean): number | null {
    const place = items.value.findIndex(isSought)
    if (place !== -1) return place
    loadMore()
    return null
  },
})
