import type { Api } from '../api'
import { announceToSystem } from '../device/media-session'
import { playInOneTab } from '../device/one-tab'
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
  /** Sets the tabs of this installation apart from those of another one at the same host. */
  prefix: string
}

export type PlayerExtras = ReturnType<typeof createPlayerExtras>

/** What a player needs once something is in it. */
export function createPlayerExtras({ player, chapters, api, toasts, failed, playNext, prefix }: Needs) {
  if ('mediaSession' in navigator) announceToSystem(player, navigator.mediaSession, playNext)
  playInOneTab(player, new BroadcastChannel(`castellan-player${prefix}`))
  return {
    skipMarks: createSkipMarks({
      player,
      chapters,
      toasts,
      failed,
      api: api.skipMarks,
      load: api.skipMarks.ofEpisode,
    }),
    sleepTimer: createSleepTimer({ player, chapters }),
    remote: createRemote({ player, toasts, addressOf: api.episodes.address }),
  }
}
