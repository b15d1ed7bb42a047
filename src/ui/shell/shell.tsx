import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearch } from 'wouter'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { PlayerRegion } from '../player/region'
import { routes } from '../routes'
import { createSidebar } from '../state/sidebar'
import { Sidebar } from './sidebar'
import { TopBar } from './top-bar'
import './shell.css'

const SearchOverlay = lazily(async () => (await import('../library/search/search-overlay')).SearchOverlay)
const KeysDialog = lazily(async () => (await import('./keys-dialog')).KeysDialog)

/** The frame around every page: sidebar, top bar, player. */
export function Shell({ children }: { children: ReactNode }) {
  useSignals()
  const { player, places, isConnected, kept, appUpdate, searchOverlay, keysHelp } = useApp()
  const { t } = useTranslation()
  const [sidebar] = useState(() => createSidebar(localStorage, matchMedia('(max-width: 767.98px)')))
  useSingleKeys()
  const [location] = useLocation()
  const search = useSearch()
  useLayoutEffect(() => places.arrive(), [places, location, search])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') sidebar.closeOverlay()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'f') return
      event.preventDefault()
      searchOverlay.toggle()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [sidebar, searchOverlay])

  const liesOver = sidebar.liesOver.value
  return (
    <div className={`shell ${sidebar.isOpen.value ? '' : 'is-collapsed'} ${player.current.value ? 'has-player' : ''}`}>
      <a className="skip-link" href="#content">
        {t('skip-to-content')}
      </a>
      {player.current.value && (
        <a className="skip-link" href="#player">
          {t('skip-to-player')}
        </a>
      )}
      <Sidebar sidebar={sidebar} />
      {sidebar.isOpen.value && (
        <button type="button" className="sidebar-overlay" aria-label={t('close-menu')} onClick={sidebar.closeOverlay} />
      )}
      <TopBar sidebar={sidebar} />
      <main id="content" tabIndex={-1} inert={liesOver}>
        {!isConnected.value && (
          <p className="shell-notice is-caution" role="status">
            {t('connection-lost')}{' '}
            {kept.episodes.value.length > 0 && <Link href={routes.device}>{t('on-this-device')}</Link>}
          </p>
        )}
        {appUpdate.isReady.value && (
          <p className="shell-notice" role="status">
            {t('update-ready')}{' '}
            <button type="button" className="link-button" onClick={appUpdate.apply}>
              {t('update-take')}
            </button>
          </p>
        )}
        {children}
      </main>
      <PlayerRegion />
      {searchOverlay.isOpen.value && <SearchOverlay />}
      {keysHelp.isOpen.value && <KeysDialog onClose={keysHelp.close} />}
    </div>
  )
}

/** Keys of one stroke. Their code is loaded when the page is there: nobody presses one before. */
function useSingleKeys() {
  const { player, playerSheet, singleKeys, searchOverlay, keysHelp } = useApp()
  useEffect(() => {
    let end = () => undefined as void
    let isGone = false
    import('./single-keys').then(
      ({ handleSingleKeys }) => {
        if (!isGone) end = handleSingleKeys({ player, playerSheet, singleKeys, searchOverlay, keysHelp })
      },
      () => undefined,
    )
    return () => {
      isGone = true
      end()
    }
  }, [player, playerSheet, singleKeys, searchOverlay, keysHelp])
}
