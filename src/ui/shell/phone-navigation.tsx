import { useSignals } from '@preact/signals-react/runtime'
import { Ellipsis, House, LayoutGrid, ListMusic, Search, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useApp } from '../app-context'
import { routes } from '../routes'
import type { Sidebar } from '../state/shell'
import './navigation.css'
import { formatCount } from '../format'

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
export function PhoneNavigation({ sidebar }: { sidebar: Sidebar }) {
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
