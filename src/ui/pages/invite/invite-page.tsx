import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { Invite } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { FrontDoor } from '../../components/front-door'
import { describeFailure } from '../../failure'
import { accountFailure, type AccountFailure, PasswordField, UsernameField } from '../../library/forms/account-fields'
import { formatDay } from '../../format-facts'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import './invite.css'
import { BusyButton } from '../../components/buttons'
import { FormFailure } from '../../components/fields'
import { onSubmit, useAction } from '../../components/use-action'

/** Creates an account from an invitation. One that cannot be had leaves the page waiting; a quiet line names the reason. */
export function InvitePage({ id }: { id: string }) {
  const { api } = useApp()
  const { t } = useTranslation()
  const { data: invite, error } = useResource((_, invited: string) => api.invites.find(invited), [id])

  if (!invite)
    return (
      <FrontDoor key="waiting" title={t('invitation')}>
        <p role="status" aria-busy="true" aria-label={t('loading')} />
        {error !== null && (
          <p className="muted">
            {describeFailure(error)} <Link href={routes.login}>{t('sign-in')}</Link>
          </p>
        )}
      </FrontDoor>
    )
  return (
    <FrontDoor title={t('create-account')}>
      <Summary invite={invite} />
      <SignUpForm inviteId={id} />
    </FrontDoor>
  )
}

function Summary({ invite }: { invite: Invite }) {
  const { t } = useTranslation()
  return (
    <dl className="invite-summary padded stack rounded sunken">
      <dt className="faint">{t('role')}</dt>
      <dd>{t(`role-${invite.role}`)}</dd>
      <dt className="faint">{t('explicit-content')}</dt>
      <dd>{t(invite.explicitConsent ? 'yes' : 'no')}</dd>
      <dt className="faint">{t('invite-created-at')}</dt>
      <dd>{formatDay(invite.createdAt)}</dd>
      <dt className="faint">{t('invite-expires')}</dt>
      <dd>{formatDay(invite.expiresAt)}</dd>
    </dl>
  )
}

/** Name and password of the new account. */
export function SignUpForm({ inviteId }: { inviteId: string }) {
  const { api, session, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const signingUp = useAction(async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const login = { username: String(given.get('username')), password: String(given.get('password')) }
    try {
      await api.users.signUp({ ...login, inviteId })
    } catch (error) {
      // The notice is the same for every reason; the actual one is next to its field.
      toasts.failed(t('error.password-too-weak'))
      throw error
    }
    toasts.clear()
    toasts.done(t('account-created'))
    // If passwords are off, the person signs in on the next page.
    const enter = await session.logIn(login, false).catch(() => null)
    navigate('/', { replace: true })
    enter?.()
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
      <BusyButton type="submit" className="wide" isBusy={signingUp.isBusy}>
        {t('create')}
      </BusyButton>
      {failure !== null && failure.at !== 'password' && (
        <p className="invite-sign-in middle">
          <Link href={routes.login}>{t('sign-in')}</Link>
        </p>
      )}
    </form>
  )
}
