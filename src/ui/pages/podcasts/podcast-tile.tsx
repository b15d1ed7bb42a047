import { Play } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { IconButton } from '../../components/icon-button'
import { FavouriteButton } from '../../library/podcasts/favourite-button'
import { PodcastCover } from '../../library/covers/podcast-cover'
import { needsAttention } from './arrange'
import { FeedCause } from './feed-cause'
import { usePlayPodcast } from './play-podcast'
import './podcast-tile.css'

type Props = {
  podcast: Podcast
  to: string
  /** Counts from one, among `total`. */
  place: number
  total: number
}

const MOST_COUNTED = 999

/** A podcast in the grid: its cover, how many episodes are not played yet, and whether its feed fails. */
export const PodcastTile = memo(function PodcastTile({ podcast, to, place, total }: Props) {
  const { t } = useTranslation()
  const play = usePlayPodcast(podcast)
  const { name, unlistened_count: count } = podcast
  return (
    <li className="podcast-tile" aria-posinset={place} aria-setsize={total}>
      <Link href={to}>
        <span className="podcast-cover">
          <PodcastCover podcast={podcast} size={256} />
          {count > 0 && <UnplayedCount count={count} />}
        </span>
        <span className="podcast-name" dir="auto">
          {name}
        </span>
      </Link>
      {needsAttention(podcast) && <FeedCause podcast={podcast} />}
      <FavouriteButton podcast={podcast} className="podcast-heart" />
      {podcast.episode_count > 0 && (
        <IconButton icon={Play} label={t('play-podcast', { name })} className="podcast-play" onClick={play} />
      )}
    </li>
  )
})

function UnplayedCount({ count }: { count: number }) {
  const { t } = useTranslation()
  const text = t('unplayed-count', { count })
  return (
    <span className="podcast-count numbers" title={text}>
      <span aria-hidden="true">{count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  )
}
