import { useSignals } from '@preact/signals-react/runtime'
import { CastleTurret } from '../components/castle-turret'
import { Clock, Heart, House, LayoutGrid, Search, Tags, type LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { lazily } from '../components/lazily'
import { routes } from '../routes'
import type { createSidebar } from '../state/sidebar'

const AppearanceFields = lazily(async () => (await import('./appearance-fields')).AppearanceFields)

const entries: readonly { to: string; under: string; key: string; icon: LucideIcon; onPhonesOnly?: boolean }[] = [
  { to: routes.home, under: '/home', key: 'home', icon: House },
  { to: routes.podcasts, under: '/podcasts', key: 'all-subscriptions', icon: LayoutGrid },
  { to: routes.favorites, under: '/favorites', key: 'favorites', icon: Heart },
  { to: routes.timeline, under: '/timeline', key: 'timeline', icon: Clock },
  { to: routes.tags, under: '/tags', key: 'tags', icon: Tags },
  { to: routes.search, under: routes.search, key: 'search', icon: Search, onPhonesOnly: true },
]

/** Tells whether a page belongs to an entry. Search does not belong to the podcasts, although its address does. */
const isWithin = (location: string, under: string) =>
  location === under || (location.startsWith(`${under}/`) && location !== routes.search)

export function Sidebar({ sidebar }: { sidebar: ReturnType<typeof createSidebar> }) {
  useSignals()
  const { t } = useTranslation()
  const [location] = useLocation()
  const menu = useRef<HTMLElement>(null)
  const liesOver = sidebar.liesOver.value
  useEffect(() => {
    if (!liesOver) return
    const before = document.activeElement as HTMLElement | null
    menu.current?.querySelector('a')?.focus()
    return () => before?.focus()
  }, [liesOver])
  return (
    <aside className="sidebar" ref={menu} inert={!sidebar.isOpen.value}>
      <Link className="brand" href={routes.home} onClick={sidebar.closeOverlay}>
        <CastleTurret />
        Castellan
      </Link>
      <nav aria-label={t('main-menu')}>
        <ul>
          {entries.map(({ to, under, key, icon: Icon, onPhonesOnly }) => (
            <li key={key} className={onPhonesOnly ? 'on-phones-only' : ''}>
              <Link
                href={to}
                aria-current={isWithin(location, under) ? 'page' : undefined}
                onClick={sidebar.closeOverlay}
              >
                <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
                {t(key)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {sidebar.isNarrow.value && <AppearanceFields />}
    </aside>
  )
}
