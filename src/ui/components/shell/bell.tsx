import { useSignals } from '@preact/signals-react/runtime'
import { Bell as BellIcon, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Notification } from '../../../shared/api/notification'
import { useApp } from '../../app-state'
import { formatRelative } from '../../format'
import { routes } from '../../routes'
import { IconButton } from '../icon-button'
import './bell.css'

/** What happened meanwhile. A dot says that there is something. */
export function Bell() {
  useSignals()
  const { notifications, failed } = useApp()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const all = notifications.all.value

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      root.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
      document.removeEventListener('keydown', closeOnEscape)
    }
  }, [isOpen])

  return (
    <div className="bell" ref={root}>
      <IconButton
        icon={BellIcon}
        label={t('notifications-count', { count: all.length })}
        aria-expanded={isOpen}
        aria-controls="notifications"
        onClick={() => setOpen(!isOpen)}
      >
        {all.length > 0 && <span className="bell-dot" />}
      </IconButton>
      {isOpen && (
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
                    <NoticeLink notification={notification} onChosen={() => setOpen(false)} />
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
      )}
    </div>
  )
}

function NoticeLink({ notification, onChosen }: { notification: Notification; onChosen: () => void }) {
  const { t } = useTranslation()
  const { typeOfMessage, message, createdAt, podcastId, episodeId } = notification
  const content = (
    <>
      <span className="muted">
        {t(`notice-${typeOfMessage}`)} · {formatRelative(createdAt)}
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
