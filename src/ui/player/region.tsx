import { useSignals } from '@preact/signals-react/runtime'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import './region.css'

const ShownRegion = lazily(async () => (await import('./shown-region')).ShownRegion)

/** The place of the player at the foot of every page; absent until something was played. */
export function PlayerRegion() {
  useSignals()
  const playing = useApp().player.current.value
  return playing && <ShownRegion playing={playing} />
}
