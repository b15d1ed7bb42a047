import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'

const PlayerBar = lazily(async () => (await import('./bar')).PlayerBar)

/** The place of the player at the foot of every page; absent until something was played. */
export function PlayerRegion() {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  if (!player.current.value) return null
  return (
    <section className="player" id="player" tabIndex={-1} aria-label={t('player')}>
      <PlayerBar />
    </section>
  )
}
