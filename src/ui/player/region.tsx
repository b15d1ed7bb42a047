import { useSignals } from '@preact/signals-react/runtime'
import { useRef } from 'react'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { useTranslation } from '../i18n'
import type { Playing } from './state'
import { useTint } from './tint'
import { useMiniGestures } from './use-mini-gestures'
import './region.css'

const PlayerBar = lazily(async () => (await import('./bar')).PlayerBar)

/** The place of the player at the foot of every page; absent until something was played. */
export function PlayerRegion() {
  useSignals()
  const { player } = useApp()
  const playing = player.current.value
  return playing && <Region playing={playing} />
}

function Region({ playing }: { playing: Playing }) {
  const { t } = useTranslation()
  const region = useRef<HTMLElement>(null)
  useMiniGestures(region)
  return (
    <section
      className="player tinted"
      style={useTint(playing)}
      id="player"
      ref={region}
      tabIndex={-1}
      aria-label={t('player')}
    >
      <PlayerBar />
    </section>
  )
}
