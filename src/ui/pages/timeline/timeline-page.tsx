import { useSignals } from '@preact/signals-react/runtime'
import { Clock } from 'lucide-react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import { ListLine } from '../../library/episodes/list-line'
import { dateFormOf, timelineGroupOf, UNDATED } from '../../library/episodes/time-groups'
import { TimelineHeading } from '../../library/episodes/timeline-heading'
import { useEpisodeSelection } from '../../library/episodes/use-episode-selection'
import { useTimeline } from '../../library/episodes/use-timeline'
import { EmptyLibrary } from '../../library/podcasts/empty-library'
import { DayMenu } from './day-menu'
import { TimelineFilters } from './timeline-filters'
import { useTimelineFilter } from './use-timeline-filter'

const PAGE_SIZE = 50

/** The newest episodes of all podcasts, by day. The filters are in the address. */
export function TimelinePage() {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const { filter, ...filters } = useTimelineFilter()
  const { list, nameOf, sums } = useTimeline({ filter, limit: PAGE_SIZE })
  const selection = useEpisodeSelection(list)
  const isEmptyLibrary = library.status.value === 'ready' && library.all.value.length === 0
  const wanted = JSON.stringify(filter)
  const groupOf = useCallback(
    (wrapper: EpisodeWrapper) => {
      const key = timelineGroupOf(wrapper)
      return {
        key,
        label: <TimelineHeading group={key} sums={sums} withDate />,
        end: key !== UNDATED && <DayMenu group={key} list={list} filter={JSON.parse(wanted) as typeof filter} />,
      }
    },
    [sums, list, wanted],
  )
  return (
    <div className="page-list">
      <PageHeader title={t('timeline')} />
      {!isEmptyLibrary && (
        <ListLine list={list} selection={selection}>
          <TimelineFilters {...filters} />
        </ListLine>
      )}
      <h2 className="visually-hidden">{t('episodes')}</h2>
      <EpisodeList
        list={list}
        podcastNameOf={nameOf}
        showPodcast
        dateForm={dateFormOf}
        groupOf={groupOf}
        selection={selection}
        empty={
          filters.isFiltered && !isEmptyLibrary ? (
            <Empty icon={Clock}>{t('timeline-empty-filtered')}</Empty>
          ) : (
            <EmptyLibrary icon={Clock} text={t('timeline-empty')} />
          )
        }
      />
    </div>
  )
}
