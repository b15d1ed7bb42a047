import { useEffect, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { Invite } from '../../../shared/api/invite'
import { accountFailure, type AccountFailure } from '../../failure'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { Field } from '../../components/field'
import { FrontDoor } from '../../components/front-door'
import { formatDay } from '../../format'
import { routes } from '../../routes'
import './invite-page.css'

/** Outside the frame: an account by way of an invitation. Where there is none to be had, it goes on loading, and says why. */
export function InvitePage({ id }: { id: string }) {
  const { api } = useApp()
  const { t } = useTranslation()
  const [invite, setInvite] = useState<Invite | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    api.invites.find(id).then(setInvite, setFailure)
  }, [api, id])

  if (!invite)
    return (
      <FrontDoor title={t('invitation')}>
        <p role="status" aria-busy="true" aria-label={t('loading')} />
        {failure !== null && (
          <p className="muted" role="status">
            {describeFailure(failure)} <Link href={routes.login}>{t('sign-in')}</Link>
          </p>
        )}
      </FrontDoor>
    )
  return (
    <FrontDoor title={t('create-account')}>
      <dl className="invite-summary">
        <dt>{t('role')}</dt>
        <dd>{t(`role-${invite.role}`)}</dd>
        <dt>{t('explicit-content')}</dt>
        <dd>{t(invite.explicitConsent ? 'yes' : 'no')}</dd>
        <dt>{t('invite-created-at')}</dt>
        <dd>{formatDay(invite.createdAt)}</dd>
        <dt>{t('invite-expires')}</dt>
        <dd>{formatDay(invite.expiresAt)}</dd>
      </dl>
      <SignUpForm inviteId={id} />
    </FrontDoor>
  )
}

function SignUpForm({ inviteId }: { inviteId: string }) {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [failure, setFailure] = useState<AccountFailure | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function signUp(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    const [username, password] = [String(given.get('username')), String(given.get('password'))]
    setBusy(true)
    setFailure(null)
    try {
      await api.users.signUp({ username, password, inviteId })
      toasts.clear()
      toasts.done(t('account-created'))
      navigate('/', { replace: true })
    } catch (error) {
      // Whatever the reason, the toast says this; what is really at fault stands beside its field.
      toasts.failed(t('error.password-too-weak'))
      setFailure(accountFailure(error))
      setBusy(false)
    }
  }

  const failed = (at: AccountFailure['at']) => (failure?.at === at ? failure.reason : null)
  return (
    <form onSubmit={event => void signUp(event)}>
      <Field label={t('username')} failure={failed('username')}>
        {props => (
          <input
            {...props}
            name="username"
            placeholder={t('your-username')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            required
          />
        )}
      </Field>
      <Field label={t('password')} help={t('password-rule')} failure={failed('password')}>
        {props => <input {...props} name="password" type="password" autoComplete="new-password" maxLength={1000} />}
      </Field>
      {failed('form') && (
        <p className="field-failure" role="alert">
          {failed('form')}
        </p>
      )}
      <button type="submit" aria-busy={isBusy} disabled={isBusy}>
        {t('create')}
      </button>
      {failure !== null && failure.at !== 'password' && (
        <p className="invite-sign-in">
          <Link href={routes.login}>{t('sign-in')}</Link>
        </p>
      )}
    </form>
  )
}
