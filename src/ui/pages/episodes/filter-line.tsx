import { ArrowDownNarrowWide, ArrowDownWideNarrow, Search, SquareCheck, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PodcastOverview } from '../../../shared/api/episode'
import { FilterChip } from '../../components/filter-chip'
import { IconButton } from '../../components/icon-button'
import { filterNames, type Filters } from './use-list-filters'
import './podcast.css'

type Props = { filters: Filters; counts: PodcastOverview['counts'] | undefined; onSelect: () => void }

/**
 * The filters, search and order of a podcast's episodes, in one line. With little room the search replaces the filters.
 */
export function FilterLine({ filters, counts, onSelect }: Props) {
  const { t } = useTranslation()
  const [isSearching, setSearching] = useState(false)
  const { only, change } = filters
  return (
    <div
      className={`filter-line above-list row gap-8 ${isSearching ? 'is-searching' : ''}`}
      role="search"
      aria-label={t('episodes')}
    >
      <div className="chip-line row gap-8">
        {filterNames.map(name => (
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
      placeholder={t('search-in-podcast')}
      aria-label={t('search-in-podcast')}
      dir="auto"
      maxLength={200}
      value={words}
      onChange={event => setWords(event.target.value)}
    />
  )
}

/** Shows the order, and turns it round. Where there is no room for the word, an order that is turned is emphasised. */
function OrderButton({ filters: { order, change } }: { filters: Filters }) {
  const { t } = useTranslation()
  const isOldest = order === 'oldest'
  const Icon = isOldest ? ArrowDownNarrowWide : ArrowDownWideNarrow
  const label = t(isOldest ? 'oldest-first' : 'newest-first')
  return (
    <button
      type="button"
      className={`secondary small with-icon filter-line-order ${isOldest ? 'is-turned' : ''}`}
      aria-label={t('order-is', { order: label })}
      title={t('turn-order')}
      onClick={() => change({ order: isOldest ? 'newest' : 'oldest' })}
    >
      <Icon size={16} aria-hidden="true" />
      <span>{label}</span>
    </button>
  )
}
