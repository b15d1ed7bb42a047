import { useSignals } from '@preact/signals-react/runtime'
import { CloudAlert, Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../app-context'
import { topBarSlots } from '../components/page-header'
import { QueueOpener } from '../player/queue-region'
import { routes } from '../routes'
import { Bell } from './bell'
import { UserMenu } from './user-menu'
import './top-bar.css'

/** The bar above the page: its title and sub-pages, the search, its action, notifications and the account. */
export function TopBar() {
  const { searchOverlay } = useApp()
  const { t } = useTranslation()
  return (
    <header className="top-bar">
      <div
        className="top-bar-slot"
        ref={element => {
          topBarSlots.start.value = element
        }}
      />
      <span className="top-bar-space" />
      <button type="button" className="top-bar-search" aria-keyshortcuts="/ Control+F" onClick={searchOverlay.open}>
        <Search size={18} strokeWidth={1.75} aria-hidden="true" />
        <span>{t('search-everything')}</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      <div
        className="top-bar-slot"
        ref={element => {
          topBarSlots.end.value = element
        }}
      />
      <QueueOpener />
      <FailureSign />
      <Bell />
      <UserMenu />
    </header>
  )
}

/** The place below the bar of phones for the sub-pages of a page. */
export const TopBarBelow = () => (
  <div
    className="top-bar-below"
    ref={element => {
      topBarSlots.below.value = element
    }}
  />
)

/** Leads to the downloads while some of them failed. */
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
