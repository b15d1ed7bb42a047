import { useEffect, useMemo } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { EpisodeChanges } from '../../state/episode-changes'
import { createPagedList } from '../../state/paged-list'

type Page = { items: readonly EpisodeWrapper[]; next: string | null }

/**
 * A list of episodes that lives as long as `load` stays the same (wrap it in `useCallback`) and follows what the socket
 * tells. `podcastId` null = of any podcast.
 */
export function useEpisodeList(
  changes: EpisodeChanges,
  podcastId: string | null,
  load: (cursor: string | null) => Promise<Page>,
) {
  const list = useMemo(() => createPagedList(load), [load])
  useEffect(() => {
    void list.reload()
    return changes.listen({
      edit: list.change,
      stale: changed => {
        if (changed === null || podcastId === null || changed === podcastId) void list.reload()
      },
    })
  }, [list, changes, podcastId])
  return list
}
