import { useSignals } from '@preact/signals-react/runtime'
import { useCallback, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { FilterChip } from '../../components/filter-chip'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import { EpisodeSkeleton } from '../../library/episodes/episode-skeleton'
import { dateFormOf, timelineGroupOf } from '../../library/episodes/time-groups'
import { TimelineHeading } from '../../library/episodes/timeline-heading'
import { useTimeline, type TimelineFilter } from '../../library/episodes/use-timeline'
import { routes } from '../../routes'

const MAX_ROWS = 12

const filters: readonly { key: string; filter: TimelineFilter }[] = [
  { key: 'all', filter: {} },
  { key: 'favorites', filter: { favoredOnly: true } },
  { key: 'not-played', filter: { notListened: true } },
]

/** The newest episodes, and which of them are chosen. */
export function useNewEpisodes() {
  const [chosen, choose] = useState(filters[0]!)
  return { chosen, choose, timeline: useTimeline({ filter: chosen.filter, limit: MAX_ROWS, isBrief: true }) }
}

type Props = ReturnType<typeof useNewEpisodes> & {
  /** Called once it is known how many there are. */
  onListed: () => void
}

/** The newest episodes by day, and the way to all of them. */
export function NewEpisodes({ chosen, choose, timeline: { list, nameOf, sums }, onListed }: Props) {
  useSignals()
  const { t } = useTranslation()
  const isListed = list.status.value === 'ready' || list.status.value === 'failed'
  useLayoutEffect(() => {
    if (isListed) onListed()
    // Only the first time matters.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isListed])
  const groupOf = useCallback(
    (wrapper: EpisodeWrapper) => {
      const key = timelineGroupOf(wrapper)
      return { key, label: <TimelineHeading group={key} sums={sums} /> }
    },
    [sums],
  )
  return (
    <section className="home-section">
      <div className="home-heading">
        <h2>{t('new-episodes')}</h2>
        <div className="chip-line">
          {filters.map(filter => (
            <FilterChip
              key={filter.key}
              label={t(filter.key)}
              isOn={filter === chosen}
              onToggle={() => choose(filter)}
            />
          ))}
        </div>
        <Link href={routes.timeline}>{t('timeline')}</Link>
      </div>
      <EpisodeList
        list={list}
        podcastNameOf={nameOf}
        showPodcast
        dateForm={dateFormOf}
        groupOf={groupOf}
        empty={<Empty>{t(chosen === filters[0] ? 'no-episodes-yet' : 'timeline-empty-filtered')}</Empty>}
      />
    </section>
  )
}

/** A placeholder as high as the heading and the rows that are loading. */
export const NewEpisodesSkeleton = () => (
  <div className="home-section">
    <div className="home-heading" />
    <EpisodeSkeleton count={8} showCover />
  </div>
)
