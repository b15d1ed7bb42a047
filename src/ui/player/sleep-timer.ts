import { computed, effect, signal, untracked } from '@preact/signals-core'
import type { Player } from './player'

/** Minutes from now, or the end of the episode. */
export type Sleep = number | 'episode-end'
export const sleepMinutes = [5, 10, 15, 30, 45, 60] as const

const FADE_SECONDS = 20

/**
 * Pauses the player after a while, or lets nothing follow when the episode has ended. The sound fades in the last
 * seconds. Time counts by the clock, not by the player: somebody who pauses and dozes off is not woken.
 */
export function createSleepTimer(
  player: Player,
  { now = Date.now, setTimer = setInterval, clearTimer = clearInterval } = {},
) {
  const until = signal<number | 'episode-end' | null>(null)
  const time = signal(now())
  let timer: ReturnType<typeof setInterval> | undefined

  /** Seconds; null without a timer that counts. */
  const remaining = computed(() =>
    typeof until.value === 'number' ? Math.max(0, Math.ceil((until.value - time.value) / 1000)) : null,
  )

  function tick() {
    time.value = now()
    if (remaining.value === 0) {
      // Silence first: no sound comes back before it ends.
      player.pause()
      cancel()
    } else player.fade(remaining.value === null ? 1 : Math.min(1, remaining.value / FADE_SECONDS))
  }
  function cancel() {
    clearTimer(timer)
    until.value = null
    player.fade(1)
  }
  // What plays was taken out of the bar: there is nothing to end.
  effect(() => {
    if (player.current.value === null && untracked(() => until.value) !== null) cancel()
  })

  return {
    until,
    remaining,
    start(sleep: Sleep) {
      cancel()
      time.value = now()
      until.value = sleep === 'episode-end' ? sleep : now() + sleep * 60_000
      if (sleep !== 'episode-end') timer = setTimer(tick, 500)
    },
    cancel,
    /** At the end of an episode: whether the next one is to stay silent. */
    endsHere(): boolean {
      if (until.value !== 'episode-end') return false
      cancel()
      return true
    },
  }
}
export type SleepTimer = ReturnType<typeof createSleepTimer>
