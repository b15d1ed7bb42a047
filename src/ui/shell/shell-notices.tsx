import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from '../i18n'
import { Link } from 'wouter'
import { useApp } from '../app-context'
import { routes } from '../routes'

/** Says above the page that the server is away, or that an update of the interface is ready. */
export function ShellNotices() {
  useSignals()
  const { isConnected, kept, appUpdate } = useApp()
  const { t } = useTranslation()
  return (
    <>
      {!isConnected.value && (
        <p className="shell-notice is-caution" role="status">
          {t('connection-lost')}{' '}
          {kept.episodes.value.length > 0 && <Link href={routes.device}>{t('on-this-device')}</Link>}
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
