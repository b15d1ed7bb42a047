import type { Podcast } from '../../../shared/api/podcast'
import { Cover } from '../../components/cover'

type Props = {
  podcast: Pick<Podcast, 'name' | 'image_url' | 'original_image_url'>
  size: 64 | 256
  /** Loads before the user scrolls to it. */
  eager?: boolean
}

/** A podcast's picture. */
export const PodcastCover = ({ podcast, size, eager = false }: Props) => (
  <Cover
    src={podcast.image_url}
    name={podcast.name}
    size={size}
    isMissing={podcast.original_image_url === ''}
    eager={eager}
  />
)
