import type { AppState } from '../app-context'
import { handleKeys } from '../device/keyboard'
import { findPlayerAction } from '../player/keys'

type Needs = Pick<AppState, 'player' | 'playerSheet' | 'singleKeys' | 'searchOverlay' | 'keysHelp'>

/** Handles the keys of the player, of the search and of the help. Returns what ends that. */
export function handleSingleKeys({ player, playerSheet, singleKeys, searchOverlay, keysHelp }: Needs): () => void {
  const commands: Record<string, () => void> = { '/': searchOverlay.open, '?': keysHelp.open }
  return handleKeys({
    areOn: singleKeys.areOn,
    findAction: key => findPlayerAction(player, playerSheet.isOpen, key) ?? commands[key],
  })
}
