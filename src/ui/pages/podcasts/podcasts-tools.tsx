import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { useApp } from '../../app-context'
import { FilterChip } from '../../components/filter-chip'
import { FilterGroup } from '../../components/filter-group'
import { sorts, type Sort } from './arrange'

type Props = { words: string; sort: Sort; onType: (words: string) => void; onSort: (sort: Sort) => void }

/** Filters and sorts the grid. */
export function PodcastsTools({ words, sort, onType, onSort }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <div className="podcasts-tools">
        <input
          type="search"
          value={words}
          placeholder={t('filter-by-name')}
          aria-label={t('filter-by-name')}
          onChange={event => onType(event.target.value)}
        />
        <select value={sort} aria-label={t('sort-by')} onChange={event => onSort(event.target.value as Sort)}>
          {sorts.map(name => (
            <option key={name} value={name}>
              {t(`sort-${name}`)}
            </option>
          ))}
        </select>
      </div>
      <TagFilters />
    </>
  )
}

/** The chosen tag is in the address, so that other pages can link to it. */
function TagFilters() {
  useSignals()
  const { tags } = useApp()
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const all = tags.all.value ?? []
  if (all.length === 0) return null
  return (
    <FilterGroup label={t('filter-by-tag')}>
      {all.map(({ id, name }) => (
        <FilterChip
          key={id}
          label={name}
          isOn={id === search.get('tag')}
          onToggle={isOn => setSearch(isOn ? { tag: id } : {}, { replace: true })}
        />
      ))}
    </FilterGroup>
  )
}
