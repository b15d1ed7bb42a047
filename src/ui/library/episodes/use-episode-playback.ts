import { useSignals } from '@preact/signals-react/runtime'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { useDerived } from '../../use-derived'

export type EpisodePlayback = ReturnType<typeof useEpisodePlayback>

/**
 * Returns how far an episode is played, in seconds: the player knows while it has the episode, otherwise the history.
 */
export function useEpisodePlayback({ podcastEpisode: episode, podcastHistoryItem: history }: EpisodeWrapper) {
  useSignals()
  const { player } = useApp()
  const isCurrent = useDerived(() => player.current.value?.episode.id === episode.id, [player, episode.id])
  const isPlaying = isCurrent && player.isPlaying.value
  const position = isCurrent ? player.position.value : (history?.position ?? 0)
  const total = (isCurrent && player.duration.value) || history?.total || episode.total_time
  const isFinished = !isPlaying && (history?.finished ?? false)
  const isStarted = position > 0 && !isFinished && total > 0
  return {
    isCurrent,
    isPlaying,
    position,
    total,
    isFinished,
    isStarted,
    isNew: !isFinished && !isCurrent && position === 0,
    /** The part that is played, 0 to 1. */
    share: isStarted ? Math.min(1, position / total) : 0,
  }
}
