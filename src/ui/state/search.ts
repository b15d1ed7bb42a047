import { computed, signal } from '@preact/signals-core'
import type { SearchResult } from '../../shared/api/search'
import type { SearchApi } from '../api/search'
import { createResource } from '../resource'

const DEBOUNCE_MS = 120
const MAX_RECENT = 6
const STORAGE_KEY = 'search.recent'

export type SearchFilters = { downloaded: boolean; unplayed: boolean; titlesOnly: boolean }
type Found = { result: SearchResult; cursor: string | null }
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** Searches while the user types. A result for earlier words never replaces that for the latest. */
export function createSearch(api: SearchApi, storage: Storage, debounceMs = DEBOUNCE_MS) {
  const words = signal('')
  const filters = signal<SearchFilters>({ downloaded: false, unplayed: false, titlesOnly: false })
  const { recent, remember } = createRecentWords(storage)

  async function findPage(signal: AbortSignal, cursor: string | null): Promise<Found> {
    const { downloaded, unplayed, titlesOnly } = filters.peek()
    const query = { q: words.peek().trim(), downloaded, unplayed, ...(titlesOnly && { in: 'podcasts,titles' }) }
    const { data, nextCursor } = await api.find(query, cursor, signal)
    return { result: data, cursor: nextCursor }
  }
  const found = createResource(signal => findPage(signal, null), { debounceMs })
  const nextPage = createResource(async (signal, { result, cursor }: Found) => {
    const page = await findPage(signal, cursor)
    if (signal.aborted) return
    found.set({ ...page, result: { ...result, episodes: [...result.episodes, ...page.result.episodes] } })
  })

  function restart() {
    nextPage.cancel()
    if (words.peek().trim() === '') found.set(null)
    else void found.load()
  }
  return {
    words,
    filters,
    result: computed(() => found.data.value?.result ?? null),
    error: computed(() => found.error.value ?? nextPage.error.value),
    isBusy: found.isLoading,
    recent,
    hasMore: computed(() => found.data.value !== null && found.data.value.cursor !== null),
    type(text: string) {
      words.value = text
      restart()
    },
    filter(edit: Partial<SearchFilters>) {
      filters.value = { ...filters.peek(), ...edit }
      restart()
    },
    /** Loads the next page and appends its episodes. */
    async more() {
      const shown = found.data.peek()
      if (shown && shown.cursor !== null && !found.isLoading.peek()) await nextPage.load(shown)
    },
    /** Adds the words to the recent searches; called when the user opens a result. */
    remember: () => remember(words.peek().trim()),
  }
}
export type Search = ReturnType<typeof createSearch>

/** The words of recent searches in this browser, latest first. */
function createRecentWords(storage: Storage) {
  const recent = signal<readonly string[]>(read())

  function read(): string[] {
    try {
      const stored: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? '[]')
      return Array.isArray(stored) ? stored.filter(item => typeof item === 'string').slice(0, MAX_RECENT) : []
    } catch {
      return []
    }
  }
  return {
    recent,
    remember(text: string) {
      if (text === '') return
      recent.value = [text, ...recent.peek().filter(other => other !== text)].slice(0, MAX_RECENT)
      storage.setItem(STORAGE_KEY, JSON.stringify(recent.peek()))
    },
  }
}
