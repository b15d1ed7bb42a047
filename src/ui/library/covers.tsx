import { useState } from 'react'
import type { Episode } from '../../shared/api/episode'
import type { KnownPodcast, TagColor } from '../../shared/api/podcast'
import { Cover } from '../components/cover'
import '../components/components.css'
import './library.css'

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

type PodcastCoverProps = {
  podcast: Pick<KnownPodcast, 'name' | 'image_url' | 'original_image_url'>
  size: 64 | 256
  /** Loads before the user scrolls to it. */
  eager?: boolean
}

/** A podcast's picture. */
export const PodcastCover = ({ podcast, size, eager = false }: PodcastCoverProps) => (
  <Cover
    src={podcast.image_url}
    name={podcast.name}
    size={size}
    isMissing={(podcast.original_image_url ?? podcast.image_url) === ''}
    eager={eager}
  />
)

type ForeignCoverProps = { src: string | null; name: string; size: 64 | 256 }

/** The picture of a podcast that the server does not have, from its own host. */
export function ForeignCover({ src, name, size }: ForeignCoverProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null)
  if (src === null || src === failedSrc) return <Cover src="" name={name} size={size} isMissing />
  return (
    <span className={`cover is-${size} center`} aria-hidden="true">
      <img
        src={src}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailedSrc(src)}
      />
    </span>
  )
}

/** A dot in a tag's colour. Hidden from screen readers: the tag's name is next to it. */
export const TagDot = ({ color }: { color: TagColor }) => (
  <span className={`tag-dot disc is-${color}`} aria-hidden="true" />
)

type PortraitProps = { name: string; picture: string | null | undefined }

/** The picture of a person, or the first letter of the name if there is none that can be loaded. */
export function Portrait({ name, picture }: PortraitProps) {
  const [failed, setFailed] = useState<string | null>(null)
  if (!picture || failed === picture)
    return (
      <span className="portrait disc" aria-hidden="true">
        {[...name][0]}
      </span>
    )
  return <img className="portrait disc" src={picture} alt="" loading="lazy" onError={() => setFailed(picture)} />
}
