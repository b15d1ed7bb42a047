import { effect } from '@preact/signals-core'
import { useEffect, useMemo } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { createPagedList } from '../../state/paged-list'

type Page = { items: readonly EpisodeWrapper[]; next: string | null }

/**
 * A list of episodes that lives as long as `load` stays the same (wrap it in `useCallback`) and follows what the socket
 * tells. `podcastId` null = of any podcast. Going back finds it as it was left.
 */
export function useEpisodeList(podcastId: string | null, load: (cursor: string | null) => Promise<Page>) {
  const { changes, places } = useApp()
  const list = useMemo(() => createPagedList(load, places.remembered<Page>('episodes')), [load, places])
  useEffect(() => {
    void list.reload()
    const endMemory = effect(() => places.remember('episodes', { items: list.items.value, next: list.next.value }))
    const endChanges = changes.listen({
      edit: list.change,
      stale: changed => {
        if (changed === null || podcastId === null || changed === podcastId) void list.reload()
      },
    })
    return () => {
      endMemory()
      endChanges()
      list.cancel()
    }
  }, [list, changes, places, podcastId])
  return list
}
