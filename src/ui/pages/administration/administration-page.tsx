import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { describeFailure } from '../../failure'
import { Notice } from '../../components/notice'
import { PageHeader } from '../../components/page-header'
import { Tabs } from '../../components/tabs'
import { routes } from '../../routes'
import { InvitesTab } from './invites-tab'
import { UsersTab } from './users-tab'

/** Accounts and invitations, for admins. */
export function AdministrationPage({ tab }: { tab: 'users' | 'invites' }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('administration')} />
      <Tabs
        label={t('administration')}
        current={routes[tab]}
        tabs={[
          { to: routes.users, label: t('users') },
          { to: routes.invites, label: t('invites') },
        ]}
      />
      {tab === 'users' ? <UsersTab /> : <InvitesTab />}
    </>
  )
}

/** The list is for admins. What else may have gone wrong is said beneath. */
export function NotAdmin({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  const isRefused = error instanceof ApiError && error.code === 'not-admin'
  return (
    <Notice title={t('not-admin')} isFailure>
      {!isRefused && (
        <>
          <p>{describeFailure(error)}</p>
          <button type="button" className="link-button" onClick={onRetry}>
            {t('try-again')}
          </button>
        </>
      )}
    </Notice>
  )
}
