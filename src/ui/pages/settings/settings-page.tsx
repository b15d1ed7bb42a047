import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { Tabs } from '../../components/tabs'
import { routes, settingsTabs, type SettingsTab } from '../../routes'
import { BackupsTab } from './backups-tab'
import { GpodderTab } from './gpodder-tab'
import { NamingTab } from './naming-tab'
import { OpmlTab } from './opml-tab'
import { PodcastsTab } from './podcasts-tab'
import { RetentionTab } from './retention-tab'
import './settings-page.css'

/** Settings page: one tab for each group of server and library settings. */
export function SettingsPage({ tab }: { tab: SettingsTab }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('settings')} />
      <Tabs
        label={t('settings')}
        current={routes.settingsOf(tab)}
        // The API refuses backups to anyone but admins, so only they get the tab.
        tabs={settingsTabs
          .filter(name => name !== 'backups' || session.isAdmin.value)
          .map(name => ({ to: routes.settingsOf(name), label: t(`settings-${name}`) }))}
      />
      {tab === 'retention' && <RetentionTab />}
      {tab === 'opml' && <OpmlTab />}
      {tab === 'naming' && <NamingTab />}
      {tab === 'podcasts' && <PodcastsTab />}
      {tab === 'gpodder' && <GpodderTab />}
      {tab === 'backups' && <BackupsTab />}
    </>
  )
}
