import { computed, effect, signal, untracked } from '@preact/signals-core'
import type { Player } from './player'

/** A number of minutes from now, or the end of the episode. */
export type Sleep = number | 'episode-end'
export const sleepMinutes = [5, 10, 15, 30, 45, 60] as const

const FADE_SECONDS = 20

/**
 * A timer that pauses the player after a while, or stops the queue at the end of the episode. The sound fades in the
 * last seconds. Time counts by the clock, not by the player: a listener who pauses and dozes off is not woken.
 */
export function createSleepTimer(
  player: Player,
  { now = Date.now, setTimer = setInterval, clearTimer = clearInterval } = {},
) {
  const until = signal<number | 'episode-end' | null>(null)
  const time = signal(now())
  let timer: ReturnType<typeof setInterval> | undefined

  /** The seconds that are left; null when no timer counts down. */
  const remaining = computed(() =>
    typeof until.value === 'number' ? Math.max(0, Math.ceil((until.value - time.value) / 1000)) : null,
  )

  function tick() {
    time.value = now()
    if (remaining.value === 0) {
      // Before the volume is restored, so that nothing is heard.
      player.pause()
      cancel()
    } else player.fade(remaining.value === null ? 1 : Math.min(1, remaining.value / FADE_SECONDS))
  }
  function cancel() {
    clearTimer(timer)
    until.value = null
    player.fade(1)
  }
  // The episode was taken out of the bar: there is nothing left to pause.
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
    /** Whether the queue stops at the end of this episode. A timer that waited for it is over then. */
    endsHere(): boolean {
      if (until.value !== 'episode-end') return false
      cancel()
      return true
    },
  }
}
