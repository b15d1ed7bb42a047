import { useEffect, useState } from 'react'
import type { Podcast } from '../../../shared/api/podcast'

const TYPING_MS = 250

export const filterNames = ['all', 'unplayed', 'downloaded', 'liked'] as const
type FilterName = (typeof filterNames)[number]

/** Filter and order. `order` null = oldest first for serials, newest first for others. */
type ListFilters = { only: FilterName; order: 'newest' | 'oldest' | null }
const noFilters: ListFilters = { only: 'all', order: null }

/** The filter of a podcast's episodes, which this browser remembers, and the words of the search. */
export function useListFilters({ id, serial }: Podcast) {
  const [filters, setFilters] = useState(() => remembered(id))
  const [words, setWords] = useState('')
  function change(edit: Partial<ListFilters>) {
    const next = { ...filters, ...edit }
    setFilters(next)
    localStorage.setItem(keyOf(id), JSON.stringify(next))
  }
  return {
    ...filters,
    order: filters.order ?? (serial ? 'oldest' : 'newest'),
    change,
    words,
    setWords,
    /** The words as they were when the typing last paused. */
    text: useDelayed(words.trim()),
  }
}
export type Filters = ReturnType<typeof useListFilters>

const keyOf = (podcastId: string) => `episodes.${podcastId}`

function remembered(podcastId: string): ListFilters {
  try {
    const { only, order } = JSON.parse(localStorage.getItem(keyOf(podcastId)) ?? '{}') as Partial<ListFilters>
    return { only: filterNames.find(name => name === only) ?? 'all', order: order ?? null }
  } catch {
    return noFilters
  }
}

function useDelayed(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
