import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { FilterChip } from '../../components/filter-chip'
import type { useTimelineFilter } from './use-timeline-filter'

const choices = [
  { name: 'unplayed', label: 'not-played' },
  { name: 'favorites', label: 'favorites' },
  { name: 'downloaded', label: 'downloaded' },
  { name: 'short', label: 'under-30-min' },
]

type Props = Omit<ReturnType<typeof useTimelineFilter>, 'filter'>

/** The filters of the timeline in one line: what episodes are like, and the tags of their podcasts. */
export function TimelineFilters({ isFiltered, isOn, toggle, clear }: Props) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const tags = new Map(library.all.value.flatMap(podcast => podcast.tags.map(({ id, name }) => [id, name] as const)))
  return (
    <div className="chip-line" role="group" aria-label={t('filter')}>
      <FilterChip label={t('all')} isOn={!isFiltered} onToggle={clear} />
      {choices.map(({ name, label }) => (
        <FilterChip key={name} label={t(label)} isOn={isOn(name)} onToggle={() => toggle(name)} />
      ))}
      {[...tags]
        .toSorted(([, one], [, other]) => one.localeCompare(other))
        .map(([id, name]) => (
          <FilterChip key={id} label={name} isOn={isOn('tag', id)} onToggle={() => toggle('tag', id)} />
        ))}
    </div>
  )
}
