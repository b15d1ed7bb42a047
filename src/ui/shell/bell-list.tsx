import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Notification } from '../../shared/api/notification'
import { useApp } from '../app-context'
import { IconButton } from '../components/buttons'
import { formatRelative } from '../format'
import { routes } from '../routes'

/** The notifications, each with a button to dismiss it; a dot marks those that arrived since the list was last open. */
export function BellList({ onChosen }: { onChosen: () => void }) {
  useSignals()
  const { notifications, failed } = useApp()
  const { t } = useTranslation()
  const all = notifications.all.value
  const [seenUntil] = useState(notifications.seenUntil)
  useEffect(() => notifications.markSeen(), [notifications, all])
  return (
    <section className="bell-popover absolute scrolls floating" id="notifications" aria-label={t('notifications')}>
      {all.length === 0 && <p className="muted bell-empty middle">{t('no-notifications')}</p>}
      {all.length > 0 && (
        <>
          <header className="bell-head over sticky pressable row gap-8 spread">
            <h2 className="flush text-m">{t('notifications')}</h2>
            <button type="button" className="quiet small" onClick={() => void notifications.clear().catch(failed)}>
              {t('clear-all')}
            </button>
          </header>
          <ul className="lined">
            {all.map(notification => (
              <li className="row" key={notification.id}>
                <Notice notification={notification} isNew={notification.createdAt > seenUntil} onChosen={onChosen} />
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
      <Link
        className="bell-more ruled-above pressable text-s undecorated row"
        href={routes.settingsOf('notifications')}
        onClick={onChosen}
      >
        {t('bell-more')}
      </Link>
    </section>
  )
}

type Props = { notification: Notification; isNew: boolean; onChosen: () => void }

function Notice({ notification, isNew, onChosen }: Props) {
  useSignals()
  const { session } = useApp()
  const content = <Words notification={notification} isNew={isNew} />
  const href = placeOf(notification, session.user.value?.username)
  if (!href) return <span className="bell-notice ink breaks undecorated stack gap-2 grow">{content}</span>
  return (
    <Link className="bell-notice ink breaks undecorated stack gap-2 grow" href={href} onClick={onChosen}>
      {content}
    </Link>
  )
}

function placeOf({ typeOfMessage, message, podcastId, episodeId }: Notification, ownName?: string) {
  if (podcastId) return routes.episodes(podcastId, episodeId ?? undefined)
  if (typeOfMessage === 'Renamed') return routes.profile
  if (!/SignIn|Renewal|Attack/.test(typeOfMessage)) return null
  // Admins are also notified about the accounts of others.
  return typeOfMessage === 'Attack' && message !== ownName ? routes.activity : `${routes.profile}#sessions`
}

/** The name that it is about, then what happened, where and when. */
function Words({ notification, isNew }: Omit<Props, 'onChosen'>) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const { typeOfMessage, message, createdAt, podcastId, episodeId, episodeCount } = notification
  // The other notifications have the podcast's name in their text.
  const podcast = episodeId && podcastId ? library.byId.value.get(podcastId)?.name : null
  return (
    <>
      <b dir="auto">
        {isNew && (
          <span className="bell-new">
            <span className="visually-hidden">{t('new')}: </span>
          </span>
        )}
        {message}
      </b>
      <span className="muted">
        <span className={typeOfMessage === 'DownloadFailed' ? 'field-failure' : undefined}>
          {t(`notice-${typeOfMessage}`, { count: episodeCount })}
        </span>
        {podcast && (
          <>
            {' · '}
            <bdi>{podcast}</bdi>
          </>
        )}
        {' · '}
        <time dateTime={createdAt}>{formatRelative(createdAt)}</time>
      </span>
      {typeOfMessage === 'SignIn' && <span className="accent">{t('notice-not-you')}</span>}
    </>
  )
}
