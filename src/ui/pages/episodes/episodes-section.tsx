import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import { CheckCheck } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeOutline, EpisodeWrapper, PodcastOverview } from '../../../shared/api/episode'
import type { MatchingInPodcast } from '../../../shared/api/matching'
import type { KnownPodcast } from '../../../shared/api/podcast'
import type { EpisodeQuery } from '../../api/calls'
import { podcastListApi } from '../../api/library'
import { useApp } from '../../app-context'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import type { MarkPodcast } from '../../library/episodes/use-bulk-actions'
import { SelectionBar, useEpisodeSelection, useFollowing } from '../../library/episodes/use-episode-list'
import { createWholeList, type KeptList } from '../../state/whole-list'
import { FilterLine, type Filters, useListFilters } from './filter-line'
import { JumpMenu, useSections } from './sections'

type Props = {
  podcast: KnownPodcast
  overview: PodcastOverview | null
  /** The `id` of the episode to open and scroll to. */
  targetId: string | null
  /** The second of it to show. */
  moment: number | null
  onMark: MarkPodcast
}

/** The episodes of a podcast by seasons or years, with their search and filters. */
export function EpisodesSection({ podcast, overview, targetId, moment, onMark }: Props) {
  useSignals()
  const { client } = useApp()
  const { t } = useTranslation()
  const { id, name } = podcast
  const filters = useListFilters(podcast)
  const { only, order, text } = filters
  const list = usePodcastList(id, filters, targetId)
  const selection = useEpisodeSelection(list)
  const [goal, setGoal] = useState<string | null>(null)
  const filter = filterOf(id, filters)
  const outline = list.outline.value
  /** The first episode from a place on that was not finished, else that at the place. */
  const firstOf = useCallback(
    async (place: number): Promise<EpisodeWrapper | undefined> => {
      const rows = await podcastListApi(client).page(id, { order, limit: 200 }, place)
      return rows.find(row => !row.podcastHistoryItem?.finished) ?? rows[0]
    },
    [client, id, order],
  )
  const isUnfiltered = only === 'all' && !text
  const { sections, unfold } = useSections({ podcastId: id, outline, filter, isUnfiltered, firstOf, podcastName: name })
  return (
    <>
      <h2 className="visually-hidden">{t('episodes')}</h2>
      {selection.isActive.value ? (
        <SelectionBar selection={selection} list={list} matching={filter} />
      ) : (
        <FilterLine filters={filters} counts={overview?.counts} onSelect={selection.begin}>
          <JumpMenu
            outline={outline}
            onJump={key => {
              unfold(key)
              setGoal(key)
            }}
          />
        </FilterLine>
      )}
      <div className="page-list list-width">
        <EpisodeList
          key={`${targetId ?? 'all'} ${moment}`}
          list={list}
          sections={sections}
          goal={goal}
          onGoal={() => setGoal(null)}
          selection={selection}
          showCover={false}
          isBySeason={outline?.by === 'season'}
          podcastNameOf={() => name}
          openAtStart={targetId}
          momentAtStart={moment}
          moreOf={({ podcastEpisode }) => [
            { icon: CheckCheck, label: t('mark-older-played'), onSelect: () => onMark(true, podcastEpisode.id) },
          ]}
          empty={<Empty>{emptyText(podcast, filters, t)}</Empty>}
        />
      </div>
    </>
  )
}

function emptyText({ feed_items }: KnownPodcast, { text, only }: Filters, t: TFunction): string {
  if (text) return t('nothing-found')
  if (only === 'downloaded') return t('nothing-downloaded')
  if (only === 'liked') return t('nothing-liked-here')
  if (only === 'new') return t('nothing-new')
  if (only === 'unplayed') return t('all-episodes-played')
  return feed_items ? t('feed-nothing-playable', { count: feed_items }) : t('no-episodes-yet')
}

const PAGE_SIZE = 50

type Kept = KeptList<EpisodeWrapper, EpisodeOutline>

/** The episodes of a podcast that its filters leave. `targetId`: an episode whose place is sought. */
function usePodcastList(podcastId: string, { only, order, text }: Filters, targetId: string | null) {
  const { changes, client, places } = useApp()
  const list = useMemo(() => {
    const { page, outline } = podcastListApi(client)
    const query: EpisodeQuery = { ...queries[only], order, ...(text && { text }) }
    return createWholeList<EpisodeWrapper, EpisodeOutline>(
      {
        size: PAGE_SIZE,
        idOf: ({ podcastEpisode }) => podcastEpisode.id,
        loadOutline: signal => outline(podcastId, query, targetId, signal),
        loadRows: (offset, signal) => page(podcastId, { ...query, limit: PAGE_SIZE }, offset, signal),
      },
      places.remembered<Kept>('episodes'),
    )
  }, [client, places, podcastId, only, order, text, targetId])
  useFollowing(list, podcastId)
  // A season may be all played now.
  useEffect(
    () =>
      changes.listen({
        edit: () => undefined,
        stale: () => undefined,
        played({ finished, podcast_id }) {
          if (finished && podcast_id === podcastId) void list.sumUp()
        },
      }),
    [changes, list, podcastId],
  )
  return list
}

const queries = {
  all: {},
  new: { new: true },
  unplayed: { unlistened: true },
  downloaded: { downloaded: true },
  liked: { liked: true },
} satisfies Record<string, EpisodeQuery>

/** The filters as actions on all that they leave take them. */
function filterOf(podcastId: string, { only, order, text }: Filters): MatchingInPodcast {
  const { new: only_new, unlistened: only_unlistened, ...rest }: EpisodeQuery = queries[only]
  return {
    podcast: podcastId,
    ...rest,
    ...(only_new && { only_new }),
    ...(only_unlistened && { only_unlistened }),
    ...(text && { q: text }),
    ...(order === 'oldest' && { oldest_first: true }),
  }
}
