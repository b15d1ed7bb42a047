import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play } from 'lucide-react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { useDerived } from '../../use-derived'
import './play-button.css'

type Props = {
  /** Name of the episode. */
  name: string
  isPlaying: boolean
  /** The part that is played, 0 to 1. */
  share?: number
  className?: string
  isDisabled?: boolean
  onClick: () => void
}

/** Plays an episode, or pauses it. The ring around it shows how much is played. */
export function PlayButton({ name, isPlaying, share = 0, className = '', isDisabled = false, onClick }: Props) {
  const { t } = useTranslation()
  const label = t(isPlaying ? 'pause-episode' : 'play-episode', { name })
  const Icon = isPlaying ? Pause : Play
  return (
    <button
      type="button"
      className={`play-button accent rigid relative center plain filled ${isPlaying ? 'is-playing' : ''} ${className}`}
      style={{ '--share': share } as CSSProperties}
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
    </button>
  )
}

export type EpisodePlayback = ReturnType<typeof useEpisodePlayback>

/**
 * Returns how far an episode is played, in seconds: from the player while it has the episode, otherwise from the
 * history.
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
    isNew: episode.is_new && !isFinished && !isCurrent && position === 0,
    /** The part that is played, 0 to 1. */
    share: isStarted ? Math.min(1, position / total) : 0,
  }
}
