import { effect, untracked, type ReadonlySignal } from '@preact/signals-core'

type Player = { isPlaying: ReadonlySignal<boolean>; pause: () => void }

/** Lets one tab play at a time: the one that began last. The others hear of it through the channel, and pause. */
export function playInOneTab(player: Player, channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>) {
  channel.addEventListener('message', () => player.pause())
  effect(() => {
    if (player.isPlaying.value) untracked(() => channel.postMessage('playing'))
  })
}
