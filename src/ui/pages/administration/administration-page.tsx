import { useTranslation } from '../../i18n'
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
