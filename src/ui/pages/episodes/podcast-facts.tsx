import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { formatRelative } from '../../format'
import { TagDot } from '../../library/tags/tag-dot'
import { routes } from '../../routes'

const LONG_SUMMARY = 280

/** The podcast's description, shortened at first. `html` is sanitised by the server. */
export function Summary({ html }: { html: string }) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  if (html === '') return null
  return (
    <div className="podcast-summary">
      <div className={isWhole ? '' : 'is-clamped'} dangerouslySetInnerHTML={{ __html: html }} />
      {html.length > LONG_SUMMARY && (
        <button type="button" className="link-button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('show-less') : t('show-more')}
        </button>
      )}
    </div>
  )
}

/** The podcast's tags, each a link to all podcasts with it. */
export function PodcastTags({ tags }: Pick<Podcast, 'tags'>) {
  if (tags.length === 0) return null
  return (
    <p className="podcast-tags">
      {tags.map(tag => (
        <Link key={tag.id} href={`${routes.podcasts}?tag=${tag.id}`}>
          <TagDot color={tag.color} /> {tag.name}
        </Link>
      ))}
    </p>
  )
}

/** The last and the next check of the feed, or the reason why it fails. */
export function FeedState({ podcast }: { podcast: Podcast }) {
  const { t } = useTranslation()
  const { last_error, last_checked_at, next_check_at, feed_state } = podcast
  const { episode_count, feed_items, feed_unplayable } = podcast
  const isUnplayable = episode_count > 0 && feed_items > 0 && feed_unplayable === feed_items
  if (feed_state === 'inactive') return <p className="muted">{t('feed-inactive')}</p>
  if (last_error)
    return (
      <p className="podcast-failing muted">
        <TriangleAlert size={14} aria-hidden="true" />{' '}
        {t(`feed-error.${last_error.errorCode}`, { defaultValue: last_error.message })}{' '}
        {last_checked_at && `${t('checked', { when: formatRelative(last_checked_at) })} · `}
        {feed_state === 'gone'
          ? t('feed-gone-hint')
          : next_check_at && t('next-try', { when: formatRelative(next_check_at) })}
      </p>
    )
  return (
    <p className="muted">
      {last_checked_at && t('checked', { when: formatRelative(last_checked_at) })}
      {next_check_at && ` · ${t('next-check', { when: formatRelative(next_check_at) })}`}
      {podcast.has_warnings && ` · ${t('feed-warnings')}`}
      {isUnplayable && ` · ${t('feed-nothing-playable', { count: feed_items })}`}
    </p>
  )
}
