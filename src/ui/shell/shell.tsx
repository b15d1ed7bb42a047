import { useSignals } from '@preact/signals-react/runtime'
import {
  Bell as BellIcon,
  ChartColumn,
  CircleUserRound,
  CloudAlert,
  Globe,
  Info,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Search,
  Settings as SettingsIcon,
  ShieldCheck,
  Sun,
  UserRound,
} from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearch } from 'wouter'
import { useApp } from '../app-context'
import { IconButton } from '../components/buttons'
import { lazily } from '../components/lazily'
import { Menu, type MenuItem, useDismiss } from '../components/menu'
import { topBarSlots } from '../components/page-header'
import { pageLayers } from '../device/layers'
import { formatMoment } from '../format'
import { PlayerRegion, QueueOpener, QueueRegion } from '../player/regions'
import { routes } from '../routes'
import { type Theme, themes } from '../state/preferences'
import { createSidebar } from '../state/shell'
import { PhoneNavigation, Sidebar, useAccountPlaces } from './navigation'
import './shell.css'
import './navigation.css'

const SearchOverlay = lazily(async () => (await import('../library/search/search-overlay')).SearchOverlay)
const AddPodcastDialog = lazily(async () => (await import('../library/podcasts/add-podcast-dialog')).AddPodcastDialog)
const AddAnywhere = lazily(async () => (await import('../library/podcasts/add-anywhere')).AddAnywhere)
const KeysDialog = lazily(async () => (await import('./dialogs')).KeysDialog)
const DiskNotice = lazily(async () => (await import('./dialogs')).DiskNotice)
const PullToRefresh = lazily(async () => (await import('./pull-to-refresh')).PullToRefresh)
const MoreSheet = lazily(async () => (await import('./more-sheet')).MoreSheet)

/** The frame around every page: the menu, the bar above the page, the player. */
export function Shell({ children }: { children: ReactNode }) {
  useSignals()
  const { player, sample, places, searchOverlay, addPodcast, keysHelp, queuePanel } = useApp()
  const { t } = useTranslation()
  const [sidebar] = useState(() => createSidebar(localStorage, query => matchMedia(query)))
  useShellKeys()
  useShortcuts()
  const [location] = useLocation()
  const search = useSearch()
  useLayoutEffect(() => places.arrive(), [places, location, search])
  // Layers over one page do not belong to the next.
  useLayoutEffect(() => pageLayers().closeAll(), [location])

  const adding = addPodcast.opening.value
  const hasPlayer = Boolean(player.current.value ?? sample.value)
  const isNarrow = sidebar.isNarrow.value
  return (
    <div className={`shell stack ${sidebar.isOpen.value ? '' : 'has-rail'} ${hasPlayer ? 'has-player' : ''}`}>
      <a className="skip-link fixed solid rounded" href="#content">
        {t('skip-to-content')}
      </a>
      {hasPlayer && (
        <a className="skip-link fixed solid rounded" href="#player">
          {t('skip-to-player')}
        </a>
      )}
      {queuePanel.isDocked.value && (
        <a className="skip-link fixed solid rounded" href="#queue">
          {t('skip-to-queue')}
        </a>
      )}
      {!isNarrow && <Sidebar sidebar={sidebar} />}
      <div className="shell-page shrinks">
        <TopBar />
        {isNarrow && <TopBarBelow />}
        <main id="content" tabIndex={-1}>
          <ShellNotices />
          {children}
        </main>
      </div>
      <QueueRegion />
      <PlayerRegion />
      {isNarrow && <PhoneNavigation sidebar={sidebar} />}
      {isNarrow && <PullToRefresh />}
      {sidebar.liesOver.value && <MoreSheet sidebar={sidebar} />}
      {searchOverlay.isOpen.value && <SearchOverlay />}
      <AddAnywhere />
      {adding && <AddPodcastDialog key={adding.id} opening={adding} />}
      {keysHelp.isOpen.value && <KeysDialog onClose={keysHelp.close} />}
    </div>
  )
}

/** Handles the keys of the whole page: Ctrl+F and Ctrl+K open and close the search. */
function useShellKeys() {
  const { searchOverlay } = useApp()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (!['f', 'k'].includes(event.key.toLowerCase())) return
      event.preventDefault()
      searchOverlay.toggle()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [searchOverlay])
}

/** Handles single-key shortcuts and long presses. Their code is loaded after the page: nobody uses one before. */
function useShortcuts() {
  const app = useApp()
  const [, go] = useLocation()
  useEffect(() => {
    let end = () => undefined as void
    let isGone = false
    import('./single-keys').then(
      ({ handleSingleKeys, noteVisit, followLongPresses, tellCutText }) => {
        noteVisit(localStorage)
        if (isGone) return
        const ends = [
          handleSingleKeys({ ...app, go: path => go(path) }),
          followLongPresses(document),
          tellCutText(document),
        ]
        end = () => ends.forEach(one => one())
      },
      () => undefined,
    )
    return () => {
      isGone = true
      end()
    }
  }, [app, go])
}

/** Says above the page that the server can't be reached, its disk is full, or an update is ready. */
export function ShellNotices() {
  useSignals()
  const { isConnected, answers, kept, appUpdate, room } = useApp()
  const { t } = useTranslation()
  const since = answers.isOffline.value ? answers.since() : null
  return (
    <>
      {(!isConnected.value || since !== null) && (
        <p className="shell-notice sticky caution rounded sunken" role="status">
          {since === null ? t('connection-lost') : t('offline-since', { when: formatMoment(since) })}{' '}
          {kept.episodes.value.length > 0 && <Link href={routes.device}>{t('on-this-device')}</Link>}
        </p>
      )}
      {room.shortage.value && <DiskNotice />}
      {appUpdate.isReady.value && (
        <p className="shell-notice sticky ink rounded sunken" role="status">
          {t('update-ready')}{' '}
          <button type="button" className="link-button plain accent" onClick={appUpdate.apply}>
            {t('update-take')}
          </button>
        </p>
      )}
    </>
  )
}

/** The bar above the page: its title and sub-pages, the search, its action, notifications and the account. */
function TopBar() {
  const { searchOverlay } = useApp()
  const { t } = useTranslation()
  return (
    <header className="top-bar sticky row gap-12">
      <div className="top-bar-slot" ref={element => void (topBarSlots.start.value = element)} />
      <span className="top-bar-space grow" />
      <button
        type="button"
        className="top-bar-search muted regular shaded start gap-10 row"
        aria-keyshortcuts="/ Control+F"
        onClick={searchOverlay.open}
      >
        <Search size={18} strokeWidth={1.75} aria-hidden="true" />
        <span className="grow truncate">{t('search-everything')}</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      <div className="top-bar-slot" ref={element => void (topBarSlots.end.value = element)} />
      <QueueOpener />
      <FailureSign />
      <Bell />
      <UserMenu />
    </header>
  )
}

/** The place below the bar of phones for the sub-pages of a page. */
const TopBarBelow = () => <div className="top-bar-below" ref={element => void (topBarSlots.below.value = element)} />

/** A link to the downloads while some of them have failed. */
function FailureSign() {
  useSignals()
  const { downloads, session } = useApp()
  const { t } = useTranslation()
  const count = downloads.failedCount.value
  if (count === 0 || !session.mayUpload.value) return null
  const label = t('downloads-failed', { count })
  return (
    <Link className="icon-button failure-sign" href={routes.downloads} aria-label={label} title={label}>
      <CloudAlert size={20} strokeWidth={1.75} aria-hidden="true" />
    </Link>
  )
}

const BellList = lazily(async () => (await import('./bell-list')).BellList)

/** Opens the notifications. A dot shows that there are some. */
function Bell() {
  useSignals()
  const { notifications } = useApp()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const close = useCallback(() => setOpen(false), [])
  const count = notifications.all.value.length
  useDismiss(root, isOpen, close)
  return (
    <div className="bell anchor" ref={root}>
      <IconButton
        icon={BellIcon}
        label={t('notifications-count', { count })}
        aria-expanded={isOpen}
        aria-controls="notifications"
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 && <span className="bell-dot disc absolute" />}
      </IconButton>
      {isOpen && <BellList onChosen={close} />}
    </div>
  )
}

const LanguageDialog = lazily(async () => (await import('./dialogs')).LanguageDialog)

const themeIcons = { system: Monitor, light: Sun, dark: Moon } satisfies Record<Theme, unknown>

/** The menu of the signed-in user, with the theme and the language of this browser. */
function UserMenu() {
  useSignals()
  const { prefix, session, failed, keysHelp, theme } = useApp()
  const { t } = useTranslation()
  const { maySettings, mayAdminister, signsIn } = useAccountPlaces()
  const [isChoosing, setChoosing] = useState(false)
  const items: (MenuItem | false)[] = [
    { icon: ChartColumn, label: t('system-info'), to: routes.info },
    { icon: UserRound, label: t('profile'), to: routes.profile },
    maySettings && { icon: SettingsIcon, label: t('settings'), to: routes.settings },
    mayAdminister && { icon: ShieldCheck, label: t('administration'), to: routes.users },
    ...themes.map((name, index): MenuItem => ({
      ...(index === 0 && { group: t('theme') }),
      icon: themeIcons[name],
      label: t(`theme-${name}`),
      isChecked: theme.theme.value === name,
      onSelect: () => theme.choose(name),
    })),
    { group: '', icon: Globe, label: t('language'), onSelect: () => setChoosing(true) },
    { icon: Keyboard, label: t('keys'), onSelect: keysHelp.open },
    { icon: Info, label: t('help'), href: `${prefix}/help/` },
    signsIn && { icon: LogOut, label: t('log-out'), onSelect: () => void session.logOut().catch(failed) },
  ]
  return (
    <>
      <Menu
        icon={CircleUserRound}
        label={t('account')}
        text={session.user.value?.username}
        heading={session.user.value?.username}
        items={items.filter(item => item !== false)}
      />
      {isChoosing && <LanguageDialog onClose={() => setChoosing(false)} />}
    </>
  )
}
