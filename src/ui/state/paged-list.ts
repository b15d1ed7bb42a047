import { computed, signal } from '@preact/signals-core'

export type Status = 'idle' | 'loading' | 'ready' | 'failed'
type Page<T> = { items: readonly T[]; next: string | null }

export type PagedList<T> = ReturnType<typeof createPagedList<T>>

/**
 * A list that is fetched page by page as its reader scrolls. A reload that overtakes a slow page wins. `remembered`: what it
 * held when it was last seen, to begin with.
 */
export function createPagedList<T>(load: (cursor: string | null) => Promise<Page<T>>, remembered?: Page<T>) {
  const items = signal<readonly T[]>(remembered?.items ?? [])
  const next = signal<string | null>(remembered?.next ?? null)
  const status = signal<Status>(remembered ? 'ready' : 'idle')
  const error = signal<unknown>(null)
  let turn = 0

  async function fetchPage(cursor: string | null) {
    const mine = ++turn
    status.value = 'loading'
    try {
      const page = await load(cursor)
      if (mine !== turn) return
      items.value = [...items.value, ...page.items]
      next.value = page.next
      status.value = 'ready'
    } catch (failure) {
      if (mine !== turn) return
      error.value = failure
      status.value = 'failed'
    }
  }

  /** From the first page on, until as much is here as was shown: nobody loses their place. */
  async function reload() {
    const shown = items.value.length
    const mine = ++turn
    if (shown === 0) status.value = 'loading'
    try {
      const fresh: T[] = []
      let cursor: string | null = null
      do {
        const page: Page<T> = await load(cursor)
        if (mine !== turn) return
        fresh.push(...page.items)
        cursor = page.next
      } while (cursor !== null && fresh.length < shown)
      items.value = fresh
      next.value = cursor
      status.value = 'ready'
    } catch (failure) {
      if (mine !== turn) return
      error.value = failure
      status.value = shown === 0 ? 'failed' : 'ready'
    }
  }

  return {
    items,
    next,
    status,
    error,
    hasMore: computed(() => next.value !== null),
    isEmpty: computed(() => status.value === 'ready' && items.value.length === 0),
    reload,
    loadMore() {
      if (status.value === 'ready' && next.value !== null) void fetchPage(next.value)
    },
    retry: () => (items.value.length === 0 ? reload() : fetchPage(next.value)),
    /** Changes what is shown without asking the server. */
    change: (edit: (item: T) => T) => {
      items.value = items.value.map(edit)
    },
  }
}
