import { type ReadonlySignal, signal } from '@preact/signals-core'
import { useSignals } from '@preact/signals-react/runtime'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { TimelineSpan } from '../../../shared/api/matching'
import type { Podcast } from '../../../shared/api/podcast'
import type { TimelineGroup } from '../../../shared/api/timeline'
import { useApp } from '../../app-context'
import { formatMinutes } from '../../format'
import './lists.css'
import { nameTimelineGroup } from './time-groups'
import { useEpisodeList } from './use-episode-list'

type Props = { group: string; sums: ReadonlySignal<TimelineSums> }

/** The heading of a day or month in the timeline, once its episodes are summed up. */
export function TimelineHeading({ group, sums }: Props) {
  useSignals()
  return <SummedHeading group={group} sum={sums.value.get(group)} />
}

/**
 * The heading of a day or month, with the number of its episodes and their length. `withDate`: shows the date of days
 * that have another name.
 */
export function SummedHeading({ group, sum, withDate = false }: SummedProps) {
  const { t } = useTranslation()
  const { name, date, shortDate } = nameTimelineGroup(group)
  const facts = [
    sum && t('episodes-count', { count: sum.count }),
    sum && sum.seconds > 0 && formatMinutes(sum.seconds),
  ].filter(Boolean)
  return (
    <>
      {name}{' '}
      <span className="group-facts regular muted numbers">
        {withDate && date && (
          <>
            <span className="above-phone">{date}</span>
            <span className="on-phone">{shortDate}</span>
            {facts.length > 0 && ' · '}
          </>
        )}
        {facts.join(' · ')}
      </span>
    </>
  )
}

type SummedProps = { group: string; sum: TimelineGroup | undefined; withDate?: boolean }

export type TimelineFilter = Omit<TimelineSpan, 'from' | 'to'>
type TimelineSums = ReadonlyMap<string, TimelineGroup>

type Query = {
  filter: TimelineFilter
  /** Episodes per page. */
  limit: number
  /** Limits the list to its first page. */
  isBrief?: boolean
}

/**
 * The newest episodes of all podcasts, as a list; the names of their podcasts; and the sums of its days and months, by
 * group.
 */
export function useTimeline({ filter, limit, isBrief = false }: Query) {
  const { api } = useApp()
  const { note, nameOf } = usePodcastNames()
  const [{ sums, sum }] = useState(createSums)
  const wanted = JSON.stringify(filter)
  const load = useCallback(
    async (cursor: string | null) => {
      const tz = new Intl.DateTimeFormat().resolvedOptions().timeZone
      const query = { ...(JSON.parse(wanted) as TimelineFilter), undatedLast: true, tz, limit }
      const { data, nextCursor } = await api.timeline.page(query, cursor)
      data.data.forEach(({ podcast }) => note(podcast))
      sum(data.groups, cursor !== null)
      const items = data.data.map(({ podcast_episode, history }) => ({
        podcastEpisode: podcast_episode,
        podcastHistoryItem: history,
      }))
      return { items, next: isBrief ? null : nextCursor }
    },
    [api, wanted, limit, isBrief, note, sum],
  )
  return { list: useEpisodeList(null, load), nameOf, sums }
}

function createSums() {
  const sums = signal<TimelineSums>(new Map())
  function sum(groups: readonly TimelineGroup[], isMore: boolean) {
    sums.value = new Map([...(isMore ? sums.peek() : []), ...groups.map(group => [group.group, group] as const)])
  }
  return { sums, sum }
}

/** Names the podcasts of episodes: from the library, or until that is loaded, as sent with the episodes (`note`). */
export function usePodcastNames() {
  useSignals()
  const { library } = useApp()
  const [{ noted, note }] = useState(() => {
    const noted = new Map<string, string>()
    return { noted, note: ({ id, name }: Podcast) => void noted.set(id, name) }
  })
  const nameOf = ({ podcastEpisode: { podcast_id: id } }: EpisodeWrapper) =>
    library.byId.value.get(id)?.name ?? noted.get(id) ?? ''
  return { note, nameOf }
}
