import { computed, effect, signal, untracked } from '@preact/signals-core'
import type { Chapters } from './chapters'
import type { Player } from './player'

/** A number of minutes from now, or the end of the chapter or the episode. */
export type Sleep = number | 'chapter-end' | 'episode-end'
export const sleepMinutes = [15, 30, 45, 60] as const

const FADE_SECONDS = 20
// Between two reports of the element, at three times the speed and in a tab in the background.
const OVERSHOOT_SECONDS = 5

type Needs = { player: Player; chapters: Pick<Chapters, 'all' | 'index' | 'end'> }

/**
 * A timer that pauses the player after a while or at the end of a chapter, or stops the queue at the end of the
 * episode. The sound fades in the last seconds. Minutes count by the clock, not by the player: a listener who pauses
 * and dozes off is not woken.
 */
export function createSleepTimer(
  { player, chapters }: Needs,
  { now = Date.now, setTimer = setInterval, clearTimer = clearInterval } = {},
) {
  /** Null while it is off. */
  const choice = signal<Sleep | null>(null)
  let wakeUntil = 0
  const time = signal(now())
  let timer: ReturnType<typeof setInterval> | undefined

  /** The seconds of playback that are left; null if no timer runs. */
  const remaining = computed(() => {
    if (choice.value === null) return null
    if (typeof choice.value === 'number') return Math.max(0, Math.ceil((wakeUntil - time.value) / 1000))
    return secondsTo(choice.value)
  })
  function secondsTo(end: 'chapter-end' | 'episode-end') {
    const second = end === 'chapter-end' ? chapters.end.value : player.duration.value
    return Math.max(0, Math.ceil((second - player.position.value) / player.rate.value))
  }
  function tick() {
    time.value = now()
    if (remaining.value === 0) sleep()
    else player.fade(remaining.value === null ? 1 : Math.min(1, remaining.value / FADE_SECONDS))
  }
  function sleep() {
    // Before the volume is restored, so that nothing is heard.
    player.pause()
    cancel()
  }
  function cancel() {
    clearTimer(timer)
    choice.value = null
    player.fade(1)
  }
  // The episode was removed from the bar: there is nothing left to pause.
  effect(() => {
    if (player.current.value === null && choice.peek() !== null) cancel()
  })
  followChapter({ player, chapters }, () => choice.value === 'chapter-end', sleep)

  return {
    choice,
    remaining,
    /** The seconds of playback that are left until the end of the chapter or the episode. */
    secondsTo,
    start(sleep: Sleep) {
      cancel()
      time.value = now()
      if (typeof sleep === 'number') {
        wakeUntil = now() + sleep * 60_000
        timer = setTimer(tick, 500)
      }
      choice.value = sleep
    },
    cancel,
    /** Whether the queue stops at the end of this episode. A timer that waited for it is over then. */
    endsHere(): boolean {
      if (choice.value === null || typeof choice.value === 'number') return false
      cancel()
      return true
    },
  }
}

/** Calls `onEnd` when the chapter ends that plays while `isOn`. A chapter that the listener seeks to replaces it. */
function followChapter({ player, chapters }: Needs, isOn: () => boolean, onEnd: () => void) {
  let chapter = { start: 0, end: 0 }
  let seeks = 0
  function aim() {
    seeks = player.seeks.value
    const { all, index } = chapters
    chapter = {
      start: all.value[index.value]?.startTime ?? 0,
      // The last one ends with the episode.
      end: all.value[index.value + 1]?.startTime ?? Infinity,
    }
  }
  function follow() {
    const past = player.position.value - chapter.end
    // The end may be in a part that was skipped.
    if (past >= 0 && (past < OVERSHOOT_SECONDS || seeks === player.seeks.value)) onEnd()
    // The listener has sought to another chapter, and falls asleep in that one.
    else if (past >= 0 || player.position.value < chapter.start) aim()
  }
  effect(() => {
    // The chapters are those of another episode, or were loaded only now.
    void chapters.all.value
    if (isOn()) untracked(aim)
  })
  effect(() => {
    void player.position.value
    if (isOn()) untracked(follow)
  })
}
