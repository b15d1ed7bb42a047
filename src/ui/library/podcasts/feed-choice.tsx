import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { FeedChoice as Choice } from '../../../shared/api/podcast-preview'
import { routes } from '../../routes'

/** The feeds that a web page names, to choose one from. */
export function FeedChoice({ feeds, onChoose }: { feeds: Choice['feeds']; onChoose: (feedUrl: string) => void }) {
  const { t } = useTranslation()
  return (
    <ul className="feed-choice">
      {feeds.map(({ feedUrl, title, episodes, podcastId }) => (
        <li key={feedUrl}>
          {podcastId === null ? (
            <button type="button" onClick={() => onChoose(feedUrl)}>
              <span>
                <b dir="auto">{title}</b>
                <span className="muted numbers">{t('episodes-count', { count: episodes })}</span>
              </span>
              <ChevronRight size={18} aria-hidden="true" />
            </button>
          ) : (
            <Link href={routes.episodes(podcastId)}>
              <span>
                <b dir="auto">{title}</b>
                <span className="muted">{t('already-added')}</span>
              </span>
              <ChevronRight size={18} aria-hidden="true" />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
