import type { Progress } from '../../shared/api/history'
import type { PreferencesEdit } from '../../shared/api/settings'
import { type Core, isLive, type State } from './state'
import type { Skipped } from './time-saved'

const SAVE_EVERY_MS = 15_000

/** Saves the position. `leaving`: the page is about to close, and the request must outlive it. */
export function savePosition(core: Core, { leaving = false } = {}) {
  const { state, needs } = core
  const playing = state.current.value
  if (!playing || playing.live || isBeforeKept(state)) return
  state.savedAt = needs.now()
  const { turn } = state
  const progress: Progress = {
    podcastEpisodeId: playing.episode.episode_id,
    time: Math.floor(state.position.value),
    ...totalOf(state),
    ...skippedOf(core.timeSaved.take()),
    timestamp: new Date(state.savedAt).toISOString(),
    sender: needs.sender,
  }
  state.saving++
  // A position that could not be saved is saved with the next one.
  void needs
    .save(progress, { leaving })
    .catch(() => undefined)
    .then(() => {
      state.saving--
      if (state.saving > 0 || !state.hasMissed) return
      state.hasMissed = false
      if (turn === state.turn) void catchUp(core)
    })
}

/** Left out as long as the speed is that of the recording. */
const skippedOf = ({ saved, trimmed }: Skipped) => (saved > 0 || trimmed > 0 ? { saved, trimmed } : {})

/** The length that is saved with a position: a known one, until playing proves it too short. */
function totalOf({ position, known, duration, hasFinished }: State): Pick<Progress, 'total' | 'finished'> {
  if (hasFinished) return { total: Math.floor(duration.value), finished: true }
  if (position.value > known.value && known.value > 0)
    return { total: Math.floor(Math.max(duration.value, position.value)), finished: false }
  const total = known.value || duration.value
  return total > 0 ? { total: Math.floor(total) } : {}
}

/** Whether the place that was asked for is not reached yet: it is kept until then. */
function isBeforeKept(state: State): boolean {
  if (state.unreached === null) return false
  if (!state.hasFinished && state.position.value < state.unreached) return true
  state.unreached = null
  return false
}

export function saveEveryFewSeconds(core: Core) {
  if (core.state.isPlaying.value && core.needs.now() - core.state.savedAt >= SAVE_EVERY_MS) savePosition(core)
}

/** The second at which to begin for a saved position: after the intro, if nothing was played yet. */
export function beginAt({ duration, preferences: { skipIntro } }: State, position: number): number {
  const isShorterThanIntro = duration.value > 0 && skipIntro >= duration.value
  return position > 0 || isShorterThanIntro ? position : skipIntro
}

/** The listener's position in an episode, as the server knows it. */
type Reached = { position: number | null; finished: boolean }

/** Moves to the position reached elsewhere, unless this player is the one that plays. */
function follow({ state, engine, needs }: Core, { position, finished }: Reached) {
  if (state.isPlaying.value || state.isWaiting.value) return
  // As when it is first shown: a finished episode begins again.
  state.position.value = beginAt(state, finished ? 0 : (position ?? 0))
  state.soughtTo = null
  state.soughtFrom = null
  state.unreached = state.position.value || null
  state.leftAt = needs.now()
  state.hasFinished = false
  // A stream in which nobody can seek is asked for the place again.
  if (!state.canSeek) state.isLoaded = false
  if (state.isLoaded) engine.seek(state.position.value)
}

/** Follows a position that was reported elsewhere. While one of this player is on its way, the server decides. */
export function hear(core: Core, reached: Reached) {
  if (core.state.saving > 0) core.state.hasMissed = true
  else follow(core, reached)
}

/**
 * Asks for the listener's position: it was changed elsewhere without being reported, or while the server couldn't be
 * reached.
 */
export async function catchUp(core: Core) {
  const { state, needs } = core
  const eid = state.current.value?.episode.episode_id
  if (eid === undefined || isLive(state)) return
  const { turn } = state
  const history = await needs.findHistory(eid).catch(() => null)
  if (history && turn === state.turn) hear(core, history)
}

/** Saves the chosen sound for the podcast whose preferences the player holds. */
export function saveOwnSound(core: Core) {
  const { state, sound } = core
  if (isLive(state)) return
  const { speed, boost, skipSilence } = sound.own.peek()
  const edit: PreferencesEdit = { speed, boost, skipSilence }
  for (const name of ['speed', 'boost', 'skipSilence'] as const)
    if (edit[name] === state.preferences[name]) delete edit[name]
  savePreference(core, edit)
}

export function savePreference(core: Core, edit: PreferencesEdit) {
  const { state, keepPreferences } = core
  const { preferredFor: podcastId } = state
  if (podcastId === null || Object.keys(edit).length === 0) return
  state.preferences = { ...state.preferences, ...edit }
  core.ahead = null
  keepPreferences(podcastId, edit)
}

/** Saves preferences, one request at a time: what is changed until it is answered is saved with the next one. */
export function createPreferenceSaver({ savePreferences, onFailed }: Core['needs']): Core['keepPreferences'] {
  const waiting = new Map<string, PreferencesEdit>()
  let isSending = false
  async function send() {
    for (const [podcastId, edit] of waiting) {
      waiting.delete(podcastId)
      await savePreferences(podcastId, edit).catch(() => onFailed('preferences'))
    }
    isSending = false
  }
  return (podcastId, edit) => {
    waiting.set(podcastId, { ...waiting.get(podcastId), ...edit })
    if (isSending) return
    isSending = true
    void send()
  }
}
