import { ArrowDownNarrowWide, ArrowDownWideNarrow, Search, SquareCheck, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PodcastOverview } from '../../../shared/api/episode'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { FilterChip } from '../../components/filter-chip'
import { IconButton } from '../../components/buttons'
import '../../library/episodes/episode-list.css'
import './podcast.css'

type Props = {
  filters: Filters
  counts: PodcastOverview['counts'] | undefined
  onSelect: () => void
  /** The menu that leads to a part of the list. */
  children: ReactNode
}

/**
 * The filters, search and order of a podcast's episodes, in one line. With little room the search replaces the filters.
 */
export function FilterLine({ filters, counts, onSelect, children }: Props) {
  const { t } = useTranslation()
  const [isSearching, setSearching] = useState(false)
  const { only, change } = filters
  return (
    <div
      className={`filter-line above-list sticky row gap-8 ${isSearching ? 'is-searching' : ''}`}
      role="search"
      aria-label={t('episodes')}
    >
      <div className="chip-line row gap-8">
        {filterNames
          .filter(name => name !== 'new' || only === name || (counts?.new ?? 0) > 0)
          .map(name => (
            <FilterChip
              key={name}
              label={t(`only-${name}`)}
              count={counts?.[name]}
              isOn={only === name}
              onToggle={() => change({ only: name })}
            />
          ))}
      </div>
      <SearchField filters={filters} isOpened={isSearching} />
      <IconButton
        icon={isSearching ? X : Search}
        label={isSearching ? t('close') : t('search-in-podcast')}
        className="filter-line-search"
        aria-expanded={isSearching}
        onClick={() => {
          if (isSearching) filters.setWords('')
          setSearching(!isSearching)
        }}
      />
      {children}
      <OrderButton filters={filters} />
      <button
        type="button"
        className="secondary small with-icon above-phone"
        aria-label={t('select')}
        title={t('select')}
        onClick={onSelect}
      >
        <SquareCheck size={16} aria-hidden="true" />
        <span>{t('select')}</span>
      </button>
    </div>
  )
}

function SearchField({ filters: { words, setWords }, isOpened }: { filters: Filters; isOpened: boolean }) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOpened) field.current!.focus()
  }, [isOpened])
  return (
    <input
      type="search"
      ref={field}
      className="filter-line-field search-pill"
      placeholder={t('search')}
      aria-label={t('search-in-podcast')}
      dir="auto"
      maxLength={200}
      value={words}
      onChange={event => setWords(event.target.value)}
    />
  )
}

/** Shows the order, and reverses it. If there is no room for the word, a reversed order is emphasised. */
function OrderButton({ filters: { order, change } }: { filters: Filters }) {
  const { t } = useTranslation()
  const isOldest = order === 'oldest'
  const Icon = isOldest ? ArrowDownNarrowWide : ArrowDownWideNarrow
  const label = t(isOldest ? 'oldest-first' : 'newest-first')
  return (
    <button
      type="button"
      className={`secondary small with-icon filter-line-order ${isOldest ? 'soft accent' : ''}`}
      aria-label={t('order-is', { order: label })}
      title={t('turn-order')}
      onClick={() => change({ order: isOldest ? 'newest' : 'oldest' })}
    >
      <Icon size={16} aria-hidden="true" />
      <span>{label}</span>
    </button>
  )
}

const TYPING_MS = 250

const filterNames = ['all', 'new', 'unplayed', 'downloaded', 'liked'] as const
type FilterName = (typeof filterNames)[number]

/** Filter and order. `order` null = oldest first for serials, newest first for others. */
type ListFilters = { only: FilterName; order: 'newest' | 'oldest' | null }
const noFilters: ListFilters = { only: 'all', order: null }

/** The filter of a podcast's episodes, which this browser remembers, and the words of the search. */
export function useListFilters({ id, serial }: KnownPodcast) {
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
