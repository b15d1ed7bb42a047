import { effect } from '@preact/signals-core'
import { useLayoutEffect, useMemo } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { createPagedList } from '../../state/paged-list'

type Page = { items: readonly EpisodeWrapper[]; next: string | null }
type Load = (cursor: string | null, signal: AbortSignal, wanted: number) => Promise<Page>

/**
 * A list of episodes that follows the events of the socket. It lives as long as `load` keeps its identity (wrap it in
 * `useCallback`). `podcastId` null = episodes of any podcast. Going back in the history finds the list as it was left.
 */
export function useEpisodeList(podcastId: string | null, load: Load) {
  const { places } = useApp()
  const list = useMemo(() => createPagedList(load, places.remembered<Page>('episodes')), [load, places])
  useFollowing(list, podcastId)
  return list
}

type Followed = {
  reload: () => Promise<unknown>
  change: (edit: (wrapper: EpisodeWrapper) => EpisodeWrapper) => void
  cancel: () => void
  /** Returns the content that a later visit begins with. */
  kept: () => unknown
}

/** Loads a list, and lets it follow the events of the socket. */
export function useFollowing(list: Followed, podcastId: string | null) {
  const { changes, places } = useApp()
  // Before the first paint, which takes longer than the answer on a slow phone.
  useLayoutEffect(() => {
    void list.reload()
    const endMemory = effect(() => places.remember('episodes', list.kept()))
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
}
