import { useSignals } from '@preact/signals-react/runtime'
import { KeyRound } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { Field } from '../../components/field'
import { FrontDoor } from '../../components/front-door'
import { Notice } from '../../components/notice'

const REDIRECT_MS = 100

/** Outside the frame: shown where signing in is needed and nobody has. */
export function LoginPage() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const config = session.config.value!
  const oidc = session.oidc.value
  const failure = oidc?.error.value
  return (
    <FrontDoor title={t('sign-in')}>
      {failure && (
        <Notice title={t('error-authenticating')} isFailure>
          <p>{t(`oidc-${failure.failure}`, { detail: failure.detail })}</p>
          {failure.failure !== 'unknown' && <p className="muted">{failure.detail}</p>}
        </Notice>
      )}
      {config.basicAuth && <LoginForm />}
      {config.basicAuth && oidc && <p className="front-door-or">{t('or')}</p>}
      {oidc && (
        <button
          type="button"
          className={`with-icon ${config.basicAuth ? 'secondary' : ''}`}
          aria-busy={oidc.isBusy.value}
          disabled={oidc.isBusy.value}
          onClick={() => void oidc.signIn()}
        >
          {!oidc.isBusy.value && <KeyRound size={18} aria-hidden="true" />}
          {t('sign-in-with-sso')}
        </button>
      )}
      {!config.basicAuth && !oidc && (
        <Notice title={t('error-authenticating')} isFailure>
          <p>{t('proxy-names-nobody')}</p>
        </Notice>
      )}
    </FrontDoor>
  )
}

function LoginForm() {
  const { session } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const password = useRef<HTMLInputElement>(null)

  async function logIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    setBusy(true)
    setFailure(null)
    try {
      const login = { username: String(given.get('username')), password: String(given.get('password')) }
      const enter = await session.logIn(login, given.has('remember'))
      setTimeout(() => {
        navigate('/', { replace: true })
        enter()
      }, REDIRECT_MS)
    } catch (error) {
      setFailure(error)
      setBusy(false)
      password.current?.select()
    }
  }

  return (
    <form onSubmit={event => void logIn(event)}>
      {failure !== null && (
        <Notice title={t('error-authenticating')} isFailure>
          <p>{describeFailure(failure)}</p>
        </Notice>
      )}
      <Field label={t('username')}>
        {props => (
          <input
            {...props}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            required
            // The page has one purpose.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
        )}
      </Field>
      <Field label={t('password')}>
        {props => (
          <input
            {...props}
            ref={password}
            name="password"
            type="password"
            autoComplete="current-password"
            maxLength={1000}
            required
          />
        )}
      </Field>
      <label className="check">
        <input name="remember" type="checkbox" />
        {t('remember-me')}
      </label>
      <button type="submit" aria-busy={isBusy} disabled={isBusy}>
        {t('sign-in')}
      </button>
    </form>
  )
}
