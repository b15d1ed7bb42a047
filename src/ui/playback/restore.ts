import type { Api } from '../api'
import type { PendingProgress } from '../state/pending-progress'
import type { Player } from './player'

type Needs = { api: Pick<Api, 'episodes' | 'podcasts'>; pendingProgress: Pick<PendingProgress, 'find'> }

/** Puts the last episode back into the bar, paused at its position. */
export async function restore({ api, pendingProgress }: Needs, player: Player) {
  const eid = player.lastEpisode()
  if (!eid) return
  const wrapper = await api.episodes.find(eid).catch(() => null)
  if (!wrapper) return
  const podcast = await api.podcasts.find(wrapper.podcastEpisode.podcast_id).catch(() => null)
  // Something else may be playing by now.
  if (player.current.value) return
  await player.show(wrapper, podcast?.name ?? '')
  // Played while the server couldn't be reached, and not sent yet.
  const unsent = pendingProgress.find(eid)
  if (unsent && player.current.value && !player.isPlaying.value) player.position.value = unsent.time
}
