import type { Player } from './player/player'

const VOLUME_STEP = 5

/** Where keys have a meaning of their own: fields, sliders, lists, menus, dialogs, and buttons for space and Enter. */
const ownKeys =
  'input, textarea, select, [contenteditable], [role=slider], [role=listbox], [role=menu], [role=tablist], dialog:not(.player-sheet), summary'

const actions: Record<string, (player: Player) => void> = {
  j: player => player.skipBack(),
  ArrowLeft: player => player.skipBack(),
  l: player => player.skipForward(),
  ArrowRight: player => player.skipForward(),
  k: player => player.toggle(),
  ' ': player => player.toggle(),
  ArrowUp: player => player.setVolume(player.volume.value + VOLUME_STEP),
  ArrowDown: player => player.setVolume(player.volume.value - VOLUME_STEP),
}

/** The player's keys, while something is loaded in it. Answers what ends them. */
export function handlePlayerKeys(player: Player): () => void {
  function onKeyDown(event: KeyboardEvent) {
    if (!player.current.value || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    // The focus may be nowhere for a moment while a dialog changes.
    if (document.querySelector('dialog:modal:not(.player-sheet)')) return
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest(ownKeys)) return
    if (event.key === ' ' && target?.closest('button, a, [role=button]')) return
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!action) return
    event.preventDefault()
    action(player)
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
