import { useSignals } from '@preact/signals-react/runtime'
import { Heart, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { Cover } from '../../components/cover'
import { IconButton } from '../../components/icon-button'

/** `place` counts from one. */
export const PodcastTile = memo(function PodcastTile({
  podcast,
  to,
  place,
  of,
}: {
  podcast: Podcast
  to: string
  place: number
  of: number
}) {
  useSignals()
  const { library, failed } = useApp()
  const { t } = useTranslation()
  const unplayed = t('unplayed-count', { count: podcast.unlistened_count })
  const isFailing = podcast.feed_state === 'failing' || podcast.feed_state === 'gone'
  return (
    <li className="podcast-tile" aria-posinset={place} aria-setsize={of}>
      <Link href={to}>
        <span className="podcast-cover">
          <Cover src={podcast.image_url} name={podcast.name} size={256} isMissing={podcast.original_image_url === ''} />
          {podcast.unlistened_count > 0 && (
            <span className="podcast-count numbers" title={unplayed}>
              {podcast.unlistened_count > 999 ? '999+' : podcast.unlistened_count}
              <span className="visually-hidden">{unplayed}</span>
            </span>
          )}
        </span>
        <span className="podcast-name">{podcast.name}</span>
      </Link>
      {isFailing && (
        <span className="podcast-failing muted">
          <TriangleAlert size={14} aria-hidden="true" /> {t(`feed-${podcast.feed_state}`)}
        </span>
      )}
      <IconButton
        icon={Heart}
        label={podcast.favorites ? t('unfavour', { name: podcast.name }) : t('favour', { name: podcast.name })}
        aria-pressed={podcast.favorites}
        className="podcast-heart"
        onClick={() => void library.favour(podcast.id, !podcast.favorites).catch(failed)}
      />
    </li>
  )
})
