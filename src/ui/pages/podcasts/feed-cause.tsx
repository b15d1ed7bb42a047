import { useSignals } from '@preact/signals-react/runtime'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { formatRelative } from '../../format'

/** The reason why a feed gives no new episodes; its tooltip adds when the next try is. */
export function FeedCause({ podcast: { id, feed_state, last_error } }: { podcast: Podcast }) {
  useSignals()
  const { feedChecks } = useApp()
  const { t } = useTranslation()
  const isGone = feed_state === 'gone'
  const cause =
    isGone || !last_error
      ? t(`feed-${feed_state}`)
      : t(`feed-error.${last_error.errorCode}`, { defaultValue: last_error.message })
  const next_check_at = feedChecks.byId.value.get(id)?.next_check_at
  const next = isGone ? t('feed-gone-hint') : next_check_at && t('next-try', { when: formatRelative(next_check_at) })
  return (
    <span className="podcast-failing meta" title={[cause, next].filter(Boolean).join(' ')}>
      <TriangleAlert size={13} aria-hidden="true" /> {cause}
      <span className="visually-hidden"> {next}</span>
    </span>
  )
}
