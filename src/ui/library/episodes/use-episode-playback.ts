import { useSignals } from '@preact/signals-react/runtime'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'

export type EpisodePlayback = ReturnType<typeof useEpisodePlayback>

/** Tells how far an episode is played, in seconds: the player knows while it has the episode, otherwise the history. */
export function useEpisodePlayback({ podcastEpisode: episode, podcastHistoryItem: history }: EpisodeWrapper) {
  useSignals()
  const { player } = useApp()
  const isCurrent = player.current.value?.episode.id === episode.id
  const isPlaying = isCurrent && player.isPlaying.value
  return {
    isCurrent,
    isPlaying,
    position: isCurrent ? player.position.value : (history?.position ?? 0),
    total: (isCurrent && player.duration.value) || history?.total || episode.total_time,
    isFinished: !isPlaying && (history?.finished ?? false),
  }
}
