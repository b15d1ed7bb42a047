import { effect, type ReadonlySignal, untracked } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Continuation } from './continuation'
import type { Player } from './player'

// Time for a slow host to send the beginning, and little to fetch in vain if its listener chooses something else.
const AHEAD_SECONDS = 30

type Needs = {
  player: Player
  next: ReadonlySignal<EpisodeWrapper | undefined>
  continuation: ReadonlySignal<Continuation | null>
  kept: { ids: ReadonlySignal<ReadonlySet<string>> }
  levelling: { prepare: (eid: string) => unknown }
  isConnected: () => boolean
  /** Whether the next episode won't begin here: on a speaker, or after a sleep timer. */
  isOff: () => boolean
}

/** Makes the next episode ready shortly before the current one ends, so that it begins without a pause. */
export function createAhead({ player, next, continuation, kept, levelling, isConnected, isOff }: Needs) {
  let prepared: string | null = null
  effect(() => {
    const following = next.value ?? continuation.value?.next.value?.wrapper
    const left = (player.duration.value - player.position.value) / player.rate.value
    const isNear = player.isPlaying.value && player.duration.value > 0 && left <= AHEAD_SECONDS
    if (!isNear || !following) return void (prepared = null)
    untracked(() => {
      const { id, episode_id: eid } = following.podcastEpisode
      if (prepared === id || isOff() || !isConnected()) return
      prepared = id
      void levelling.prepare(eid)
      void player
        .prepare(following, player.loadsAhead.value && !kept.ids.value.has(eid) && !isMetered())
        .catch(() => undefined)
    })
  })
}

/** Whether the connection is paid by what passes, as far as the browser says. */
function isMetered(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; type?: string } }
  return connection?.saveData === true || connection?.type === 'cellular'
}
