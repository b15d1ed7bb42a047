import type { RefObject } from 'react'
import { PlayerBar } from './bar'
import { useMiniGestures } from './use-mini-gestures'

/** The controls of the player at the foot of the page, and the gestures of its region. */
export function RegionContent({ region }: { region: RefObject<HTMLElement | null> }) {
  useMiniGestures(region)
  return <PlayerBar />
}
