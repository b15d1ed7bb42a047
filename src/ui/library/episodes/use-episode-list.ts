import { effect } from '@preact/signals-core'
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { createPagedList, type PagedList } from '../../state/paged-list'
import { MAX_CHOSEN } from '../../../shared/limits'
import { lazily } from '../../components/lazily'
import { createSelection } from '../../state/selection'

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

export const SelectionBar = lazily(async () => (await import('./selection-bar')).SelectionBar)

/** Elements in which Ctrl+A, Escape and End have their own meaning. */
export const withOwnKeys = 'input:not([type=checkbox]), textarea, [contenteditable], dialog, [role=menu]'

/** Selects episodes of a list. While it is active, Ctrl+A selects all that is loaded and Escape ends it. */
export function useEpisodeSelection(list: Pick<PagedList<EpisodeWrapper>, 'items'>) {
  const [selection] = useState(() =>
    createSelection<EpisodeWrapper>(({ podcastEpisode }) => podcastEpisode.id, MAX_CHOSEN),
  )
  useEffect(() => effect(() => selection.follow(list.items.value)), [selection, list])
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!selection.isActive.peek() || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(withOwnKeys)) return
      const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a'
      if (!isAll && event.key !== 'Escape') return
      event.preventDefault()
      if (isAll) selection.chooseAll(list.items.peek())
      else selection.end()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [selection, list])
  return selection
}
