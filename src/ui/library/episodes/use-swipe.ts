import { useRef, useState, type PointerEvent } from 'react'

const BEGIN_PX = 12
const ENOUGH_PX = 88
const FURTHEST_PX = 120

type Swipes = { onRight: () => void; onLeft: () => void }

/**
 * A finger that draws something aside. `offset`: by how many pixels, negative to the left; null while nothing is drawn.
 * Up and down stays the page's (`touch-action: pan-y`).
 */
export function useSwipe({ onRight, onLeft }: Swipes) {
  const [offset, setOffset] = useState<number | null>(null)
  const from = useRef<{ x: number; y: number } | null>(null)

  function onPointerMove(event: PointerEvent) {
    if (!from.current) return
    const x = event.clientX - from.current.x
    const y = event.clientY - from.current.y
    if (offset === null && (Math.abs(x) < BEGIN_PX || Math.abs(x) < 2 * Math.abs(y))) return
    if (offset === null) event.currentTarget.setPointerCapture(event.pointerId)
    setOffset(Math.max(-FURTHEST_PX, Math.min(FURTHEST_PX, x)))
  }
  function end() {
    from.current = null
    setOffset(null)
  }
  return {
    offset,
    isEnough: offset !== null && Math.abs(offset) >= ENOUGH_PX,
    handlers: {
      onPointerDown(event: PointerEvent) {
        if (event.pointerType === 'touch' && event.isPrimary) from.current = { x: event.clientX, y: event.clientY }
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
