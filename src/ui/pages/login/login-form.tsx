import { useRef } from 'react'
import { useTranslation } from '../../i18n'
import { useLocation } from 'wouter'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { Notice } from '../../components/notice'
import { onSubmit, useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { UsernameField } from '../../library/forms/username-field'
import { PasswordField } from '../../library/forms/password-field'

const REDIRECT_MS = 100

/** Signs in by user name and password. */
export function LoginForm() {
  const { session } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const password = useRef<HTMLInputElement>(null)
  const loggingIn = useAction(async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const login = { username: String(given.get('username')), password: String(given.get('password')) }
    const enter = await session.logIn(login, given.has('remember')).catch(error => {
      password.current?.select()
      throw error
    })
    await new Promise(resolve => setTimeout(resolve, REDIRECT_MS))
    navigate('/', { replace: true })
    enter()
  })
  return (
    <form onSubmit={onSubmit(loggingIn.run)}>
      {loggingIn.failure !== null && (
        <Notice title={t('error-authenticating')} isFailure>
          <p>{describeFailure(loggingIn.failure)}</p>
        </Notice>
      )}
      {/* Signing in is all that the page is for. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <UsernameField name="username" autoFocus />
      <PasswordField
        name="password"
        ref={password}
        autoComplete="current-password"
        aria-invalid={loggingIn.failure !== null || undefined}
        required
      />
      <label className="check">
        <input name="remember" type="checkbox" />
        {t('remember-me')}
      </label>
      <BusyButton type="submit" isBusy={loggingIn.isBusy}>
        {t('sign-in')}
      </BusyButton>
    </form>
  )
}
