import { useSignals } from '@preact/signals-react/runtime'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { CastleTurret } from '../../components/front-door'
import { useTitle } from '../../components/page-header'
import { PlayerRegion } from '../../player/regions'
import { KeptList } from '../../library/kept/kept-list'
import './offline.css'

const RETRY_MS = 5000

/** The page while the server can't be reached: kept episodes play, and the interface returns automatically. */
export function OfflinePage() {
  useSignals()
  const { session, kept, player } = useApp()
  const { t } = useTranslation()
  useTitle(t('offline'))
  useEffect(() => {
    const again = () => void session.start()
    addEventListener('online', again)
    const timer = setInterval(again, RETRY_MS)
    return () => {
      removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [session])
  return (
    <div className={`shell stack offline ${player.current.value ? 'has-player' : ''}`}>
      <main id="content" tabIndex={-1}>
        <p className="front-door-brand text-l strong row gap-10">
          <CastleTurret />
          Castellan
        </p>
        <h1>{t('offline')}</h1>
        <p role="status">{t(kept.episodes.value.length > 0 ? 'offline-with-episodes' : 'offline-without-episodes')}</p>
        <KeptList />
        <button type="button" className="secondary" onClick={() => void session.start()}>
          {t('try-again')}
        </button>
      </main>
      <PlayerRegion />
    </div>
  )
}
