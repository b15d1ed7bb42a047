import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Progress } from '../../shared/api/history'
import { isLive, type Core, type State } from './state'

const SAVE_EVERY_MS = 15_000

/** Saves the position. `leaving`: the page is about to go away, and the request must outlive it. */
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

/** Whether a stream that began at its start has not come to the position that is kept; it is kept until then. */
function isBeforeKept(state: State): boolean {
  if (state.unreached === null) return false
  if (!state.hasFinished && state.position.value < state.unreached) return true
  state.unreached = null
  return false
}

export function saveEveryFewSeconds(core: Core) {
  if (core.state.isPlaying.value && core.needs.now() - core.state.savedAt >= SAVE_EVERY_MS) savePosition(core)
}

/** Asks the server for the length of the current episode, where the file does not tell. */
export async function fetchTotal({ state, needs }: Core, eid: string) {
  if (isLive(state)) return
  const history = await needs.findHistory(eid).catch(() => null)
  if (state.current.value?.episode.episode_id === eid && history?.total) state.knownTotal.value = history.total
}

/** Finds the position to begin at, and the known length; a finished episode begins again. */
export async function findStart(core: Core, { podcastEpisode, podcastHistoryItem }: EpisodeWrapper) {
  const history = podcastHistoryItem ?? (await core.needs.findHistory(podcastEpisode.episode_id).catch(() => null))
  if (!history || history.finished) return { position: 0, total: null }
  return { position: history.position ?? 0, total: history.total }
}

/** Whether a moment is in the outro that the listener wants to be spared. */
export function isInOutro({ isPlaying, duration, preferences: { skipIntro, skipOutro } }: State, seconds: number) {
  const isLongEnough = duration.value > skipIntro + skipOutro
  return isPlaying.value && skipOutro > 0 && isLongEnough && seconds >= duration.value - skipOutro
}
