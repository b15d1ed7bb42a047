import { useSignals } from '@preact/signals-react/runtime'
import { ArrowDownNarrowWide, LayoutGrid, List } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { FilterChip } from '../../components/filter-chip'
import { Menu, type MenuItem } from '../../components/menu'
import { SegmentedChoice, useRemembered } from '../../components/segments'
import './podcasts.css'

type Props = {
  /** All podcasts that can be shown, before filtering. */
  podcasts: readonly KnownPodcast[]
  words: string
  onType: (words: string) => void
  arrangement: Arrangement
}

/** Filters, sorts and the form of the list, in one line. */
export function PodcastsTools({ podcasts, words, onType, arrangement }: Props) {
  const { t } = useTranslation()
  const { view, setView } = arrangement
  return (
    <div className={`podcasts-tools below-8 row gap-8 ${view === 'list' ? 'list-width' : ''}`}>
      <input
        type="search"
        className="search-pill rigid"
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
  const [tagId, isAttention, category] = [search.get('tag'), search.has('attention'), search.get('category')]
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
        isOn={tagId === null && !isAttention && category === null}
        onToggle={() => choose({})}
      />
      {category !== null && <FilterChip label={category} isOn onToggle={() => choose({})} />}
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

/** The order and the form of the list; on phones also the check of all feeds, for which the bar has no room. */
function SortMenu({ sort, setSort, view, setView }: Arrangement) {
  const { library, session, failed } = useApp()
  const { t } = useTranslation()
  const mayCheck = () => session.mayUpload.peek() && matchMedia('(width < 768px)').matches
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
    ...(mayCheck()
      ? [{ group: '', label: t('refresh-all'), onSelect: () => void library.refreshAll().catch(failed) }]
      : []),
  ]
  return <Menu icon={ArrowDownNarrowWide} label={t('sort-by')} text={t(`sort-${sort}`)} items={items} />
}

const views = ['grid', 'compact', 'list'] as const
type View = (typeof views)[number]

type Arrangement = ReturnType<typeof useArrangement>

/** The order and the form of the list, remembered by this browser. */
export function useArrangement() {
  const [sort, setSort] = useRemembered<Sort>('podcasts.sort', sorts, 'title')
  const [view, setView] = useRemembered<View>('podcasts.view', views, 'grid')
  return { sort, setSort, view, setView }
}

export const sorts = ['newest', 'title', 'new', 'added', 'played'] as const
export type Sort = (typeof sorts)[number]

const { compare } = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })

/** Instants of equal width sort like text; podcasts without one are last. */
const byLatest =
  (field: 'last_episode_at' | 'added_at' | 'last_played_at') => (one: KnownPodcast, other: KnownPodcast) => {
    const [a, b] = [other[field] ?? '', one[field] ?? '']
    return a < b ? -1 : Number(a > b)
  }
const byName = (one: KnownPodcast, other: KnownPodcast) => compare(one.name, other.name)

const orders: Record<Sort, (one: KnownPodcast, other: KnownPodcast) => number> = {
  newest: byLatest('last_episode_at'),
  title: byName,
  new: (one, other) => other.new_count - one.new_count,
  added: byLatest('added_at'),
  played: byLatest('last_played_at'),
}

/** Sorts podcasts; equal ones by name. */
export const arrange = (podcasts: readonly KnownPodcast[], sort: Sort): KnownPodcast[] =>
  podcasts.toSorted((one, other) => orders[sort](one, other) || byName(one, other))

/** Removes accents and case, so that "cafe" finds "Café". */
export const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase()

/** Returns whether a podcast gets no new episodes although it should. */
export const needsAttention = ({ feed_state }: KnownPodcast) => feed_state === 'failing' || feed_state === 'gone'
