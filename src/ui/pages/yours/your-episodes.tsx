import { useSignals } from '@preact/signals-react/runtime'
import { Bookmark, CirclePlay, Download, History, ThumbsUp } from 'lucide-react'
import { useCallback, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { YourEpisode } from '../../../shared/api/your-episodes'
import { useApp } from '../../app-context'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import '../../library/episodes/lists.css'
import { namePeriod, periodOf } from '../../library/episodes/time-groups'
import { ListLine } from '../../library/episodes/list-line'
import { useEpisodeSelection } from '../../library/episodes/use-episode-selection'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import type { YourList } from '../../../shared/choices'
import type { PagedList } from '../../state/paged-list'

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
  const { api, library } = useApp()
  const podcasts = library.byId.value
  const { t } = useTranslation()
  const load = useCallback(
    async (cursor: string | null) => {
      const { data, nextCursor } = await api.yourEpisodes.page(kind, cursor)
      return { items: data, next: nextCursor }
    },
    [api, kind],
  )
  const list = useEpisodeList(null, load)
  const selection = useEpisodeSelection(list)
  const groupOf = useCallback(
    (wrapper: EpisodeWrapper) => {
      const key = periodAt(wrapper)
      return { key, label: <PeriodHeading period={key} list={list} /> }
    },
    [list],
  )
  return (
    <>
      <ListLine list={list} selection={selection}>
        {kinds}
      </ListLine>
      {children}
      <EpisodeList
        list={list}
        podcastNameOf={({ podcastEpisode }) => podcasts.get(podcastEpisode.podcast_id)?.name ?? ''}
        showPodcast
        groupOf={groupOf}
        selection={selection}
        empty={<Empty icon={icons[kind]}>{t(`yours-empty-${kind}`)}</Empty>}
      />
    </>
  )
}

/** The items of such a list are what the server sent, with the moment at which they came into it. */
const periodAt = (wrapper: EpisodeWrapper) => periodOf((wrapper as YourEpisode).at)

function PeriodHeading({ period, list }: { period: string; list: PagedList<EpisodeWrapper> }) {
  useSignals()
  const { t } = useTranslation()
  const items = list.items.value
  // A period that reaches the end of what is loaded may go on.
  const isWhole = list.isWhole.value || items.at(-1) === undefined || periodAt(items.at(-1)!) !== period
  const count = items.filter(item => periodAt(item) === period).length
  return (
    <>
      {namePeriod(period)}{' '}
      <span className="group-facts regular muted numbers">{isWhole && t('episodes-count', { count })}</span>
    </>
  )
}
