import { useSignals } from '@preact/signals-react/runtime'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import type { Playing } from '../playback/state'
import { useTint } from './tint'
import './bar.css'

const RegionContent = lazily(async () => (await import('./bar')).RegionContent)

/** The place of the player at the bottom of every page; absent until something was played. */
export function PlayerRegion() {
  useSignals()
  const playing = useApp().player.current.value
  return playing && <Region playing={playing} />
}

/** The player's landmark, which the skip link leads to while the controls in it are still loading. */
function Region({ playing }: { playing: Playing }) {
  const { t } = useTranslation()
  const region = useRef<HTMLElement>(null)
  return (
    <section
      className="player tinted"
      style={useTint(playing)}
      id="player"
      ref={region}
      tabIndex={-1}
      aria-label={t('player')}
    >
      <RegionContent region={region} />
    </section>
  )
}
