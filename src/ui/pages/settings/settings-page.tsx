import { useSignals } from '@preact/signals-react/runtime'
import {
  Bell,
  ChevronRight,
  CirclePlay,
  DatabaseBackup,
  FileDown,
  FileType,
  FolderInput,
  LayoutGrid,
  ListPlus,
  type LucideIcon,
  Recycle,
  RefreshCw,
  Smartphone,
} from 'lucide-react'
import { type ComponentType, useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect } from 'wouter'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { routes, settingsGroups, type SettingsTab } from '../../routes'
import { BackupsTab } from './backups-tab'
import { GpodderTab } from './gpodder-tab'
import { NamingTab } from './naming-tab'
import { OpmlTab } from './opml-tab'
import { NewEpisodesTab, PlaybackTab } from './playback-tab'
import { PodcastsTab } from './podcasts-tab'
import { RetentionTab } from './retention-tab'
import './settings.css'

const AppsTab = lazily(async () => (await import('./apps/apps-tab')).AppsTab)
const MoveInTab = lazily(async () => (await import('./move-in/move-in-tab')).MoveInTab)
const NotificationsTab = lazily(async () => (await import('./notifications/notifications-tab')).NotificationsTab)

const tabs: Record<SettingsTab, { icon: LucideIcon; Content: ComponentType }> = {
  playback: { icon: CirclePlay, Content: PlaybackTab },
  'new-episodes': { icon: ListPlus, Content: NewEpisodesTab },
  notifications: { icon: Bell, Content: NotificationsTab },
  apps: { icon: Smartphone, Content: AppsTab },
  'move-in': { icon: FolderInput, Content: MoveInTab },
  retention: { icon: Recycle, Content: RetentionTab },
  opml: { icon: FileDown, Content: OpmlTab },
  naming: { icon: FileType, Content: NamingTab },
  podcasts: { icon: LayoutGrid, Content: PodcastsTab },
  gpodder: { icon: RefreshCw, Content: GpodderTab },
  backups: { icon: DatabaseBackup, Content: BackupsTab },
}

const phone = matchMedia('(width < 768px)')
const followPhone = (follow: () => void) => {
  phone.addEventListener('change', follow)
  return () => phone.removeEventListener('change', follow)
}

/** Settings page: a user's own settings, and those of the server. Null = the index, which only phones have. */
export function SettingsPage({ tab }: { tab: SettingsTab | null }) {
  useSignals()
  const { session, isConnected } = useApp()
  const { t } = useTranslation()
  const isPhone = useSyncExternalStore(followPhone, () => phone.matches)
  const { yours, server } = settingsGroups(session.isAdmin.value, session.mayUpload.value)
  if (tab === null && !isPhone) return <Redirect to={routes.settingsOf(server[0] ?? yours[0]!)} replace />
  const Content = tab && tabs[tab].Content
  const isRefused = tab !== null && ![...yours, ...server].includes(tab)
  return (
    <>
      <PageHeader
        title={tab === null ? t('settings') : tab === 'move-in' ? t('import') : t(`settings-${tab}`)}
        {...(tab && isPhone && { back: { to: routes.settings, label: t('settings') } })}
      />
      <div className="settings stack">
        {!(tab && isPhone) && <SettingsNav current={tab} isIndex={isPhone} />}
        {isRefused && <NotAdmin />}
        {Content && !isRefused && (
          <div className="settings-content">
            {!isConnected.value && (
              <p className="caution" role="status">
                {t('settings-offline')}
              </p>
            )}
            <fieldset className="shrinks" disabled={!isConnected.value}>
              <Content />
            </fieldset>
          </div>
        )}
      </div>
    </>
  )
}

/** Shown in place of settings that only admins see. */
function NotAdmin() {
  const { t } = useTranslation()
  return <Empty action={<Link href={routes.settings}>{t('settings-back')}</Link>}>{t('not-admin')}</Empty>
}

type NavProps = { current: SettingsTab | null; isIndex: boolean }

/** The list of all settings; a line that scrolls sideways if there is no room next to them, cards on phones. */
function SettingsNav({ current, isIndex }: NavProps) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (here) list.current!.scrollLeft = here.offsetLeft - list.current!.offsetLeft - 32
  }, [current])
  const { yours, server } = settingsGroups(session.isAdmin.value, session.mayUpload.value)
  const admin = session.user.value?.admin
  const groupOf = (title: string, names: readonly SettingsTab[]) => (
    <div className={`settings-group ${isIndex ? 'below-28' : ''}`}>
      <h2 className={isIndex ? '' : 'caption flush'}>{title}</h2>
      <div className={isIndex ? 'card lined' : 'settings-list stack'}>
        {names.map(name => (
          <SettingsEntry key={name} name={name} isCurrent={name === current} isIndex={isIndex} />
        ))}
      </div>
    </div>
  )
  return (
    <nav className={isIndex ? 'settings-index' : 'settings-nav sticky'} aria-label={t('settings')} ref={list}>
      {groupOf(t('settings-yours'), yours)}
      {server.length > 0 && groupOf(t('settings-server'), server)}
      {admin && (
        <p className={`settings-admin muted ${isIndex ? '' : 'inset-12'}`}>{t('settings-by-admin', { name: admin })}</p>
      )}
    </nav>
  )
}

function SettingsEntry({ name, isCurrent, isIndex }: { name: SettingsTab; isCurrent: boolean; isIndex: boolean }) {
  const { t } = useTranslation()
  const Icon = tabs[name].icon
  return (
    <Link
      className={`entry ${isIndex ? '' : 'faint strong'}`}
      href={routes.settingsOf(name)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {isIndex && <Icon size={20} strokeWidth={1.75} aria-hidden="true" />}
      <span className="grow">{t(`settings-${name}`)}</span>
      {isIndex && <ChevronRight className="flip" size={20} strokeWidth={1.75} aria-hidden="true" />}
    </Link>
  )
}
