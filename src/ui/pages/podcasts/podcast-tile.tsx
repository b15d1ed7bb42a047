import { TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { FavouriteButton } from '../../library/podcasts/favourite-button'
import { PodcastCover } from '../../library/covers/podcast-cover'

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
  const { name, unlistened_count: count, feed_state } = podcast
  return (
    <li className="podcast-tile" aria-posinset={place} aria-setsize={total}>
      <Link href={to}>
        <span className="podcast-cover">
          <PodcastCover podcast={podcast} size={256} />
          {count > 0 && <UnplayedCount count={count} />}
        </span>
        <span className="podcast-name">{name}</span>
      </Link>
      {(feed_state === 'failing' || feed_state === 'gone') && (
        <span className="podcast-failing muted">
          <TriangleAlert size={14} aria-hidden="true" /> {t(`feed-${feed_state}`)}
        </span>
      )}
      <FavouriteButton podcast={podcast} className="podcast-heart" />
    </li>
  )
})

function UnplayedCount({ count }: { count: number }) {
  const { t } = useTranslation()
  const text = t('unplayed-count', { count })
  return (
    <span className="podcast-count numbers" title={text}>
      {count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}
      <span className="visually-hidden">{text}</span>
    </span>
  )
}
