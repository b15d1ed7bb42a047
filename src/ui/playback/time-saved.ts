import { signal, type Signal } from '@preact/signals-core'

/** Seconds of an episode that took no time: by a higher speed, and by trimming silence. */
export type Skipped = { saved: number; trimmed: number }

export type TimeSaved = ReturnType<typeof createTimeSaved>

// Reports of a media element arrive four times a second, in a background tab once a second.
const MAX_STEP_MS = 3000

/**
 * Measures how much of what was heard took no time, by comparing the steps of the position with those of the clock. A
 * longer step is a seek, or a pause.
 */
export function createTimeSaved(now: () => number) {
  /** The time saved since the episode was shown. */
  const total: Signal<Skipped> = signal({ saved: 0, trimmed: 0 })
  let reported: Skipped = { saved: 0, trimmed: 0 }
  let last: { at: number; position: number } | null = null

  return {
    total,
    /** Notes a position that was reached. `rate`: the listener's speed. */
    note(position: number, rate: number, trimsSilence: boolean) {
      const at = now()
      const before = last
      last = { at, position }
      if (!before) return
      const [ms, step] = [at - before.at, position - before.position]
      if (ms <= 0 || ms > MAX_STEP_MS || step <= 0) return
      const seconds = ms / 1000
      // No browser plays faster than four times the speed through silence.
      if (step > seconds * Math.max(rate, 4) + 1) return
      const trimmed = trimsSilence ? Math.max(0, step - seconds * rate) : 0
      const saved = Math.max(0, Math.min(step, seconds * rate) - seconds)
      if (saved > 0 || trimmed > 0)
        total.value = { saved: total.value.saved + saved, trimmed: total.value.trimmed + trimmed }
    },
    /** Ends the current step, for a pause. */
    interrupt: () => void (last = null),
    /** Returns the whole seconds that were not reported before. */
    take(): Skipped {
      const { saved, trimmed } = total.peek()
      const news = { saved: Math.floor(saved - reported.saved), trimmed: Math.floor(trimmed - reported.trimmed) }
      reported = { saved: reported.saved + news.saved, trimmed: reported.trimmed + news.trimmed }
      return news
    },
    /** Forgets everything, for another episode. */
    clear() {
      total.value = { saved: 0, trimmed: 0 }
      reported = { saved: 0, trimmed: 0 }
      last = null
    },
  }
}
