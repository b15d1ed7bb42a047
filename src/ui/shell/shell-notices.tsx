import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../app-context'
import { formatBytes } from '../format'
import { routes } from '../routes'

/** Says above the page that the server is away, that its disk is full, or that an update of the interface is ready. */
export function ShellNotices() {
  useSignals()
  const { isConnected, kept, appUpdate, room } = useApp()
  const shortage = room.shortage.value
  const { t } = useTranslation()
  return (
    <>
      {!isConnected.value && (
        <p className="shell-notice is-caution" role="status">
          {t('connection-lost')}{' '}
          {kept.episodes.value.length > 0 && <Link href={routes.device}>{t('on-this-device')}</Link>}
        </p>
      )}
      {shortage && (
        <p className="shell-notice is-caution" role="status">
          {t('server-disk-full')}{' '}
          {shortage.disk && (
            <Link href={routes.info}>
              {t('server-disk-free', {
                folder: shortage.disk.folder,
                size: formatBytes(shortage.disk.freeBytes ?? 0),
              })}
            </Link>
          )}
        </p>
      )}
      {appUpdate.isReady.value && (
        <p className="shell-notice" role="status">
          {t('update-ready')}{' '}
          <button type="button" className="link-button" onClick={appUpdate.apply}>
            {t('update-take')}
          </button>
        </p>
      )}
    </>
  )
}
