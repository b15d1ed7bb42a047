import type { Episode } from '../../../shared/api/episode'
import { Cover } from '../../components/cover'

type Props = {
  episode: Pick<Episode, 'name' | 'local_image_url' | 'image_url'>
  podcastName: string
  size: 64 | 256
}

/** An episode's picture; without one, a tint of its podcast. */
export function EpisodeCover({ episode, podcastName, size }: Props) {
  return (
    <Cover
      src={episode.local_image_url}
      name={podcastName || episode.name}
      isMissing={episode.image_url === ''}
      size={size}
    />
  )
}
