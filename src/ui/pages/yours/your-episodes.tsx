import { useSignals } from '@preact/signals-react/runtime'
import { Bookmark, CirclePlay, Download, History, ThumbsUp } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper, YourEpisode, YourOutline } from '../../../shared/api/episode'
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
  const { list, sections } = useYourList(kind)
  const selection = useEpisodeSelection(list)
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

/** A row of such a list; an episode has one for each of its bookmarks. */
export type YourRow = EpisodeWrapper & Partial<Pick<YourEpisode, 'bookmark'>>

/** One of the user's own lists, which knows its length, with a heading for each week, then each month. */
export function useYourList(kind: YourList) {
  useSignals()
  const { client, places } = useApp()
  const list = useMemo(() => {
    const { get } = callsOf(client)
    return createWholeList<YourRow, YourOutline>(
      {
        size: PAGE_SIZE,
        idOf: ({ podcastEpisode, bookmark }) => bookmark?.id ?? podcastEpisode.id,
        loadOutline: signal =>
          get('/episodes/yours/:list/outline')(
            kind,
            { tz: new Intl.DateTimeFormat().resolvedOptions().timeZone },
            signal,
          ),
        loadRows: (offset, signal) => get('/episodes/yours/:list')(kind, { offset, limit: PAGE_SIZE }, signal),
      },
      places.remembered<KeptList<YourRow, YourOutline>>('episodes'),
    )
  }, [client, places, kind])
  useFollowing(list, null)
  const days = list.outline.value?.days
  const sections = useMemo(
    () =>
      [...countByPeriod(days ?? [])].map(([key, count]) => ({
        key,
        count,
        label: <Heading period={key} episodes={kind === 'bookmarked' ? null : count} />,
      })),
    [days, kind],
  )
  return { list, sections }
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

function Heading({ period, episodes }: { period: string; episodes: number | null }) {
  const { t } = useTranslation()
  return (
    <>
      {namePeriod(period)}{' '}
      {episodes !== null && (
        <span className="group-facts regular muted numbers">{t('episodes-count', { count: episodes })}</span>
      )}
    </>
  )
}
