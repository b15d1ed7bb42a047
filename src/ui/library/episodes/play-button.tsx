import { Pause, Play } from 'lucide-react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import './episode-list.css'

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
      className={`play-button center plain filled ${isPlaying ? 'is-playing' : ''} ${className}`}
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
