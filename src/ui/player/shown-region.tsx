import { useRef } from 'react'
import { useTranslation } from '../i18n'
import { PlayerBar } from './bar'
import type { Playing } from './state'
import { useTint } from './tint'
import { useMiniGestures } from './use-mini-gestures'

/** The player at the foot of the page, with something in it. */
export function ShownRegion({ playing }: { playing: Playing }) {
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
