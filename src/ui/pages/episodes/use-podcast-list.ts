import { useEffect, useMemo } from 'react'
import type { EpisodeOutline, EpisodeWrapper, MatchingEpisodes } from '../../../shared/api/episode'
import type { EpisodeQuery } from '../../api/episode-query'
import { podcastListApi } from '../../api/podcast-list'
import { useApp } from '../../app-context'
import { useFollowing } from '../../library/episodes/use-episode-list'
import { createWholeList, type KeptList, type WholeList } from '../../state/whole-list'
import type { Filters } from './filter-line'

const PAGE_SIZE = 50

export type PodcastList = WholeList<EpisodeWrapper, EpisodeOutline>

type Kept = KeptList<EpisodeWrapper, EpisodeOutline>

/** The episodes of a podcast that its filters leave. `targetId`: an episode whose place is sought. */
export function usePodcastList(
  podcastId: string,
  { only, order, text }: Filters,
  targetId: string | null,
): PodcastList {
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
export function filterOf(podcastId: string, { only, order, text }: Filters): MatchingEpisodes {
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
