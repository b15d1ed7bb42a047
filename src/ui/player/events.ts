import { recover } from './connection'
import type { EngineEvents } from './engine'
import { skipMarked } from './marked'
import { fetchTotal, isInOutro, saveEveryFewSeconds, savePosition } from './progress'
import { isLive, isRecovering, type Core } from './state'
import { finish, stop } from './transport'

/** Reactions of the player to its engine. `core` is complete by the first event. */
export function engineEvents(core: Core): EngineEvents {
  const { state, needs } = core
  return {
    onTime(seconds) {
      if (!state.isLoaded || isRecovering(state) || state.hasFinished) return
      state.position.value = seconds
      if (isInOutro(state, seconds)) finish(core)
      else if (!skipMarked(core, seconds)) saveEveryFewSeconds(core)
    },
    onBuffered: seconds => (state.buffered.value = seconds),
    onDuration(seconds) {
      state.mediaDuration.value = isLive(state) ? null : seconds
      if (seconds === null && state.current.value) void fetchTotal(core, state.current.value.episode.episode_id)
    },
    onPlaying() {
      state.isPlaying.value = true
      state.retries = 0
    },
    onPaused: () => stop(core),
    onWaiting: isWaiting => (state.isWaiting.value = isWaiting),
    onEnded: () => finish(core),
    onSeekSlow: () => needs.onFailed('seeking'),
    onSeekRefused(seconds) {
      const wanted = state.soughtFrom ?? state.position.value
      state.canSeek = false
      state.position.value = Math.max(wanted, state.unreached ?? 0)
      // What was saved as the second that the listener went to.
      if (state.soughtFrom !== null) savePosition(core)
      state.unreached = state.position.value
      state.soughtFrom = null
      state.position.value = seconds
      needs.onFailed('seeking')
    },
    onFailed(isNetwork) {
      const wasRunning = state.isPlaying.value || isRecovering(state)
      state.isPlaying.value = false
      if (wasRunning && (isNetwork || isRecovering(state)) && recover(core)) return
      state.retries = 0
      state.isWaiting.value = false
      state.isLoaded = false
      needs.onFailed('playback')
    },
  }
}
