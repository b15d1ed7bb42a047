import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Notification } from '../../shared/api/notification'
import { useApp } from '../app-context'
import { formatRelative } from '../format'
import { routes } from '../routes'
import { IconButton } from '../components/icon-button'

/** The notifications, each with a button to dismiss it. */
export function BellList({ onChosen }: { onChosen: () => void }) {
  useSignals()
  const { notifications, failed } = useApp()
  const { t } = useTranslation()
  const all = notifications.all.value
  return (
    <section className="bell-popover" id="notifications" aria-label={t('notifications')}>
      {all.length === 0 && <p className="muted bell-empty">{t('no-notifications')}</p>}
      {all.length > 0 && (
        <>
          <button type="button" className="link-button" onClick={() => void notifications.clear().catch(failed)}>
            {t('clear-all')}
          </button>
          <ul>
            {all.map(notification => (
              <li key={notification.id}>
                <NoticeLink notification={notification} onChosen={onChosen} />
                <IconButton
                  icon={X}
                  label={t('dismiss')}
                  onClick={() => void notifications.dismiss(notification.id).catch(failed)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function NoticeLink({ notification, onChosen }: { notification: Notification; onChosen: () => void }) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const { typeOfMessage, message, createdAt, podcastId, episodeId, episodeCount } = notification
  // The other notifications have the podcast's name in their text.
  const podcast = episodeId && podcastId ? library.byId.value.get(podcastId)?.name : null
  const content = (
    <>
      <span className="muted">
        {[t(`notice-${typeOfMessage}`, { count: episodeCount }), podcast, formatRelative(createdAt)]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span>{message}</span>
    </>
  )
  if (!podcastId) return <span className="bell-notice">{content}</span>
  return (
    <Link className="bell-notice" href={routes.episodes(podcastId, episodeId ?? undefined)} onClick={onChosen}>
      {content}
    </Link>
  )
}
