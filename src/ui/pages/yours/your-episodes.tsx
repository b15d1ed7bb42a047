import { useSignals } from '@preact/signals-react/runtime'
import { Bookmark, CirclePlay, Download, History, ThumbsUp } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper, YourOutline } from '../../../shared/api/episode'
import { callsOf } from '../../api/calls'
import { useApp } from '../../app-context'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import '../../library/episodes/lists.css'
import { namePeriod, periodOf, startOf } from '../../library/episodes/time-groups'
import { ListLine } from '../../library/episodes/list-line'
import { useEpisodeSelection, useFollowing } from '../../library/episodes/use-episode-list'
import type { YourList } from '../../../shared/choices'
import { createWholeList, type KeptList } from '../../state/whole-list'

type Props = {
  kind: YourList
  /** The chips that lead to the other kinds. */
  kinds: ReactNode
  /** Content between the chips and the list. */
  children?: ReactNode
}

const icons = {
  liked: ThumbsUp,
  bookmarked: Bookmark,
  'in-progress': CirclePlay,
  downloaded: Download,
  history: History,
}

/** Episodes of one kind by week, then by month. */
export function YourEpisodes({ kind, kinds, children }: Props) {
  useSignals()
  const { library } = useApp()
  const podcasts = library.byId.value
  const { t } = useTranslation()
  const list = useYourList(kind)
  const selection = useEpisodeSelection(list)
  const days = list.outline.value?.days
  const sections = useMemo(
    () =>
      [...countByPeriod(days ?? [])].map(([key, count]) => ({
        key,
        count,
        label: <Heading period={key} count={count} />,
      })),
    [days],
  )
  return (
    <>
      <ListLine list={list} selection={selection} matching={{ yours: kind }}>
        {kinds}
      </ListLine>
      {children}
      <EpisodeList
        list={list}
        podcastNameOf={({ podcastEpisode }) => podcasts.get(podcastEpisode.podcast_id)?.name ?? ''}
        showPodcast
        sections={sections}
        selection={selection}
        empty={<Empty icon={icons[kind]}>{t(`yours-empty-${kind}`)}</Empty>}
      />
    </>
  )
}

const PAGE_SIZE = 50

/** One of the user's own lists, which knows its length. */
function useYourList(kind: YourList) {
  const { client, places } = useApp()
  const list = useMemo(() => {
    const { get } = callsOf(client)
    return createWholeList<EpisodeWrapper, YourOutline>(
      {
        size: PAGE_SIZE,
        idOf: ({ podcastEpisode }) => podcastEpisode.id,
        loadOutline: signal =>
          get('/episodes/yours/:list/outline')(
            kind,
            { tz: new Intl.DateTimeFormat().resolvedOptions().timeZone },
            signal,
          ),
        loadRows: (offset, signal) => get('/episodes/yours/:list')(kind, { offset, limit: PAGE_SIZE }, signal),
      },
      places.remembered<KeptList<EpisodeWrapper, YourOutline>>('episodes'),
    )
  }, [client, places, kind])
  useFollowing(list, null)
  return list
}

/** Sums the days of a list up by this week, last week, and months, in their order. */
export function countByPeriod(days: YourOutline['days'], now = Date.now()): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { day, count } of days) {
    const period = periodOf(startOf(day), now)
    counts.set(period, (counts.get(period) ?? 0) + count)
  }
  return counts
}

function Heading({ period, count }: { period: string; count: number }) {
  const { t } = useTranslation()
  return (
    <>
      {namePeriod(period)} <span className="group-facts regular muted numbers">{t('episodes-count', { count })}</span>
    </>
  )
}
