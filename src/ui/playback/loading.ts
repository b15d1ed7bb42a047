import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Preferences } from '../../shared/api/settings'
import { beginAt, savePosition } from './saving'
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
  const { state, needs } = core
  const mine = ++state.turn
  leaveCurrent(core)
  const { podcastEpisode: episode, podcastHistoryItem: history } = wrapper
  state.position.value = history?.finished ? 0 : (history?.position ?? 0)
  state.soughtTo = null
  state.leftAt = null
  state.current.value = { episode, podcastName, podcastId: episode.podcast_id }
  remember(core)
  const ahead = core.ahead?.eid === episode.episode_id ? core.ahead.start : null
  core.ahead = null
  const [start, preferences] = await (ahead ?? findBeginning(core, wrapper))
  const form = preferences.form && (await needs.formFor(episode, preferences.form).catch(() => null))
  if (mine !== state.turn) return false
  if (form) state.current.value = { ...state.current.value!, form }
  if (start.total) state.knownTotal.value = start.total
  state.leftAt = start.leftAt
  prefer(core, episode.podcast_id, preferences)
  state.position.value = beginAt(state, start.position)
  if (ahead) void confirm(core)
  return true
}

/** Plays by the preferences of a podcast from now on. */
export function prefer({ state, sound }: Core, podcastId: string, preferences: Preferences) {
  state.preferences = preferences
  state.preferredFor = podcastId
  state.skipsMarked.value = preferences.skipMarked
  sound.prefer(preferences)
}

const findBeginning = (core: Core, wrapper: EpisodeWrapper) =>
  Promise.all([
    findStart(core, wrapper),
    core.needs.preferencesOf(wrapper.podcastEpisode.podcast_id).catch(() => noPreferences),
  ])

/** Asks for what the episode that plays next needs, and fetches its beginning unless that costs too much. */
export async function prepare(core: Core, wrapper: EpisodeWrapper, mayFetch: boolean) {
  const { podcastEpisode: episode } = wrapper
  const ahead = { eid: episode.episode_id, start: findBeginning(core, wrapper) }
  core.ahead = ahead
  const [{ position }, { skipIntro, form }] = await ahead.start
  if (core.ahead === ahead && mayFetch && !form && !isVideo({ episode }))
    core.engine.prepare(episode.local_url, position || skipIntro)
}

/** Continues further on if the listener got there elsewhere after the place was asked for. */
async function confirm(core: Core) {
  const { state, needs } = core
  const { turn, seeks } = state
  const before = seeks.peek()
  const history = await needs.findHistory(state.current.value!.episode.episode_id).catch(() => null)
  const isSame = turn === state.turn && before === seeks.peek()
  if (isSame && history && !history.finished && (history.position ?? 0) > state.position.value)
    continueAt(core, history.position!)
}

/** Continues at a place that the listener has reached elsewhere while this player began to play. */
export function continueAt({ state, engine }: Core, seconds: number) {
  state.soughtFrom = null
  state.unreached = Math.max(seconds, state.unreached ?? 0)
  if (state.isLoaded && state.canSeek) engine.seek(seconds)
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
  state.preferredFor = null
  state.skipsMarked.value = false
  sound.prefer({ speed: 1, boost: null, skipSilence: null })
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
  core.timeSaved.clear()
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
  state.preferredFor = null
  // The last one of another tab stays.
  for (const memory of [needs.tab, needs.storage])
    if (memory.getItem(LAST_EPISODE) === shown) memory.removeItem(LAST_EPISODE)
  engine.clear()
}

/** The waits before each new attempt after the connection broke. */
const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000]

/**
 * Gives the current episode to the engine: from this device if it is kept, otherwise from the server. False when it was
 * paused, or another one chosen, before the address was known. `rewind`: seconds that are heard again.
 */
export async function load({ state, needs, engine, sound }: Core, rewind = 0): Promise<boolean> {
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
  const place = state.unreached ?? state.position.value
  state.unreached = live || place === 0 ? null : place
  engine.load(address, live ? 0 : place - rewind, { isVideo: isVideo({ episode, form }) })
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

/** Asks the server for the length of the current episode, if the file does not say. */
export async function fetchTotal({ state, needs }: Core, eid: string) {
  if (isLive(state)) return
  const history = await needs.findHistory(eid).catch(() => null)
  if (state.current.value?.episode.episode_id === eid && history?.total) state.knownTotal.value = history.total
}

/** Finds the position to begin at, and the known length; a finished episode begins again. */
async function findStart(core: Core, { podcastEpisode, podcastHistoryItem }: EpisodeWrapper) {
  const history = podcastHistoryItem ?? (await core.needs.findHistory(podcastEpisode.episode_id).catch(() => null))
  if (!history || history.finished) return { position: 0, total: null, leftAt: null }
  const leftAt = history.timestamp ? Date.parse(history.timestamp) : null
  return { position: history.position ?? 0, total: history.total, leftAt }
}

/** Whether a moment is in the outro that the listener wants to skip. */
export function isInOutro({ isPlaying, duration, preferences: { skipIntro, skipOutro } }: State, seconds: number) {
  const isLongEnough = duration.value > skipIntro + skipOutro
  return isPlaying.value && skipOutro > 0 && isLongEnough && seconds >= duration.value - skipOutro
}
