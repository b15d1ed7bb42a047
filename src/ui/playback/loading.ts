import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Progress } from '../../shared/api/history'
import { type Core, isLive, isRecovering, isVideo, noPreferences, type Playing, type State, type Needs } from './state'

const LAST_EPISODE = 'player.episode'

/** The episode that this tab had last, or that any did. */
export const lastEpisode = ({ tab, storage }: Pick<Needs, 'tab' | 'storage'>) =>
  tab.getItem(LAST_EPISODE) ?? storage.getItem(LAST_EPISODE)

/** Remembers the current episode, for a reload and for the next visit. Call when it is shown, and when it plays. */
export function remember({ state, needs }: Core) {
  const playing = state.current.peek()
  if (playing && !playing.live)
    for (const memory of [needs.tab, needs.storage]) memory.setItem(LAST_EPISODE, playing.episode.episode_id)
}

/**
 * Puts an episode into the bar without playing it, at the position of its listener. False if another one was shown
 * before the server answered.
 */
export async function show(core: Core, wrapper: EpisodeWrapper, podcastName: string): Promise<boolean> {
  const { state, needs, sound } = core
  const mine = ++state.turn
  leaveCurrent(core)
  const { podcastEpisode: episode, podcastHistoryItem: history } = wrapper
  state.position.value = history?.finished ? 0 : (history?.position ?? 0)
  state.soughtTo = null
  state.current.value = { episode, podcastName, podcastId: episode.podcast_id }
  remember(core)
  const [start, preferences] = await Promise.all([
    findStart(core, wrapper),
    needs.preferencesOf(episode.podcast_id).catch(() => noPreferences),
  ])
  const form = preferences.form && (await needs.formFor(episode, preferences.form).catch(() => null))
  if (mine !== state.turn) return false
  if (form) state.current.value = { ...state.current.value!, form }
  if (start.total) state.knownTotal.value = start.total
  state.preferences = preferences
  state.skipsMarked.value = preferences.skipMarked
  sound.prefer(preferences)
  const { skipIntro } = preferences
  const isShorterThanIntro = state.duration.value > 0 && skipIntro >= state.duration.value
  state.position.value = start.position > 0 || isShorterThanIntro ? start.position : skipIntro
  return true
}

/** Puts a live stream into the bar, at its usual speed: it can't be played faster than it arrives. */
export function showLive(core: Core, playing: Playing) {
  const { state, sound } = core
  state.turn++
  leaveCurrent(core)
  state.position.value = 0
  state.soughtTo = null
  state.current.value = playing
  state.preferences = noPreferences
  state.skipsMarked.value = false
  sound.prefer({ speed: 1, boost: null })
}

function leaveCurrent(core: Core) {
  const { state, engine } = core
  if (state.isPlaying.value) {
    state.isPlaying.value = false
    savePosition(core)
    engine.pause()
  }
  state.isLoaded = false
  state.hasFinished = false
  state.soughtFrom = null
  state.unreached = null
  giveUp(state)
  state.mediaDuration.value = null
  state.buffered.value = 0
  state.knownTotal.value = 0
}

/** Removes the episode from the bar without saving anything. */
export function clear({ state, needs, engine }: Core) {
  const shown = state.current.peek()?.episode.episode_id
  state.turn++
  giveUp(state)
  state.isLoaded = false
  state.isPlaying.value = false
  state.isWaiting.value = false
  state.current.value = null
  // The last one of another tab stays.
  for (const memory of [needs.tab, needs.storage])
    if (memory.getItem(LAST_EPISODE) === shown) memory.removeItem(LAST_EPISODE)
  engine.clear()
}

/** The waits before each new attempt after the connection broke. */
const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000]

/**
 * Gives the current episode to the engine: from this device if it is kept, otherwise from the server. False when it was
 * paused, or another one chosen, before the address was known.
 */
export async function load({ state, needs, engine, sound }: Core): Promise<boolean> {
  const { episode, form = null, live } = state.current.value!
  const usual = form?.local_url ?? episode.local_url
  const mine = ++state.attempt
  const elsewhere = live ? null : await needs.addressOf(episode.episode_id, form).catch(() => null)
  const address = elsewhere ?? usual
  const isOwn = address !== usual
  if (mine !== state.attempt || !state.isWaiting.value) {
    if (isOwn) URL.revokeObjectURL(address)
    return false
  }
  if (state.ownAddress) URL.revokeObjectURL(state.ownAddress)
  state.ownAddress = isOwn ? address : null
  state.isLoaded = true
  state.canSeek = true
  state.soughtFrom = null
  engine.load(address, live ? 0 : (state.unreached ?? state.position.value), { isVideo: isVideo({ episode, form }) })
  sound.applyRate()
  return true
}

/** Tries again after a while, each time a longer one. False once every attempt has failed. */
export function recover(core: Core): boolean {
  const { state, needs } = core
  const waitMs = RETRY_MS[state.retries]
  if (waitMs === undefined) return false
  state.isWaiting.value = true
  state.retries++
  const mine = ++state.attempt
  needs.later(() => {
    // It may be paused by now, or another episode may be playing.
    if (mine === state.attempt) void retry(core)
  }, waitMs)
  return true
}

/** Ends the attempts to get the connection back. */
export function giveUp(state: Core['state']) {
  state.retries = 0
  state.attempt++
}

/** Tries at once: the browser says that the connection is back. */
export function reconnect(core: Core) {
  if (isRecovering(core.state) && core.state.isWaiting.value) void retry(core)
}

async function retry(core: Core) {
  if (await load(core)) await core.engine.play().catch(() => undefined)
}

const SAVE_EVERY_MS = 15_000

/** Saves the position. `leaving`: the page is about to close, and the request must outlive it. */
export function savePosition({ state, needs }: Core, { leaving = false } = {}) {
  const playing = state.current.value
  if (!playing || playing.live || isBeforeKept(state)) return
  state.savedAt = needs.now()
  const { position, duration } = state
  const progress: Progress = {
    podcastEpisodeId: playing.episode.episode_id,
    time: Math.floor(position.value),
    ...(duration.value > 0 && { total: Math.floor(duration.value) }),
    timestamp: new Date(state.savedAt).toISOString(),
  }
  // A position that could not be saved is saved with the next one.
  needs.save(progress, { leaving }).catch(() => undefined)
}

/** Whether a stream that began at its start has not reached the saved position, which is kept until then. */
function isBeforeKept(state: State): boolean {
  if (state.unreached === null) return false
  if (!state.hasFinished && state.position.value < state.unreached) return true
  state.unreached = null
  return false
}

export function saveEveryFewSeconds(core: Core) {
  if (core.state.isPlaying.value && core.needs.now() - core.state.savedAt >= SAVE_EVERY_MS) savePosition(core)
}

/** Asks the server for the length of the current episode, if the file does not say. */
export async function fetchTotal({ state, needs }: Core, eid: string) {
  if (isLive(state)) return
  const history = await needs.findHistory(eid).catch(() => null)
  if (state.current.value?.episode.episode_id === eid && history?.total) state.knownTotal.value = history.total
}

/** Finds the position to begin at, and the known length; a finished episode begins again. */
async function findStart(core: Core, { podcastEpisode, podcastHistoryItem }: EpisodeWrapper) {
  const history = podcastHistoryItem ?? (await core.needs.findHistory(podcastEpisode.episode_id).catch(() => null))
  if (!history || history.finished) return { position: 0, total: null }
  return { position: history.position ?? 0, total: history.total }
}

/** Whether a moment is in the outro that the listener wants to skip. */
export function isInOutro({ isPlaying, duration, preferences: { skipIntro, skipOutro } }: State, seconds: number) {
  const isLongEnough = duration.value > skipIntro + skipOutro
  return isPlaying.value && skipOutro > 0 && isLongEnough && seconds >= duration.value - skipOutro
}
