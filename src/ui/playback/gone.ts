import { effect, type ReadonlySignal, untracked } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import { translate } from '../i18n'
import type { LiveDownloads } from '../state/live-state'
import type { Toasts } from '../state/toasts'
import type { Player } from './player'

type Needs = {
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
export function createGone({ player, downloads, toasts, next, playNext }: Needs) {
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
