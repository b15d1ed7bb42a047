import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { FormFailure } from '../../components/field'
import { onSubmit, useAction } from '../../components/use-action'
import { accountFailure, type AccountFailure } from '../../failure'
import { UsernameField } from '../../library/forms/username-field'
import { PasswordField } from '../../library/forms/password-field'
import { routes } from '../../routes'

/** Name and password of the new account. */
export function SignUpForm({ inviteId }: { inviteId: string }) {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const signingUp = useAction(async (form: HTMLFormElement) => {
    const given = new FormData(form)
    try {
      await api.users.signUp({
        username: String(given.get('username')),
        password: String(given.get('password')),
        inviteId,
      })
    } catch (error) {
      // The notice is the same for every reason; the actual one is next to its field.
      toasts.failed(t('error.password-too-weak'))
      throw error
    }
    toasts.clear()
    toasts.done(t('account-created'))
    navigate('/', { replace: true })
  })
  const failure = signingUp.failure === null ? null : accountFailure(signingUp.failure)
  const failureAt = (at: AccountFailure['at']) => (failure?.at === at ? failure.reason : null)
  return (
    <form onSubmit={onSubmit(signingUp.run)}>
      <UsernameField name="username" failure={failureAt('username')} placeholder={t('your-username')} />
      <PasswordField
        name="password"
        help={t('password-rule')}
        failure={failureAt('password')}
        autoComplete="new-password"
      />
      <FormFailure reason={failureAt('form')} />
      <BusyButton type="submit" isBusy={signingUp.isBusy}>
        {t('create')}
      </BusyButton>
      {failure !== null && failure.at !== 'password' && (
        <p className="invite-sign-in">
          <Link href={routes.login}>{t('sign-in')}</Link>
        </p>
      )}
    </form>
  )
}
