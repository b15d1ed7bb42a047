import type { Part } from '../state/marked-parts'
import type { Core } from './state'
import { finish, moveTo } from './transport'

// Between two reports of the element, at three times the speed and in a tab in the background.
const OVERSHOOT_SECONDS = 5

/**
 * Skips the marked part that begins to play, where its listener wants that. A part that was chosen by hand is played.
 * Answers whether it skipped one.
 */
export function skipMarked(core: Core, seconds: number): boolean {
  const { state, needs } = core
  const playing = state.current.value
  // A sleep timer may have paused it at this very second.
  if (!playing || !state.skipsMarked.value || !state.isPlaying.value || !state.canSeek) return false
  const part = needs.markedPartAt(seconds)
  if (!part || isChosen(part, state.soughtTo)) return false
  const isLast = state.duration.value > 0 && part.end >= state.duration.value
  // Begun in its midst, it continues there when that is taken back.
  const at = seconds - part.start < OVERSHOOT_SECONDS ? part.start : seconds
  needs.onSkipped({ part, at, playing })
  if (isLast) finish(core)
  else moveTo(core, part.end)
  return true
}

const isChosen = ({ start, end }: Part, second: number | null) => second !== null && start <= second && second < end
