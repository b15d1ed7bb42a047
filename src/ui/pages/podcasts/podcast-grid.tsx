import { useRef } from 'react'
import type { Podcast } from '../../../shared/api/podcast'
import { PodcastTile } from './podcast-tile'
import { useGridRows } from './use-grid-rows'
import './podcast-grid.css'

type Props = {
  podcasts: readonly Podcast[]
  isCompact: boolean
  /** The user sees the page already and waits for the grid. */
  isAwaited: boolean
  addressOf: (podcastId: string) => string
}

/** A grid of any length, of which only the rows on the screen are drawn. */
export function PodcastGrid({ podcasts, isCompact, isAwaited, addressOf }: Props) {
  const grid = useRef<HTMLUListElement>(null)
  const { from, to, paddingBlockStart, paddingBlockEnd } = useGridRows(grid, podcasts.length, isAwaited)
  return (
    <ul
      className={`podcast-grid ${isCompact ? 'is-compact' : ''}`}
      ref={grid}
      style={{ paddingBlockStart, paddingBlockEnd }}
    >
      {podcasts.slice(from, to).map((podcast, index) => (
        <PodcastTile
          key={podcast.id}
          podcast={podcast}
          to={addressOf(podcast.id)}
          place={from + index + 1}
          total={podcasts.length}
        />
      ))}
    </ul>
  )
}
