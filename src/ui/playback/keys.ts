import type { ReadonlySignal } from '@preact/signals-core'
import type { Player } from './player'

const VOLUME_STEP = 5

type PlayerKey = {
  keys: readonly string[]
  text: string
  action: (player: Player) => void
  /** The page uses the key too: it controls the player only while something plays, or while the player is open. */
  isShared?: true
}

/** The single keys, and what they do to the player. */
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

/** Finds what a key does to the player now. `isOpen`: the player covers the page. */
export function findPlayerAction(player: Player, isOpen: ReadonlySignal<boolean>, key: string) {
  const found = playerKeys.find(({ keys }) => keys.includes(key))
  if (!found || !player.current.value) return undefined
  const isInUse = player.isPlaying.value || player.isWaiting.value || isOpen.value
  return isInUse || !found.isShared ? () => found.action(player) : undefined
}
