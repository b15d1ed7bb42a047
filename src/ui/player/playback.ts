import { computed } from '@preact/signals-core'
import { translate } from '../i18n'
import type { Api } from '../api'
import { playInOneTab } from '../device/one-tab'
import type { EpisodeChanges } from '../state/episode-changes'
import type { createKept } from '../state/kept'
import type { Library } from '../state/library'
import type { PendingProgress } from '../state/pending-progress'
import type { QueueState } from '../state/queue'
import type { SkipLengthsState } from '../state/skip-lengths'
import type { Toasts } from '../state/toasts'
import { createChapters } from './chapters'
import { createMediaEngine } from './engine'
import { createPlayer, type Player } from './player'
import { createSleepTimer } from './sleep-timer'

type Needs = {
  api: Pick<Api, 'playback' | 'podcasts' | 'episodes'>
  changes: Pick<EpisodeChanges, 'listen'>
  skipLengths: Pick<SkipLengthsState, 'lengths'>
  kept: Pick<ReturnType<typeof createKept>, 'addressOf' | 'recordProgress'>
  pendingProgress: Pick<PendingProgress, 'save' | 'find'>
  queue: Pick<QueueState, 'items'>
  library: Pick<Library, 'byId'>
  toasts: Pick<Toasts, 'failed'>
  failed: (error: unknown) => void
  /** Sets the tabs of this installation apart from those of another one at the same host. */
  prefix: string
}
export type Playback = ReturnType<typeof createPlayback>

/** The player of this page, with its elements, its queue and its sleep timer. */
export function createPlayback(needs: Needs) {
  const { api, kept, pendingProgress, toasts, prefix } = needs
  const video = document.createElement('video')
  const player = createPlayer({
    createEngine: events => createMediaEngine({ audio: new Audio(), video }, events),
    findHistory: api.playback.find,
    preferencesOf: api.podcasts.preferences,
    skipLengths: () => needs.skipLengths.lengths.value,
    savePreferences: api.podcasts.editPreferences,
    addressOf: kept.addressOf,
    async save(progress, options) {
      kept.recordProgress(progress)
      await pendingProgress.save(progress, options)
    },
    onFailed: reason => toasts.failed(translate(`player-failed-${reason}`)),
    onEnded() {
      if (!sleepTimer.endsHere()) queue.playNext()
    },
    storage: localStorage,
  })
  const chapters = createChapters({ player, load: api.episodes.chapters })
  const sleepTimer = createSleepTimer({ player, chapters })
  needs.changes.listen({ edit: player.edit, stale: () => undefined })
  const queue = createUpcoming(needs, player)
  if ('mediaSession' in navigator)
    void import('../device/media-session').then(({ announceToSystem }) =>
      announceToSystem(player, navigator.mediaSession, queue.playNext),
    )
  playInOneTab(player, new BroadcastChannel(`castellan-player${prefix}`))
  return { player, video, chapters, sleepTimer, ...queue, restore: () => restore(needs, player) }
}

/** The queue without the episode that plays: it stays in the queue until it was played. */
function createUpcoming({ queue, library, failed }: Needs, player: Player) {
  const upcoming = computed(() =>
    queue.items.value.filter(({ podcastEpisode }) => podcastEpisode.id !== player.current.value?.episode.id),
  )
  /** The first of them, while something is in the player. */
  const next = computed(() => (player.current.value ? upcoming.value[0] : undefined))
  return {
    upcoming,
    next,
    playNext() {
      if (!next.value) return
      const podcast = library.byId.value.get(next.value.podcastEpisode.podcast_id)
      void player.play(next.value, podcast?.name ?? '').catch(failed)
    },
  }
}

/** Puts the last episode back into the bar, paused at its position. */
async function restore({ api, pendingProgress }: Needs, player: Player) {
  const eid = player.lastEpisode()
  if (!eid) return
  const wrapper = await api.episodes.find(eid).catch(() => null)
  if (!wrapper) return
  const podcast = await api.podcasts.find(wrapper.podcastEpisode.podcast_id).catch(() => null)
  // Something else may play by now.
  if (player.current.value) return
  await player.show(wrapper, podcast?.name ?? '')
  // Played while the server was away, and not sent yet.
  const unsent = pendingProgress.find(eid)
  if (unsent && player.current.value && !player.isPlaying.value) player.position.value = unsent.time
}
