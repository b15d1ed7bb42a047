import { computed, signal } from '@preact/signals-core'
import { createResource } from '../resource'

export type Status = 'idle' | 'loading' | 'ready' | 'failed'
export type Page<T> = { items: readonly T[]; next: string | null }
/** `wanted`: the number of items that are fetched one page after the other; a server may send larger pages for it. */
type LoadPage<T> = (cursor: string | null, signal: AbortSignal, wanted: number) => Promise<Page<T>>
type Kind = 'reload' | 'one-more' | 'rest'
type Edit<T> = (item: T) => T

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
    return kind === 'reload' ? reload(signal) : append(signal, kind === 'rest')
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

  /** Fetches the next page, or all that are left. */
  async function append(signal: AbortSignal, isRest: boolean): Promise<Page<T>> {
    const fresh: T[] = []
    let cursor = next.peek()
    do {
      const page = await loadPage(cursor, signal, isRest ? Infinity : 0)
      fresh.push(...page.items)
      cursor = page.next
    } while (isRest && cursor !== null && !signal.aborted)
    // Read after the answer: a row may have been edited in the meantime.
    return { items: [...items.peek(), ...fresh.map(withLate)], next: cursor }
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

  return {
    items,
    next,
    status,
    error: pages.error,
    hasMore: computed(() => next.value !== null),
    isEmpty: computed(() => status.value === 'ready' && items.value.length === 0),
    reload: () => pages.load('reload'),
    /** Fetches the next page; a reload under way includes it. */
    loadMore() {
      if (status.peek() !== 'ready' || next.peek() === null) return
      if (pages.isLoading.peek()) reach = items.peek().length + 1
      else void pages.load('one-more')
    },
    /** Fetches all pages that are left; they appear together. */
    loadRest() {
      if (next.peek() !== null) void pages.load('rest')
    },
    retry: pages.retry,
    /**
     * Edits every item without asking the server, including those of an answer that is being fetched, so possibly
     * twice.
     */
    change(edit: Edit<T>) {
      if (pages.isLoading.peek()) late.push(edit)
      pages.change(shown => ({ ...shown, items: shown.items.map(edit) }))
    },
    cancel: pages.cancel,
  }
}
