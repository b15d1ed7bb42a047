import { useSignals } from '@preact/signals-react/runtime'
import { Download, ListMusic, Menu as MenuIcon, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { routes } from '../routes'
import type { createSidebar } from '../state/sidebar'
import { IconButton } from '../components/icon-button'
import { LanguageMenu, ThemeMenu } from './appearance'
import { Bell } from './bell'
import { UserMenu } from './user-menu'

const QueueDialog = lazily(async () => (await import('../player/queue-list')).QueueDialog)

export function TopBar({ sidebar }: { sidebar: ReturnType<typeof createSidebar> }) {
  useSignals()
  const { downloads, searchOverlay, player, queue } = useApp()
  const { t } = useTranslation()
  const active = downloads.activeCount.value
  const queued = queue.items.value.length
  const [isQueueOpen, setQueueOpen] = useState(false)
  return (
    <header className="top-bar" inert={sidebar.liesOver.value}>
      <IconButton
        icon={MenuIcon}
        label={t('toggle-menu')}
        aria-expanded={sidebar.isOpen.value}
        onClick={sidebar.toggle}
      />
      <span className="top-bar-space" />
      <IconButton
        icon={Search}
        label={t('search')}
        aria-keyshortcuts="Control+F"
        className="top-bar-search"
        onClick={searchOverlay.open}
      />
      {/* Once something plays, the player shows the queue. */}
      {!player.current.value && queued > 0 && (
        <IconButton icon={ListMusic} label={t('up-next')} badge={queued} onClick={() => setQueueOpen(true)} />
      )}
      <Link
        className="icon-button"
        href={routes.downloads}
        aria-label={t('downloads-active', { count: active })}
        title={t('downloads')}
      >
        <Download size={20} strokeWidth={1.75} aria-hidden="true" />
        {active > 0 && <span className="badge numbers">{active}</span>}
      </Link>
      <span className="top-bar-appearance">
        <ThemeMenu />
        <LanguageMenu />
      </span>
      <Bell />
      <UserMenu />
      {isQueueOpen && <QueueDialog onClose={() => setQueueOpen(false)} />}
    </header>
  )
}
