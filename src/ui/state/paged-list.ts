import { computed, signal } from '@preact/signals-core'

export type Status = 'idle' | 'loading' | 'ready' | 'failed'
type Page<T> = { items: readonly T[]; next: string | null }

export type PagedList<T> = ReturnType<typeof createPagedList<T>>

/** A list that is fetched page by page as its reader scrolls. A reload that overtakes a slow page wins. */
export function createPagedList<T>(load: (cursor: string | null) => Promise<Page<T>>) {
  const items = signal<readonly T[]>([])
  const next = signal<string | null>(null)
  const status = signal<Status>('idle')
  const error = signal<unknown>(null)
  let turn = 0

  async function fetchPage(cursor: string | null) {
    const mine = ++turn
    if (cursor !== null || items.value.length === 0) status.value = 'loading'
    try {
      const page = await load(cursor)
      if (mine !== turn) return
      items.value = cursor === null ? page.items : [...items.value, ...page.items]
      next.value = page.next
      status.value = 'ready'
    } catch (failure) {
      if (mine !== turn) return
      error.value = failure
      status.value = 'failed'
    }
  }

  return {
    items,
    status,
    error,
    hasMore: computed(() => next.value !== null),
    isEmpty: computed(() => status.value === 'ready' && items.value.length === 0),
    /** From the first page on; what is shown stays until the answer is here. */
    reload: () => fetchPage(null),
    loadMore() {
      if (status.value === 'ready' && next.value !== null) void fetchPage(next.value)
    },
    retry: () => fetchPage(items.value.length === 0 ? null : next.value),
    /** Changes what is shown without asking the server. */
    change: (edit: (item: T) => T) => {
      items.value = items.value.map(edit)
    },
  }
}
