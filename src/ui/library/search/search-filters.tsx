import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { FilterChip } from '../../components/filter-chip'
import { FilterGroup } from '../../components/filter-group'
import type { Search } from '../../state/search'

/** Limits the search to titles, downloads, or what is not played yet. */
export function SearchFilters({ search }: { search: Search }) {
  useSignals()
  const { t } = useTranslation()
  const { titlesOnly, downloaded, unplayed } = search.filters.value
  return (
    <FilterGroup label={t('filter')}>
      <FilterChip
        label={t('in-titles-only')}
        isOn={titlesOnly}
        onToggle={isOn => search.filter({ titlesOnly: isOn })}
      />
      <FilterChip label={t('downloaded')} isOn={downloaded} onToggle={isOn => search.filter({ downloaded: isOn })} />
      <FilterChip label={t('not-played-yet')} isOn={unplayed} onToggle={isOn => search.filter({ unplayed: isOn })} />
    </FilterGroup>
  )
}
