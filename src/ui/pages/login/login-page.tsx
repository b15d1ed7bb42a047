import { useSignals } from '@preact/signals-react/runtime'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { FrontDoor } from '../../components/front-door'
import { Notice } from '../../components/notice'
import { ENDED_KEY } from '../../state/credentials'
import { LoginForm } from './login-form'

/** Offers the configured ways to sign in. */
export function LoginPage() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const config = session.config.value!
  const oidc = session.oidc.value
  const failure = oidc?.error.value
  const [isEnded] = useState(() => sessionStorage.getItem(ENDED_KEY) !== null)
  useEffect(() => sessionStorage.removeItem(ENDED_KEY), [])
  return (
    <FrontDoor title={t('sign-in')}>
      {isEnded && <Notice>{t('signed-out-elsewhere')}</Notice>}
      {failure && (
        <Notice title={t('error-authenticating')} isFailure>
          <p>{t(`oidc-${failure.failure}`, { detail: failure.detail })}</p>
          {failure.failure !== 'unknown' && <p className="muted">{failure.detail}</p>}
        </Notice>
      )}
      {config.basicAuth && <LoginForm />}
      {config.basicAuth && oidc && <p className="front-door-or row gap-12 muted">{t('or')}</p>}
      {oidc && (
        <BusyButton
          className={`with-icon ${config.basicAuth ? 'outline' : ''}`}
          isBusy={oidc.isBusy.value}
          onClick={() => void oidc.signIn()}
        >
          {!oidc.isBusy.value && <KeyRound size={18} aria-hidden="true" />}
          {t('sign-in-with-sso')}
        </BusyButton>
      )}
      {!config.basicAuth && !oidc && (
        <Notice title={t('error-authenticating')} isFailure>
          <p>{t('proxy-names-nobody')}</p>
        </Notice>
      )}
    </FrontDoor>
  )
}
