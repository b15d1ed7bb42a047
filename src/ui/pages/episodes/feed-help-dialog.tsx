import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { Dialog } from '../../components/dialog'
import { formatRelative } from '../../format'
import { PodcastSettingsDialog } from './podcast-settings-dialog'

const helpFor: Partial<Record<string, string>> = {
  'feed-needs-credentials': 'feed-help-credentials',
  'feed-refused': 'feed-help-refused',
}

type Props = { podcast: Podcast; onClose: () => void }

/** Explains why the last check of a feed failed, since when, and what to do about it. */
export function FeedHelpDialog({ podcast, onClose }: Props) {
  useSignals()
  const { api, library, feedChecks, session, failed } = useApp()
  const { t } = useTranslation()
  const [isChanging, setChanging] = useState(false)
  const { last_error, feed_state, link } = podcast
  const next_check_at = feedChecks.byId.value.get(podcast.id)?.next_check_at
  if (isChanging) return <PodcastSettingsDialog podcast={podcast} onClose={onClose} />
  if (!last_error) return null
  async function tryAsBrowser() {
    await api.podcasts.editSettings(podcast.id, { userAgent: navigator.userAgent })
    await library.refresh(podcast.id)
  }
  return (
    <Dialog title={t('what-can-i-do')} onClose={onClose}>
      {close => (
        <>
          <p>
            {t(`feed-error.${last_error.errorCode}`, { defaultValue: last_error.message })}{' '}
            {t('failing-since', { when: formatRelative(last_error.since) })}{' '}
            {feed_state === 'gone'
              ? t('feed-gone-hint')
              : next_check_at && t('next-try', { when: formatRelative(next_check_at) })}
          </p>
          <p className="muted">{last_error.message}</p>
          <p>
            {t(helpFor[last_error.errorCode] ?? 'feed-help')}{' '}
            {link && (
              <a href={link} target="_blank" rel="noopener noreferrer">
                {t('open-web-page')}
              </a>
            )}
          </p>
          {session.mayUpload.value && (
            <footer>
              {last_error.errorCode === 'feed-refused' && (
                <button
                  type="button"
                  className="secondary"
                  onClick={() => void tryAsBrowser().catch(failed).then(close)}
                >
                  {t('try-as-browser')}
                </button>
              )}
              <button type="button" className="secondary" onClick={() => setChanging(true)}>
                {t('change-feed-address')}
              </button>
              <button
                type="button"
                onClick={() => {
                  void library.refresh(podcast.id).catch(failed)
                  close()
                }}
              >
                {t('check-now')}
              </button>
            </footer>
          )}
        </>
      )}
    </Dialog>
  )
}
