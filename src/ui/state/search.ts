import { computed, signal } from '@preact/signals-core'
import type { SearchResult } from '../../shared/api/search'
import type { SearchApi } from '../api/search'

const AFTER_MS = 120
const MOST_RECENT = 6
const KEY = 'search.recent'

export type SearchFilters = { downloaded: boolean; unplayed: boolean; titlesOnly: boolean }
const noFilters: SearchFilters = { downloaded: false, unplayed: false, titlesOnly: false }

/** Searching as somebody types: the answer to the last words counts, however the answers arrive. */
export function createSearch(api: SearchApi, storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const words = signal('')
  const filters = signal<SearchFilters>(noFilters)
  const result = signal<SearchResult | null>(null)
  const error = signal<unknown>(null)
  const isBusy = signal(false)
  const cursor = signal<string | null>(null)
  const recent = signal<readonly string[]>(readRecent())
  let turn = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const query = () => {
    const { downloaded, unplayed, titlesOnly } = filters.value
    return { q: words.value.trim(), downloaded, unplayed, ...(titlesOnly && { in: 'podcasts,titles' }) }
  }

  function readRecent(): string[] {
    try {
      const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
      return Array.isArray(stored) ? stored.filter(item => typeof item === 'string').slice(0, MOST_RECENT) : []
    } catch {
      return []
    }
  }

  async function run(mine: number) {
    isBusy.value = true
    error.value = null
    try {
      const { data, nextCursor } = await api.find(query(), null)
      if (mine !== turn) return
      result.value = data
      cursor.value = nextCursor
    } catch (failure) {
      if (mine === turn) error.value = failure
    }
    if (mine === turn) isBusy.value = false
  }

  function changed() {
    const mine = ++turn
    clearTimeout(timer)
    if (words.value.trim() === '') {
      result.value = null
      isBusy.value = false
      return
    }
    isBusy.value = true
    timer = setTimeout(() => void run(mine), AFTER_MS)
  }

  return {
    words,
    filters,
    result,
    error,
    isBusy,
    recent,
    hasMore: computed(() => cursor.value !== null),
    type(text: string) {
      words.value = text
      changed()
    },
    filter(edit: Partial<SearchFilters>) {
      filters.value = { ...filters.value, ...edit }
      changed()
    },
    async more() {
      const mine = turn
      if (cursor.value === null || !result.value) return
      const { data, nextCursor } = await api.find(query(), cursor.value)
      if (mine !== turn || !result.value) return
      result.value = { ...result.value, episodes: [...result.value.episodes, ...data.episodes] }
      cursor.value = nextCursor
    },
    /** Something was chosen: the words are worth remembering. */
    remember() {
      const text = words.value.trim()
      if (text === '') return
      recent.value = [text, ...recent.value.filter(other => other !== text)].slice(0, MOST_RECENT)
      storage.setItem(KEY, JSON.stringify(recent.value))
    },
  }
}
export type Search = ReturnType<typeof createSearch>
