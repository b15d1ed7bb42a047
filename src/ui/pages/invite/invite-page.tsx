import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Invite } from '../../../shared/api/invite'
import { useApp } from '../../app-context'
import { FrontDoor } from '../../components/front-door'
import { describeFailure } from '../../failure'
import { formatDay } from '../../format'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { SignUpForm } from './sign-up-form'
import './invite-page.css'

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
  )
}
