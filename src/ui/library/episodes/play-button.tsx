import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/icon-button'

type Props = {
  /** Name of the episode. */
  name: string
  isPlaying: boolean
  className?: string
  isDisabled?: boolean
  onClick: () => void
}

/** Plays an episode, or pauses it. */
export function PlayButton({ name, isPlaying, className = '', isDisabled = false, onClick }: Props) {
  const { t } = useTranslation()
  return (
    <IconButton
      icon={isPlaying ? Pause : Play}
      label={t(isPlaying ? 'pause-episode' : 'play-episode', { name })}
      className={className}
      disabled={isDisabled}
      onClick={onClick}
    />
  )
}
