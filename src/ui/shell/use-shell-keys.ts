import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useApp } from '../app-context'

/** Handles the keys of the whole page: Ctrl+F and Ctrl+K open and close the search. */
export function useShellKeys() {
  const { searchOverlay } = useApp()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (!['f', 'k'].includes(event.key.toLowerCase())) return
      event.preventDefault()
      searchOverlay.toggle()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [searchOverlay])
}

/** Handles keys of one stroke. Their code is loaded after the page: nobody presses one before. */
export function useSingleKeys() {
  const app = useApp()
  const [, go] = useLocation()
  useEffect(() => {
    let end = () => undefined as void
    let isGone = false
    import('./single-keys').then(
      ({ handleSingleKeys }) => {
        if (!isGone) end = handleSingleKeys({ ...app, go: path => go(path) })
      },
      () => undefined,
    )
    return () => {
      isGone = true
      end()
    }
  }, [app, go])
}
