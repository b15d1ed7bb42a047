import { useCallback } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { SortableFrame, useSorted } from '../../components/sortable-list'
import type { FrameProps, SortedRowProps } from '../../library/episodes/episode-list'

/** The frame of a list of episodes whose rows can be dragged. */
export const Frame = (props: FrameProps) => (
  <SortableFrame<EpisodeWrapper>
    {...props}
    idOf={({ podcastEpisode }) => podcastEpisode.id}
    nameOf={({ podcastEpisode }) => podcastEpisode.name}
  />
)

/** A row with a grip. It is placed without a transform: dragging measures rows without theirs. */
export function SortedRow({ episode, top, measure, className = '', children, ...props }: SortedRowProps) {
  const { ref, grip, style, isDragged } = useSorted(episode.id, episode.name)
  const setNode = useCallback(
    (node: HTMLLIElement | null) => {
      ref(node)
      measure(node)
    },
    [ref, measure],
  )
  return (
    <li
      {...props}
      ref={setNode}
      className={`is-sorted ${className} ${isDragged ? 'is-dragged' : ''}`}
      style={{ ...style, insetBlockStart: top }}
    >
      {grip}
      {children}
    </li>
  )
}
