import { useEffect } from 'react'
import { useApp } from '../app-context'
import type { createSidebar } from '../state/sidebar'

/** Handles the keys of the whole page: Escape closes the sidebar, Ctrl+F opens the search. */
export function useShellKeys(sidebar: ReturnType<typeof createSidebar>) {
  const { searchOverlay } = useApp()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') sidebar.closeOverlay()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'f') return
      event.preventDefault()
      searchOverlay.toggle()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [sidebar, searchOverlay])
}

/** Handles keys of one stroke. Their code is loaded after the page: nobody presses one before. */
export function useSingleKeys() {
  const { player, playerSheet, singleKeys, searchOverlay, keysHelp } = useApp()
  useEffect(() => {
    let end = () => undefined as void
    let isGone = false
    import('./single-keys').then(
      ({ handleSingleKeys }) => {
        if (!isGone) end = handleSingleKeys({ player, playerSheet, singleKeys, searchOverlay, keysHelp })
      },
      () => undefined,
    )
    return () => {
      isGone = true
      end()
    }
  }, [player, playerSheet, singleKeys, searchOverlay, keysHelp])
}
