import { useSignals } from '@preact/signals-react/runtime'
import { ArrowDownNarrowWide, LayoutGrid, List } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { FilterChip } from '../../components/filter-chip'
import { Menu, type MenuItem } from '../../components/menu'
import { SegmentedChoice } from '../../components/segments'
import { needsAttention, sorts } from './arrange'
import { views, type Arrangement } from './use-arrangement'
import './podcasts.css'

type Props = {
  /** All that may be shown, whatever is filtered. */
  podcasts: readonly Podcast[]
  words: string
  onType: (words: string) => void
  arrangement: Arrangement
}

/** Filters, sorts and the form of the list, in one line. */
export function PodcastsTools({ podcasts, words, onType, arrangement }: Props) {
  const { t } = useTranslation()
  const { view, setView } = arrangement
  return (
    <div className={`podcasts-tools row gap-8 ${view === 'list' ? 'is-above-list' : ''}`}>
      <input
        type="search"
        className="search-pill"
        value={words}
        placeholder={t('filter-by-name')}
        aria-label={t('filter-by-name')}
        dir="auto"
        onChange={event => onType(event.target.value)}
      />
      <Filters podcasts={podcasts} />
      <SortMenu {...arrangement} />
      <SegmentedChoice
        label={t('view')}
        value={view === 'list' ? 'list' : 'grid'}
        onChange={setView}
        choices={[
          { value: 'grid', label: t('view-grid'), icon: <LayoutGrid size={16} aria-hidden="true" /> },
          { value: 'list', label: t('view-list'), icon: <List size={16} aria-hidden="true" /> },
        ]}
      />
    </div>
  )
}

/** The chosen filter is in the address, so that other pages can link to it. */
function Filters({ podcasts }: Pick<Props, 'podcasts'>) {
  useSignals()
  const { tags } = useApp()
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const [tagId, isAttention] = [search.get('tag'), search.has('attention')]
  const choose = (filter: Record<string, string>) => setSearch(filter, { replace: true })
  const attention = podcasts.filter(needsAttention).length
  const chips = (tags.all.value ?? [])
    .map(({ id, name }) => ({
      id,
      name,
      count: podcasts.filter(podcast => podcast.tags.some(tag => tag.id === id)).length,
    }))
    .filter(({ id, count }) => count > 0 || id === tagId)
  return (
    <div className="chip-line row gap-8 grow" role="group" aria-label={t('filter-by-tag')}>
      <FilterChip
        label={t('only-all')}
        count={podcasts.length}
        isOn={tagId === null && !isAttention}
        onToggle={() => choose({})}
      />
      {chips.map(({ id, name, count }) => (
        <FilterChip
          key={id}
          label={name}
          count={count}
          isOn={id === tagId}
          onToggle={isOn => choose(isOn ? { tag: id } : {})}
        />
      ))}
      {(attention > 0 || isAttention) && (
        <FilterChip
          label={t('needs-attention')}
          count={attention}
          isOn={isAttention}
          onToggle={isOn => choose(isOn ? { attention: '1' } : {})}
        />
      )}
    </div>
  )
}

function SortMenu({ sort, setSort, view, setView }: Arrangement) {
  const { t } = useTranslation()
  const items = (): MenuItem[] => [
    ...sorts.map((name, index) => ({
      ...(index === 0 && { group: t('sort-by') }),
      label: t(`sort-${name}`),
      isChecked: name === sort,
      onSelect: () => setSort(name),
    })),
    ...views.map((name, index) => ({
      ...(index === 0 && { group: t('view') }),
      label: t(`view-${name}`),
      isChecked: name === view,
      onSelect: () => setView(name),
    })),
  ]
  return <Menu icon={ArrowDownNarrowWide} label={t('sort-by')} text={t(`sort-${sort}`)} items={items} />
}
