import type { EpisodeWrapper } from '../../shared/api/episode'
import { giveUp } from './connection'
import { findStart, savePosition } from './progress'
import { noPreferences, type Core, type Playing } from './state'

export const LAST_EPISODE = 'player.episode'

/**
 * Puts an episode into the bar without a sound, at the position of its listener. False when another one was shown
 * before the server had answered.
 */
export async function show(core: Core, wrapper: EpisodeWrapper, podcastName: string): Promise<boolean> {
  const { state, needs, sound } = core
  const mine = ++state.turn
  leaveCurrent(core)
  const { podcastEpisode: episode, podcastHistoryItem: history } = wrapper
  state.position.value = history?.finished ? 0 : (history?.position ?? 0)
  state.soughtTo = null
  state.current.value = { episode, podcastName, podcastId: episode.podcast_id }
  needs.storage.setItem(LAST_EPISODE, episode.episode_id)
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

/** Takes the episode out of the bar, saving nothing. */
export function clear({ state, needs, engine }: Core) {
  state.turn++
  giveUp(state)
  state.isLoaded = false
  state.isPlaying.value = false
  state.isWaiting.value = false
  state.current.value = null
  needs.storage.removeItem(LAST_EPISODE)
  engine.clear()
}
