import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header'
import { Tabs } from '../../components/segments'
import { administrationTabs, routes } from '../../routes'
import { ActivityTab } from './activity-tab'
import { InvitesTab } from './invites-tab'
import { UsersTab } from './users-tab'

const tabs = { users: UsersTab, invites: InvitesTab, activity: ActivityTab }

/** Accounts, invitations and what people did, for admins. */
export function AdministrationPage({ tab }: { tab: keyof typeof tabs }) {
  const { t } = useTranslation()
  const Tab = tabs[tab]
  return (
    <>
      <PageHeader title={t('administration')} />
      <Tabs
        label={t('administration')}
        current={routes[tab]}
        tabs={administrationTabs.map(name => ({ to: routes[name], label: t(name) }))}
      />
      <Tab />
    </>
  )
}
