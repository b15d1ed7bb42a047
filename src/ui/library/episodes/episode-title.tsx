import type { MouseEvent } from 'react'
import type { EpisodePlayback } from './use-episode-playback'
import './episode-list.css'

type Props = {
  name: string
  level: 3 | 4
  playback: EpisodePlayback
  detailsId: string
  isOpen: boolean
  onPress: (event: MouseEvent) => void
}

/** The name of an episode, a button that opens its details. Its click area is the whole row. */
export function EpisodeTitle({ name, level, playback, detailsId, isOpen, onPress }: Props) {
  const Heading = `h${level}` as const
  return (
    <Heading>
      <button
        type="button"
        className="episode-open truncate plain whole"
        dir="auto"
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={onPress}
      >
        {playback.isCurrent && <Bars isMoving={playback.isPlaying} />}
        {name}
      </button>
    </Heading>
  )
}

/** Bars that move while the episode plays. */
const Bars = ({ isMoving }: { isMoving: boolean }) => (
  <span className={`playing-bars ${isMoving ? 'is-moving' : ''}`} aria-hidden="true">
    <i />
    <i />
    <i />
  </span>
)
