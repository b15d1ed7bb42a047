import type { AppState } from '../app-context'
import { handleKeys } from '../device/keyboard'
import { findPlayerAction } from '../playback/keys'
import { routes } from '../routes'

type Needs = Pick<AppState, 'player' | 'playerSheet' | 'singleKeys' | 'searchOverlay' | 'keysHelp' | 'queuePanel'> & {
  go: (path: string) => void
}

/** Pages by the key that follows G. */
const pages: Record<string, string> = { h: routes.home, s: routes.podcasts, f: routes.favorites, t: routes.timeline }
const PATIENCE_MS = 1500

/** Handles the keys of the player, of the search, of the queue and of the help. Returns a function that ends that. */
export function handleSingleKeys(needs: Needs): () => void {
  const { player, playerSheet, singleKeys, searchOverlay, keysHelp, queuePanel, go } = needs
  const commands: Record<string, () => void> = {
    '/': searchOverlay.open,
    '?': keysHelp.open,
    q: queuePanel.toggle,
    g: () => (goUntil = performance.now() + PATIENCE_MS),
  }
  /** The moment until which the next key names a page. */
  let goUntil = 0
  return handleKeys({
    areOn: singleKeys.areOn,
    findAction(key) {
      const page = performance.now() < goUntil ? pages[key] : undefined
      goUntil = 0
      if (page) return () => go(page)
      return findPlayerAction(player, playerSheet.isOpen, key) ?? commands[key]
    },
  })
}
