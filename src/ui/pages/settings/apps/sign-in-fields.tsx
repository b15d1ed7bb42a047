import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../../app-context'

/** What an app's fields for a name and a password take. */
export function SignInFields({ onMakePassword }: { onMakePassword: () => void }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const user = session.user.value
  if (!user) return <p>{t('apps-open-any')}</p>
  return (
    <dl className="guide-fields">
      <div>
        <dt>{t('username')}</dt>
        <dd>
          <code>{user.username}</code>
        </dd>
      </div>
      <div>
        <dt>{t('password')}</dt>
        <dd>
          {t(session.config.value?.basicAuth ? 'apps-password-or' : 'apps-password-only')}{' '}
          <button type="button" className="guide-make" onClick={onMakePassword}>
            {t('new-app-password')}
          </button>
        </dd>
      </div>
    </dl>
  )
}
