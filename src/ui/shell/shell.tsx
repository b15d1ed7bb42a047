import { useSignals } from '@preact/signals-react/runtime'
import { useLayoutEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { PlayerRegion } from '../player/region'
import { createSidebar } from '../state/sidebar'
import { ShellNotices } from './shell-notices'
import { Sidebar } from './sidebar'
import { TopBar } from './top-bar'
import { useShellKeys, useSingleKeys } from './use-shell-keys'
import './shell.css'

const SearchOverlay = lazily(async () => (await import('../library/search/search-overlay')).SearchOverlay)
const KeysDialog = lazily(async () => (await import('./keys-dialog')).KeysDialog)

/** The frame around every page: sidebar, top bar, player. */
export function Shell({ children }: { children: ReactNode }) {
  useSignals()
  const { player, places, searchOverlay, keysHelp } = useApp()
  const { t } = useTranslation()
  const [sidebar] = useState(() => createSidebar(localStorage, matchMedia('(max-width: 767.98px)')))
  useShellKeys(sidebar)
  useSingleKeys()
  const [location] = useLocation()
  const search = useSearch()
  useLayoutEffect(() => places.arrive(), [places, location, search])

  const hasPlayer = player.current.value !== null
  return (
    <div className={`shell ${sidebar.isOpen.value ? '' : 'is-collapsed'} ${hasPlayer ? 'has-player' : ''}`}>
      <a className="skip-link" href="#content">
        {t('skip-to-content')}
      </a>
      {hasPlayer && (
        <a className="skip-link" href="#player">
          {t('skip-to-player')}
        </a>
      )}
      <Sidebar sidebar={sidebar} />
      {sidebar.isOpen.value && (
        <button type="button" className="sidebar-overlay" aria-label={t('close-menu')} onClick={sidebar.closeOverlay} />
      )}
      <TopBar sidebar={sidebar} />
      <main id="content" tabIndex={-1} inert={sidebar.liesOver.value}>
        <ShellNotices />
        {children}
      </main>
      <PlayerRegion />
      {searchOverlay.isOpen.value && <SearchOverlay />}
      {keysHelp.isOpen.value && <KeysDialog onClose={keysHelp.close} />}
    </div>
  )
}
