import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { PageHeader } from '../../components/page-header'
import { routes, settingsTabsOf, type SettingsTab } from '../../routes'
import { AppsTab } from './apps/apps-tab'
import { BackupsTab } from './backups-tab'
import { GpodderTab } from './gpodder-tab'
import { MoveInTab } from './move-in/move-in-tab'
import { NamingTab } from './naming-tab'
import { OpmlTab } from './opml-tab'
import { PodcastsTab } from './podcasts-tab'
import { RetentionTab } from './retention-tab'
import './settings.css'

const NotificationsTab = lazily(async () => (await import('./notifications/notifications-tab')).NotificationsTab)

/** Settings page: one tab for each group of server and library settings. */
export function SettingsPage({ tab }: { tab: SettingsTab }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('settings')} />
      <div className="settings stack">
        <SettingsNav current={tab} />
        <div className="settings-content">
          {tab === 'retention' && <RetentionTab />}
          {tab === 'move-in' && <MoveInTab />}
          {tab === 'opml' && <OpmlTab />}
          {tab === 'naming' && <NamingTab />}
          {tab === 'podcasts' && <PodcastsTab />}
          {tab === 'notifications' && <NotificationsTab />}
          {tab === 'apps' && <AppsTab />}
          {tab === 'gpodder' && <GpodderTab />}
          {tab === 'backups' && <BackupsTab />}
        </div>
      </div>
    </>
  )
}

/** The list of the groups; a line that scrolls sideways if there is no room next to the settings. */
function SettingsNav({ current }: { current: SettingsTab }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (here) list.current!.scrollLeft = here.offsetLeft - list.current!.offsetLeft - 32
  }, [current])
  return (
    <nav className="settings-nav sticky stack" aria-label={t('settings')} ref={list}>
      {settingsTabsOf(session.isAdmin.value, session.mayUpload.value).map(name => (
        <Link
          key={name}
          className="entry faint strong"
          href={routes.settingsOf(name)}
          aria-current={name === current ? 'page' : undefined}
        >
          {t(`settings-${name}`)}
        </Link>
      ))}
    </nav>
  )
}
