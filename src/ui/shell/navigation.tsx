import { useSignals } from '@preact/signals-react/runtime'
import {
  ChartColumn,
  Clock,
  Download,
  Ellipsis,
  Heart,
  House,
  LayoutGrid,
  ListChecks,
  ListMusic,
  ListVideo,
  type LucideIcon,
  PanelLeft,
  Search,
  Tags,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useApp } from '../app-context'
import { CastleTurret } from '../components/front-door'
import { IconButton } from '../components/buttons'
import { formatCount } from '../format'
import { PodcastCover } from '../library/covers'
import { routes } from '../routes'
import type { Sidebar as SidebarState } from '../state/shell'
import './navigation.css'

/** The main menu next to the page, from 768 px: with names, or as a rail of icons. */
export function Sidebar({ sidebar }: { sidebar: SidebarState }) {
  useSignals()
  const { downloads } = useApp()
  const { t } = useTranslation()
  const isWhole = sidebar.isOpen.value
  const active = downloads.activeCount.value
  return (
    <aside className={`sidebar sticky sunken ${isWhole ? '' : 'is-rail'}`}>
      <div className="brand below-8 row spread">
        <Link className="row gap-10 ink text-l strong undecorated" href={routes.home}>
          <CastleTurret />
          <span className="rail-hides">Castellan</span>
        </Link>
        <IconButton icon={PanelLeft} label={t('toggle-menu')} aria-expanded={isWhole} onClick={sidebar.toggle} />
      </div>
      <nav aria-label={t('main-menu')}>
        <ul>
          {mainEntries.map(entry => (
            <SidebarEntry key={entry.key} entry={entry} />
          ))}
        </ul>
        <h2 className="sidebar-heading caption rail-hides">{t('library')}</h2>
        <ul>
          {libraryEntries.map(entry => (
            <SidebarEntry key={entry.key} entry={entry} count={entry.to === routes.downloads ? active : 0} />
          ))}
        </ul>
        {isWhole && <Pinned />}
      </nav>
    </aside>
  )
}

function SidebarEntry({ entry, count = 0 }: { entry: Entry; count?: number }) {
  const { t } = useTranslation()
  const [location] = useLocation()
  const { to, key, icon: Icon } = entry
  const name = t(key)
  return (
    <li>
      <Link
        className="entry strong faint"
        href={to}
        title={name}
        aria-current={isWithin(location, entry) ? 'page' : undefined}
      >
        <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
        <span className="entry-name grow truncate">{name}</span>
        {count > 0 && <span className="count count-badge ink numbers">{formatCount(count)}</span>}
      </Link>
    </li>
  )
}

/** Favourites with the number of their new episodes. */
function Pinned() {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const pinned = library.pinned.value
  if (pinned.length === 0) return null
  return (
    <div className="sidebar-pinned">
      <h2 className="sidebar-heading caption">{t('pinned')}</h2>
      <ul>
        {pinned.map(podcast => (
          <li key={podcast.id}>
            <Link className="entry ink text-s" href={routes.favoriteEpisodes(podcast.id)}>
              <PodcastCover podcast={podcast} size={64} />
              <span className="entry-name grow truncate" dir="auto">
                {podcast.name}
              </span>
              {podcast.new_count > 0 && (
                <span className="count count-badge ink numbers">{formatCount(podcast.new_count)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

export type Entry = { to: string; under: string; key: string; icon: LucideIcon }

/** The main entries, in the specified order. */
export const mainEntries: readonly Entry[] = [
  { to: routes.home, under: '/home', key: 'home', icon: House },
  { to: routes.podcasts, under: '/podcasts', key: 'all-subscriptions', icon: LayoutGrid },
  { to: routes.favorites, under: '/favorites', key: 'favorites', icon: Heart },
  { to: routes.timeline, under: '/timeline', key: 'timeline', icon: Clock },
  { to: routes.tags, under: '/tags', key: 'tags', icon: Tags },
]

export const searchEntry: Entry = { to: routes.search, under: routes.search, key: 'episode-search', icon: Search }

/** The places of what people own. */
export const libraryEntries: readonly Entry[] = [
  { to: routes.yours('liked'), under: '/episodes', key: 'your-episodes', icon: ListChecks },
  { to: routes.playlists, under: routes.playlists, key: 'playlists', icon: ListVideo },
  { to: routes.downloads, under: routes.downloads, key: 'downloads', icon: Download },
]

export const statisticsEntry: Entry = {
  to: routes.statistics,
  under: routes.statistics,
  key: 'statistics',
  icon: ChartColumn,
}

/** Returns whether a page belongs to an entry. Some addresses are below those of other entries. */
export function isWithin(location: string, { under }: Entry): boolean {
  if (location === under) return true
  const isElsewhere = location === routes.search || location.startsWith(routes.playlists)
  return location.startsWith(`${under}/`) && (!isElsewhere || under === routes.playlists)
}

/** Decides which account entries the signed-in user has. */
export function useAccountPlaces() {
  useSignals()
  const { session } = useApp()
  const { basicAuth, oidcConfigured } = session.config.value!
  const signsIn = basicAuth || oidcConfigured
  return {
    maySettings: session.isAdmin.value || !(basicAuth && oidcConfigured),
    // For everybody else, the page says that they are not admins. Without accounts there is nobody to administer.
    mayAdminister: signsIn || (session.isAdmin.value && !session.isOpen.value),
    signsIn,
  }
}

const places: readonly { to: string; key: string; icon: LucideIcon; isHere: (location: string) => boolean }[] = [
  { to: routes.home, key: 'home', icon: House, isHere: location => location === routes.home },
  {
    to: routes.podcasts,
    key: 'podcasts',
    icon: LayoutGrid,
    isHere: location => /^\/(podcasts|favorites)\b/.test(location) && location !== routes.search,
  },
  { to: routes.search, key: 'search', icon: Search, isHere: location => location === routes.search },
]

/** The navigation at the bottom of phones. Pressing the current place scrolls it to its top. */
export function PhoneNavigation({ sidebar }: { sidebar: SidebarState }) {
  useSignals()
  const { queue, queuePanel } = useApp()
  const { t } = useTranslation()
  const [location] = useLocation()
  const queued = queue.items.value.length
  const isElsewhere = !places.some(({ isHere }) => isHere(location))
  return (
    <nav
      className={`phone-navigation fixed stack ${useKeyboardOnScreen() ? 'is-crowded' : ''}`}
      aria-label={t('places')}
    >
      {places.map(({ to, key, icon, isHere }) => (
        <Link
          key={key}
          className="relative stack shrinks faint strong undecorated"
          href={to}
          aria-current={isHere(location) ? 'page' : undefined}
          onClick={event => {
            if (location !== to) return
            event.preventDefault()
            scrollTo({ top: 0, behavior: 'smooth' })
          }}
        >
          <Label icon={icon} text={t(key)} />
        </Link>
      ))}
      <button
        type="button"
        className="plain relative stack shrinks faint strong"
        aria-haspopup="dialog"
        onClick={queuePanel.toggle}
      >
        <Label icon={ListMusic} text={t('queue')} count={queued} />
      </button>
      <button
        type="button"
        className="plain relative stack shrinks faint strong"
        aria-haspopup="dialog"
        aria-expanded={sidebar.isOpen.value}
        aria-current={isElsewhere ? 'true' : undefined}
        onClick={sidebar.toggle}
      >
        <Label icon={Ellipsis} text={t('more')} />
      </button>
    </nav>
  )
}

function Label({ icon: Icon, text, count = 0 }: { icon: LucideIcon; text: string; count?: number }) {
  return (
    <>
      <Icon size={22} strokeWidth={1.75} aria-hidden="true" />
      <span className="truncate fits">{text}</span>
      {count > 0 && <span className="badge absolute numbers">{formatCount(count)}</span>}
    </>
  )
}

/**
 * Returns whether a keyboard covers part of the screen: then the visible part of the page is much lower than its
 * layout.
 */
function useKeyboardOnScreen() {
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    const { visualViewport } = window
    if (!visualViewport) return
    const measure = () => setThere(visualViewport.height * visualViewport.scale < innerHeight * 0.75)
    visualViewport.addEventListener('resize', measure)
    return () => visualViewport.removeEventListener('resize', measure)
  }, [])
  return isThere
}
