import type { EpisodeForm } from '../../shared/api/playables'
import { fetchTotal, giveUp, load, savePosition } from './loading'
import { isAtEnd, isLive, isRecovering, type Core } from './state'

export async function resume(core: Core) {
  const { state, engine, needs } = core
  if (!state.current.value) return
  state.hasFinished = false
  state.isWaiting.value = true
  if (!state.isLoaded) {
    if (isAtEnd(state)) state.position.value = 0
    if (!(await load(core))) return
  } else if (isAtEnd(state)) engine.seek(0)
  await engine.play().catch((error: unknown) => {
    state.isWaiting.value = false
    state.isPlaying.value = false
    if (error instanceof DOMException && error.name === 'NotAllowedError') needs.onFailed('autoplay')
  })
}

/** Pauses, also while waiting for the first bytes or a connection. */
export function pause(core: Core) {
  const { state, engine } = core
  state.isWaiting.value = false
  if (isRecovering(state)) state.isLoaded = false
  giveUp(state)
  // At once: the element reports it a moment later, and a key may have been pressed again by then.
  stop(core)
  engine.pause()
  // A live stream continues, so playing resumes live.
  if (!isLive(state)) return
  state.isLoaded = false
  engine.clear()
}

/** Records that nothing plays any more. */
export function stop(core: Core) {
  if (!core.state.isPlaying.value) return
  core.state.isPlaying.value = false
  savePosition(core)
}

/** A position that this player has just saved returns to it. */
const ECHO_MS = 3000

/** The listener's position in an episode, as the server knows it. */
type Reached = { position: number | null; finished: boolean }

/** Moves to the position reached elsewhere, unless this player is the one that plays. */
export function follow({ state, engine, needs }: Core, { position, finished }: Reached) {
  const { isPlaying, isWaiting } = state
  if (isPlaying.value || isWaiting.value || needs.now() - state.savedAt < ECHO_MS) return
  // As when it is first shown: a finished episode begins again.
  state.position.value = finished ? 0 : (position ?? 0)
  state.soughtTo = null
  state.hasFinished = false
  if (state.isLoaded && state.canSeek) engine.seek(state.position.value)
}

/**
 * Asks for the listener's position: what was played elsewhere was not reported while the server couldn't be reached.
 */
export async function catchUp(core: Core) {
  const { state, needs } = core
  const eid = state.current.value?.episode.episode_id
  if (eid === undefined || isLive(state)) return
  const { turn } = state
  const history = await needs.findHistory(eid).catch(() => null)
  // An episode that was not begun stays where it would begin here.
  if (history && turn === state.turn && (history.position || history.finished)) follow(core, history)
}

export function toggle(core: Core) {
  const { isPlaying, isWaiting } = core.state
  if (isPlaying.value || isWaiting.value) pause(core)
  else void resume(core)
}

/** Seeks to a second for the listener. */
export function seek(core: Core, seconds: number) {
  const { state } = core
  if (!state.current.value || isLive(state)) return
  if (state.isLoaded && !state.canSeek) return core.needs.onFailed('seeking')
  state.soughtTo = seconds
  state.seeks.value++
  moveTo(core, seconds)
}

export function moveTo(core: Core, seconds: number) {
  const { state, engine } = core
  if (state.isLoaded) state.soughtFrom = state.position.value
  state.hasFinished = false
  state.position.value = Math.min(Math.max(0, seconds), state.duration.value || seconds)
  if (state.isLoaded) engine.seek(state.position.value)
  savePosition(core)
}

/**
 * Skips seconds, back if negative. Skips forward only if that stays before the end, so that nobody misses an ending.
 */
export function skip(core: Core, seconds: number) {
  const { state } = core
  if (!state.current.value || isLive(state)) return
  void fetchTotal(core, state.current.value.episode.episode_id)
  const target = state.position.value + seconds
  const isBeyond = seconds > 0 && state.duration.value > 0 && target >= state.duration.value
  if (!isBeyond) seek(core, target)
}

/** Continues on the element of a speaker; null: on this device again, paused at the same second. */
export function playOn(core: Core, element: HTMLMediaElement | null) {
  const { state, engine } = core
  const isActive = state.isPlaying.value || state.isWaiting.value
  if (!element) pause(core)
  engine.moveTo(element, state.position.value)
  // A speaker has the episode already; here it is loaded when somebody presses play.
  state.isLoaded = element !== null
  if (element && isActive) void resume(core)
}

/** Loads the episode again from where it is, as its address has changed. */
export function reload(core: Core) {
  const { state } = core
  const isActive = state.isPlaying.value || state.isWaiting.value
  state.isLoaded = false
  if (isActive) void resume(core)
}

/** Continues with another form of the episode at the same second; null: the main one. */
export function chooseForm(core: Core, form: EpisodeForm | null) {
  const { state, engine } = core
  const playing = state.current.value
  if (!playing || (playing.form?.id ?? null) === (form?.id ?? null)) return
  const isActive = state.isPlaying.value || state.isWaiting.value
  if (isActive) engine.pause()
  state.current.value = { ...playing, form }
  state.mediaDuration.value = null
  state.isLoaded = false
  if (isActive) void resume(core)
}

/** Ends the episode, and lets the queue continue. */
export function finish(core: Core) {
  const { state, engine, needs } = core
  const isAudible = state.isPlaying.value && state.position.value < state.duration.value
  state.isPlaying.value = false
  state.position.value = state.duration.value
  state.hasFinished = true
  if (isAudible) engine.pause()
  savePosition(core)
  if (state.current.value) needs.onEnded(state.current.value)
}
