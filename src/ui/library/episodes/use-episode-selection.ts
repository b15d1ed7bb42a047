import { effect } from '@preact/signals-core'
import { useEffect, useState } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { MAX_CHOSEN } from '../../../shared/limits'
import { lazily } from '../../components/lazily'
import type { PagedList } from '../../state/paged-list'
import { createSelection } from '../../state/selection'

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
