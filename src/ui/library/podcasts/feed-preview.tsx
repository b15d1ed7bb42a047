import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n'
import type { FeedPreview as Seen } from '../../../shared/api/podcast-preview'
import { ForeignCover } from '../covers/foreign-cover'
import { tintStyle } from '../../components/tint'
import { formatDate, formatMinutes } from '../../format'
import './adding.css'

/** A podcast as it would be added: on the colour of its name, since its cover is not on the server yet. */
export function FeedPreview({ seen }: { seen: Seen }) {
  const { t } = useTranslation()
  const { title, author, language, explicit, summary, imageUrl, newest } = seen
  const facts = [author, language && nameOfLanguage(language), t(explicit ? 'explicit' : 'not-explicit')]
  return (
    <section className="feed-preview tinted" style={tintStyle(null, title)} aria-label={title}>
      <div className="feed-preview-head">
        <ForeignCover src={imageUrl} name={title} size={256} />
        <div>
          <h3 dir="auto">{title}</h3>
          <p className="muted" dir="auto">
            {facts.filter(Boolean).join(' · ')}
          </p>
          {summary && (
            <p className="feed-preview-about clamp" dir="auto">
              {summary}
            </p>
          )}
          <p className="muted numbers">{countOf(seen, t)}</p>
        </div>
      </div>
      {newest && (
        <div className="feed-preview-newest">
          <p className="muted numbers">
            {[
              t('newest'),
              newest.publishedAt && formatDate(newest.publishedAt),
              newest.duration > 0 && formatMinutes(newest.duration),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <p className="truncate" dir="auto">
            {newest.name}
          </p>
        </div>
      )}
    </section>
  )
}

/** Keeps the height of a preview while it is fetched. */
export function FeedPreviewSkeleton() {
  return <div className="feed-preview-skeleton" aria-hidden="true" />
}

function countOf({ episodes, hasMorePages, oldestAt }: Seen, t: TFunction): string {
  if (hasMorePages) return t('episodes-more-than', { count: episodes })
  if (!oldestAt) return t('episodes-count', { count: episodes })
  const month = new Intl.DateTimeFormat(currentLanguage(), { month: 'long', year: 'numeric' }).format(
    new Date(oldestAt),
  )
  return t('episodes-since', { count: episodes, month })
}

function nameOfLanguage(code: string): string {
  try {
    return new Intl.DisplayNames([currentLanguage()], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}
