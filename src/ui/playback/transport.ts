import type { EpisodeForm } from '../../shared/api/playables'
import { fetchTotal, giveUp, load } from './loading'
import { savePosition } from './saving'
import { isAtEnd, isLive, isRecovering, type Core } from './state'

export async function resume(core: Core) {
  const { state, engine, needs } = core
  if (!state.current.value) return
  const isOver = state.hasFinished || isAtEnd(state)
  state.hasFinished = false
  state.isWaiting.value = true
  const rewind = isOver ? 0 : takeRewind(core)
  if (isOver) state.unreached = null
  if (!state.isLoaded) {
    if (isOver) state.position.value = 0
    if (!(await load(core, rewind))) return
  } else if (isOver) engine.seek(0)
  else if (rewind > 0 && state.canSeek) {
    state.unreached = Math.max(state.position.value, state.unreached ?? 0)
    engine.seek(state.position.value - rewind)
  }
  await engine.play().catch((error: unknown) => {
    state.isWaiting.value = false
    state.isPlaying.value = false
    if (error instanceof DOMException && error.name === 'NotAllowedError') needs.onFailed('autoplay')
  })
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Lengths of a pause in milliseconds, the longest first, and the seconds to rewind after it. */
const REWINDS = [
  [DAY, 20],
  [HOUR, 10],
  [MINUTE, 3],
] as const

/** The seconds to rewind after the listener was away; never back into an intro that is skipped. */
function takeRewind({ state, needs }: Core): number {
  const { leftAt, position, preferences } = state
  state.leftAt = null
  if (leftAt === null || isLive(state) || needs.skipLengths().rewind === false) return 0
  const awayMs = needs.now() - leftAt
  const wanted = REWINDS.find(([ms]) => awayMs >= ms)?.[1] ?? 0
  const place = state.isLoaded ? position.value : (state.unreached ?? position.value)
  return Math.max(0, Math.min(wanted, place - preferences.skipIntro))
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
  core.state.leftAt = core.needs.now()
  savePosition(core)
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
  state.soughtFrom = state.isLoaded ? Math.max(state.position.value, state.unreached ?? 0) : null
  // Save the second that the listener chose, and no earlier one until the element reaches it.
  state.unreached = null
  state.leftAt = null
  state.hasFinished = false
  state.position.value = Math.min(Math.max(0, seconds), state.duration.value || seconds)
  savePosition(core)
  if (!state.isLoaded) return
  if (state.position.value > 0) state.unreached = state.position.value
  engine.seek(state.position.value)
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

/**
 * Handles the end of the media. An end before the place that was asked for means that the file is cut, or another
 * version: the place is kept, and the failure `short` is reported.
 */
export function end(core: Core) {
  const { state, needs } = core
  const { unreached, mediaDuration, duration } = state
  if (unreached === null || (mediaDuration.value ?? duration.value) > unreached - LEEWAY_SECONDS) return finish(core)
  state.isPlaying.value = false
  state.isLoaded = false
  state.position.value = unreached
  needs.onFailed('short')
}

/** Lengths are rounded, and a place may have been saved in another version of the file. */
const LEEWAY_SECONDS = 10

/** Ends the episode, and lets the queue continue. */
export function finish(core: Core) {
  const { state, engine, needs } = core
  const isAudible = state.isPlaying.value && state.position.value < state.duration.value
  state.isPlaying.value = false
  state.position.value = state.duration.value
  state.hasFinished = true
  state.unreached = null
  if (isAudible) engine.pause()
  savePosition(core)
  if (state.current.value) needs.onEnded(state.current.value)
}
