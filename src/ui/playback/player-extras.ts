import type { Api } from '../api'
import { announceToSystem, playInOneTab } from '../device/media-session'
import type { SkipLengthsState } from '../state/preferences'
import type { Toasts } from '../state/toasts'
import type { Chapters } from './chapters'
import type { Player } from './player'
import { createRemote } from './remote'
import { createSkipMarks } from './skip-marks'
import { createSleepTimer } from './sleep-timer'

type Needs = {
  player: Player
  chapters: Chapters
  api: Pick<Api, 'skipMarks' | 'episodes'>
  toasts: Pick<Toasts, 'done' | 'failed' | 'dismiss'>
  failed: (error: unknown) => void
  playNext: () => void
  skipLengths: Pick<SkipLengthsState, 'lengths'>
  /** Distinguishes the tabs of this installation from those of another one on the same host. */
  prefix: string
}

export type PlayerExtras = ReturnType<typeof createPlayerExtras>

/** Creates the parts that a player needs once an episode is loaded. */
export function createPlayerExtras({ player, chapters, api, toasts, failed, playNext, skipLengths, prefix }: Needs) {
  const next = () => (skipLengths.lengths.peek().nextKey === 'forward' ? player.skipForward() : playNext())
  if ('mediaSession' in navigator) announceToSystem(player, navigator.mediaSession, next)
  playInOneTab(player, new BroadcastChannel(`castellan-player${prefix}`))
  const skipMarks = createSkipMarks({
    player,
    chapters,
    toasts,
    failed,
    api: api.skipMarks,
    load: api.skipMarks.ofEpisode,
  })
  return {
    skipMarks,
    sleepTimer: createSleepTimer({ player, chapters }),
    remote: createRemote({ player, toasts, addressOf: api.episodes.address }),
    /** Loads what may have changed while the connection was lost. */
    missed() {
      skipMarks.changed(null)
      void refresh(player, api)
    },
  }
}

/** Updates the episode in the player. Its position catches up automatically. */
async function refresh(player: Player, api: Needs['api']) {
  const playing = player.current.peek()
  if (!playing || playing.live) return
  const fresh = await api.episodes.find(playing.episode.episode_id).catch(() => null)
  if (!fresh || player.current.peek()?.episode.id !== playing.episode.id) return
  player.edit(known => ({ ...known, podcastEpisode: fresh.podcastEpisode }))
}
