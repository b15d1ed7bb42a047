import { useEffect, useMemo } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { EpisodeChanges } from '../../state/episode-changes'
import { createPagedList } from '../../state/paged-list'

type Page = { items: readonly EpisodeWrapper[]; next: string | null }

/** A list of episodes that lives as long as its page and follows what the socket tells. `podcastId` null = of any podcast. */
export function useEpisodeList(
  changes: EpisodeChanges,
  podcastId: string | null,
  load: (cursor: string | null) => Promise<Page>,
  dependencies: readonly unknown[],
) {
  const list = useMemo(() => createPagedList(load), dependencies)
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
