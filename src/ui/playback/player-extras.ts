import type { Api } from '../api'
import { computed, type ReadonlySignal } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import { announceToSystem, playInOneTab } from '../device/media-session'
import type { LiveDownloads } from '../state/live-state'
import type { SkipLengthsState } from '../state/preferences'
import type { Toasts } from '../state/toasts'
import type { Chapters } from './chapters'
import { createAhead } from './ahead'
import type { Continuation } from './continuation'
import { createGone } from './gone'
import { createLevelling } from './levelling'
import type { Player } from './player'
import { createRemote } from './remote'
import { canShapeSound } from './shaper'
import { createSkipMarks } from './skip-marks'
import { createSleepTimer } from './sleep-timer'

export type Needs = {
  player: Player
  chapters: Chapters
  api: Pick<Api, 'skipMarks' | 'episodes' | 'playback'>
  toasts: Pick<Toasts, 'done' | 'failed' | 'dismiss'>
  failed: (error: unknown) => void
  downloads: Pick<LiveDownloads, 'byEpisode'>
  next: ReadonlySignal<EpisodeWrapper | undefined>
  continuation: ReadonlySignal<Continuation | null>
  kept: { ids: ReadonlySignal<ReadonlySet<string>> }
  isConnected: () => boolean
  playNext: () => void
  skipLengths: Pick<SkipLengthsState, 'lengths'>
  /** Distinguishes the tabs of this installation from those of another one on the same host. */
  prefix: string
}

export type PlayerExtras = ReturnType<typeof createPlayerExtras>

/** Creates the parts that a player needs once an episode is loaded. */
export function createPlayerExtras(needs: Needs) {
  const { player, chapters, api, toasts, failed, playNext, skipLengths, prefix } = needs
  const onNextKey = () => (skipLengths.lengths.peek().nextKey === 'forward' ? player.skipForward() : playNext())
  if ('mediaSession' in navigator) announceToSystem(player, navigator.mediaSession, onNextKey)
  playInOneTab(player, new BroadcastChannel(`castellan-player${prefix}`))
  const skipMarks = createSkipMarks({
    player,
    chapters,
    toasts,
    failed,
    api: api.skipMarks,
    load: api.skipMarks.ofEpisode,
  })
  const sleepTimer = createSleepTimer({ player, chapters })
  const remote = createRemote({ player, toasts, addressOf: api.episodes.address })
  const isOff = () => remote.isOn.peek() || typeof sleepTimer.choice.peek() === 'string'
  const isOn = computed(() => skipLengths.lengths.value.levelVolume === true && canShapeSound())
  createAhead({ ...needs, isOff, levelling: createLevelling({ player, api: api.playback, isOn }) })
  return {
    skipMarks,
    gone: createGone(needs),
    sleepTimer,
    remote,
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
