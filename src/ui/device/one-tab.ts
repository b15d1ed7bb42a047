import { effect, untracked } from '@preact/signals-core'
import type { Player } from '../player/player'

/** One tab plays at a time: whichever begins last. The others are told, and pause. */
export function playInOneTab(player: Player, channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>) {
  channel.addEventListener('message', () => player.pause())
  effect(() => {
    if (player.isPlaying.value) untracked(() => channel.postMessage('playing'))
  })
}
