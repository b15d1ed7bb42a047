import type { Api } from '../api'
import { computed, effect, type ReadonlySignal, untracked } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import { announceToSystem, playInOneTab } from '../device/media-session'
import type { LiveDownloads } from '../state/live-state'
import type { SkipLengthsState } from '../state/preferences'
import type { Toasts } from '../state/toasts'
import type { Chapters } from './chapters'
import type { Continuation } from './continuation'
import type { Player } from './player'
import { createRemote } from './remote'
import { canShapeSound } from './shaper'
import { createSkipMarks } from './skip-marks'
import { createSleepTimer } from './sleep-timer'
import { translate } from '../i18n'
import type { Levelling } from './leveller'

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

type GoneNeeds = {
  player: Pick<Player, 'current' | 'isWaiting' | 'clear'>
  downloads: Pick<LiveDownloads, 'byEpisode'>
  toasts: Pick<Toasts, 'failed'>
  next: ReadonlySignal<EpisodeWrapper | undefined>
  playNext: () => void
}

/**
 * Says at once that the publisher no longer has what is about to play, and offers what to do instead. The server found
 * out when it tried to download the episode.
 */
export function createGone({ player, downloads, toasts, next, playNext }: GoneNeeds) {
  function explain(): boolean {
    const playing = player.current.peek()
    if (!playing || playing.live || playing.episode.status) return false
    const { episode_id: eid, name } = playing.episode
    const status = downloads.byEpisode.peek().get(eid)?.status
    if (status !== 404 && status !== 410) return false
    const action = next.peek()
      ? { label: translate('play-next-instead'), run: playNext }
      : { label: translate('dismiss'), run: player.clear }
    toasts.failed(translate('episode-gone', { name, status }), action)
    return true
  }
  effect(() => {
    if (player.current.value && player.isWaiting.value) untracked(explain)
  })
  return { explain }
}

type LevellingNeeds = {
  player: Pick<Player, 'current' | 'level'>
  api: Pick<Api['playback'], 'loudness' | 'saveLoudness'>
  /** Whether the listener wants it, and the browser can. */
  isOn: ReadonlySignal<boolean>
}

/** Levels the loudness of episodes by earlier measures, and keeps new ones. */
export function createLevelling({ player, api, isOn }: LevellingNeeds) {
  /** The levelling of the episode that plays next. */
  let ahead: { eid: string; levelling: Levelling } | null = null
  const episode = computed(() => {
    const playing = player.current.value
    return isOn.value && playing && !playing.live ? playing.episode.episode_id : null
  })
  /** Finds nothing while the server can't be reached: a new measure would replace a better one. */
  async function find(eid: string): Promise<Levelling | null> {
    const answer = await api.loudness(eid).catch(() => null)
    const keep: Levelling['keep'] = measured => void api.saveLoudness(eid, measured).catch(() => undefined)
    return answer && { known: answer.measured, keep }
  }
  effect(() => {
    const eid = episode.value
    const ready = ahead?.eid === eid ? ahead.levelling : null
    ahead = null
    untracked(() => {
      player.level(ready)
      if (eid !== null && !ready) void find(eid).then(found => episode.peek() === eid && player.level(found))
    })
  })
  return {
    /** Asks for what is known of the episode that plays next. */
    async prepare(eid: string) {
      const levelling = isOn.peek() ? await find(eid) : null
      ahead = levelling && { eid, levelling }
    },
  }
}

// Time for a slow host to send the beginning, and little to fetch in vain if its listener chooses something else.
const AHEAD_SECONDS = 30

type AheadNeeds = {
  player: Player
  next: ReadonlySignal<EpisodeWrapper | undefined>
  continuation: ReadonlySignal<Continuation | null>
  kept: { ids: ReadonlySignal<ReadonlySet<string>> }
  levelling: { prepare: (eid: string) => unknown }
  isConnected: () => boolean
  /** Whether the next episode won't begin here: on a speaker, or after a sleep timer. */
  isOff: () => boolean
}

/** Makes the next episode ready shortly before the current one ends, so that it begins without a pause. */
export function createAhead({ player, next, continuation, kept, levelling, isConnected, isOff }: AheadNeeds) {
  let prepared: string | null = null
  effect(() => {
    const following = next.value ?? continuation.value?.next.value?.wrapper
    const left = (player.duration.value - player.position.value) / player.rate.value
    const isNear = player.isPlaying.value && player.duration.value > 0 && left <= AHEAD_SECONDS
    if (!isNear || !following) return void (prepared = null)
    untracked(() => {
      const { id, episode_id: eid } = following.podcastEpisode
      if (prepared === id || isOff() || !isConnected()) return
      prepared = id
      void levelling.prepare(eid)
      void player
        .prepare(following, player.loadsAhead.value && !kept.ids.value.has(eid) && !isMetered())
        .catch(() => undefined)
    })
  })
}

/** Whether the connection is paid by what passes, as far as the browser says. */
function isMetered(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; type?: string } }
  return connection?.saveData === true || connection?.type === 'cellular'
}
