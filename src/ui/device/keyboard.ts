import type { Signal } from '@preact/signals-core'
import type { Player } from '../player/player'

const VOLUME_STEP = 5

/** Where keys have a meaning of their own: fields, sliders, lists, menus, dialogs, and buttons for space and Enter. */
const ownKeys =
  'input, textarea, select, [contenteditable], [role=slider], [role=listbox], [role=menu], [role=tablist], dialog:not(.player-sheet), summary'

type PlayerKey = {
  keys: readonly string[]
  text: string
  action: (player: Player) => void
  /** The page has a use for it, too: the player takes it while something plays, or while it is open. */
  isShared?: true
}

/** Keys of one stroke, and what they do to the player. */
export const playerKeys: readonly PlayerKey[] = [
  { keys: ['k', ' '], text: 'key-toggle', action: player => player.toggle() },
  { keys: ['j', 'ArrowLeft'], text: 'key-back', action: player => player.skipBack() },
  { keys: ['l', 'ArrowRight'], text: 'key-forward', action: player => player.skipForward() },
  {
    keys: ['ArrowUp'],
    text: 'key-louder',
    action: player => player.setVolume(player.volume.value + VOLUME_STEP),
    isShared: true,
  },
  {
    keys: ['ArrowDown'],
    text: 'key-softer',
    action: player => player.setVolume(player.volume.value - VOLUME_STEP),
    isShared: true,
  },
]

type Needs = {
  player: Player
  /** The player lies over the page. */
  isOpen: Signal<boolean>
  /** Off for those who speak to their computer, or whose hands slip. */
  areOn: Signal<boolean>
  /** What else has a key of one stroke. */
  commands: Record<string, () => void>
}

/** Keys of one stroke, while the focus is on the page or the player. Answers what ends them. */
export function handleKeys({ player, isOpen, areOn, commands }: Needs): () => void {
  function onKeyDown(event: KeyboardEvent) {
    if (!areOn.value || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    // The focus may be nowhere for a moment while a dialog changes.
    if (document.querySelector('dialog:modal:not(.player-sheet)')) return
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest(ownKeys)) return
    if (event.key === ' ' && target?.closest('button, a, [role=button]')) return
    const action = actionOf(event.key.length === 1 ? event.key.toLowerCase() : event.key)
    if (!action) return
    event.preventDefault()
    action()
  }
  function actionOf(key: string): (() => void) | undefined {
    const found = playerKeys.find(({ keys }) => keys.includes(key))
    const isInUse = player.isPlaying.value || player.isWaiting.value || isOpen.value
    if (found && player.current.value && (isInUse || !found.isShared)) return () => found.action(player)
    return commands[key]
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
