import { useRef, useState, type PointerEvent } from 'react'

const START_PX = 12
const ENOUGH_PX = 88
const LIMIT_PX = 120

type Needs = { onRight: () => void; onLeft: () => void }
export type Swipe = ReturnType<typeof useSwipe>

/**
 * Follows a finger that swipes an element sideways. `offset`: pixels so far, negative to the left; null while nothing
 * is swiped. Vertical movement stays with the page (`touch-action: pan-y`).
 */
export function useSwipe({ onRight, onLeft }: Needs) {
  const [offset, setOffset] = useState<number | null>(null)
  const start = useRef<{ x: number; y: number } | null>(null)

  function onPointerMove(event: PointerEvent) {
    if (!start.current) return
    const x = event.clientX - start.current.x
    const y = event.clientY - start.current.y
    if (offset === null && (Math.abs(x) < START_PX || Math.abs(x) < 2 * Math.abs(y))) return
    if (offset === null) event.currentTarget.setPointerCapture(event.pointerId)
    setOffset(Math.max(-LIMIT_PX, Math.min(LIMIT_PX, x)))
  }
  function end() {
    start.current = null
    setOffset(null)
  }
  return {
    offset,
    isEnough: offset !== null && Math.abs(offset) >= ENOUGH_PX,
    handlers: {
      onPointerDown(event: PointerEvent) {
        if (event.pointerType === 'touch' && event.isPrimary) start.current = { x: event.clientX, y: event.clientY }
      },
      onPointerMove,
      onPointerUp() {
        if (offset !== null && offset >= ENOUGH_PX) onRight()
        if (offset !== null && offset <= -ENOUGH_PX) onLeft()
        end()
      },
      onPointerCancel: end,
    },
  }
}
