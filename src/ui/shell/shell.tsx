import { useSignals } from '@preact/signals-react/runtime'
import { useLayoutEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { pageLayers } from '../device/layers'
import { AddAnywhere } from '../library/podcasts/add-anywhere'
import { QueueRegion } from '../player/queue-region'
import { PlayerRegion } from '../player/region'
import { createSidebar } from '../state/sidebar'
import { PhoneNavigation } from './phone-navigation'
import { ShellNotices } from './shell-notices'
import { Sidebar } from './sidebar'
import { TopBar, TopBarBelow } from './top-bar'
import { useShellKeys, useSingleKeys } from './use-shell-keys'
import './shell.css'

const SearchOverlay = lazily(async () => (await import('../library/search/search-overlay')).SearchOverlay)
const AddPodcastDialog = lazily(async () => (await import('../library/podcasts/add-podcast-dialog')).AddPodcastDialog)
const KeysDialog = lazily(async () => (await import('./keys-dialog')).KeysDialog)
const PullToRefresh = lazily(async () => (await import('./pull-to-refresh')).PullToRefresh)
const MoreSheet = lazily(async () => (await import('./more-sheet')).MoreSheet)

/** The frame around every page: the menu, the bar above the page, the player. */
export function Shell({ children }: { children: ReactNode }) {
  useSignals()
  const { player, places, searchOverlay, addPodcast, keysHelp, queuePanel } = useApp()
  const { t } = useTranslation()
  const [sidebar] = useState(() => createSidebar(localStorage, query => matchMedia(query)))
  useShellKeys()
  useSingleKeys()
  const [location] = useLocation()
  const search = useSearch()
  useLayoutEffect(() => places.arrive(), [places, location, search])
  // What lay over one page does not belong to the next.
  useLayoutEffect(() => pageLayers().closeAll(), [location])

  const adding = addPodcast.opening.value
  const hasPlayer = player.current.value !== null
  const isNarrow = sidebar.isNarrow.value
  return (
    <div className={`shell ${sidebar.isOpen.value ? '' : 'has-rail'} ${hasPlayer ? 'has-player' : ''}`}>
      <a className="skip-link" href="#content">
        {t('skip-to-content')}
      </a>
      {hasPlayer && (
        <a className="skip-link" href="#player">
          {t('skip-to-player')}
        </a>
      )}
      {queuePanel.isDocked.value && (
        <a className="skip-link" href="#queue">
          {t('skip-to-queue')}
        </a>
      )}
      {!isNarrow && <Sidebar sidebar={sidebar} />}
      <div className="shell-page">
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
