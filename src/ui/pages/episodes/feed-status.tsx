import { useSignals } from '@preact/signals-react/runtime'
import { RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { formatRelative } from '../../format'

const FeedFailure = lazily(async () => (await import('./feed-failure')).FeedFailure)

/** The number of episodes, and how the checks of the feed go: the last and the next one, or why they fail. */
export function FeedStatus({ podcast }: { podcast: Podcast }) {
  useSignals()
  const { feedChecks } = useApp()
  const { t } = useTranslation()
  const { id, last_error, feed_state, episode_count } = podcast
  const check = feedChecks.byId.value.get(id)
  const { last_checked_at = null, next_check_at = null } = check ?? {}
  const count = t('episodes-count', { count: episode_count })
  if (feed_state === 'inactive')
    return (
      <p className="podcast-status">
        {count} · {t('feed-inactive')}
      </p>
    )
  if (feed_state === 'none') return <p className="podcast-status">{count}</p>
  if (last_error) return <FeedFailure podcast={podcast} />
  const checked = last_checked_at && formatRelative(last_checked_at)
  const next = next_check_at && formatRelative(next_check_at)
  return (
    <p className="podcast-status numbers">
      <span>
        {count}
        <span className="phone-only"> · {t('not-played-count', { count: podcast.unlistened_count })}</span>
      </span>
      {!check && <span className="phone-only podcast-check-line" />}
      {checked && (
        <>
          <span className="wide-only">
            {next ? t('feed-checked-next', { checked, next }) : t('feed-checked', { checked })}
          </span>
          <span className="phone-only">{t('checked', { when: checked })}</span>
        </>
      )}
      <CheckNow podcastId={podcast.id} />
    </p>
  )
}

/** A small button; phones have it in the menu. */
function CheckNow({ podcastId }: { podcastId: string }) {
  useSignals()
  const { library, session, failed } = useApp()
  const { t } = useTranslation()
  if (!session.mayUpload.value) return null
  const isBusy = library.refreshing.value.has(podcastId)
  const label = isBusy ? t('refreshing') : t('refresh')
  return (
    <button
      type="button"
      className={`icon-button podcast-check ${isBusy ? 'is-turning' : ''}`}
      aria-label={label}
      title={label}
      disabled={isBusy}
      onClick={() => void library.refresh(podcastId).catch(failed)}
    >
      <RefreshCw size={14} aria-hidden="true" />
    </button>
  )
}
