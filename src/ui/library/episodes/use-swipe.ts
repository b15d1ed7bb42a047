import { type PointerEvent, type SyntheticEvent, type TransitionEvent, useRef, useState } from 'react'

const START_PX = 12
const ENOUGH_PX = 72
const LIMIT_PX = 128
/** Wider rows have their tools in sight. */
const MAX_WIDTH = 640

type Needs = {
  /** Towards the end of the line: to the right, in a page that reads to the right. */
  onForward?: () => void
  onBack: () => void
}
export type SwipeState = { side: 'forward' | 'back'; isEnough: boolean }
type Touch = { x: number; y: number; sign: 1 | -1; mayMove: boolean }

/**
 * Follows a finger that moves an element sideways. `state`: the side that the hint below the element is for, null while
 * nothing is moved. Vertical movement stays with the page (`touch-action: pan-y`).
 */
export function useSwipe({ onForward, onBack }: Needs) {
  const [state, setState] = useState<SwipeState | null>(null)
  const touch = useRef<Touch | null>(null)
  /** True once the finger has moved: its release is no click. */
  const isSpent = useRef(false)

  function onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y, currentTarget }: PointerEvent<HTMLElement>) {
    isSpent.current = false
    if (pointerType !== 'touch' || !isPrimary) return
    const sign = getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1
    touch.current = { x, y, sign, mayMove: currentTarget.offsetWidth < MAX_WIDTH }
  }
  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (!touch.current) return
    const { x, y, sign, mayMove } = touch.current
    const [across, along] = [event.clientX - x, event.clientY - y]
    if (!mayMove) return
    if (!state && (Math.abs(across) < START_PX || Math.abs(across) < 2 * Math.abs(along))) return
    if (!state) event.currentTarget.setPointerCapture(event.pointerId)
    const side = across * sign > 0 ? 'forward' : 'back'
    if (side === 'forward' && !onForward) return
    isSpent.current = true
    // Drawn past React: a finger moves more often than a row should be drawn again.
    Object.assign(event.currentTarget.style, { translate: `${clamp(across)}px`, transition: 'none' })
    show({ side, isEnough: Math.abs(across) >= ENOUGH_PX })
  }
  function show(next: SwipeState) {
    if (next.side === state?.side && next.isEnough === state.isEnough) return
    if (next.isEnough) buzz()
    setState(next)
  }
  function end({ currentTarget }: PointerEvent<HTMLElement>) {
    touch.current = null
    Object.assign(currentTarget.style, { translate: '', transition: '' })
    if (!parseFloat(getComputedStyle(currentTarget).transitionDuration)) setState(null)
  }
  function onPointerUp(event: PointerEvent<HTMLElement>) {
    if (touch.current && state?.isEnough) (state.side === 'forward' ? onForward : onBack)?.()
    end(event)
  }
  return {
    state,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: end,
      // The hint below the row stays in sight until the row has slid back over it.
      onTransitionEnd(event: TransitionEvent) {
        if (event.propertyName === 'translate' && !touch.current) setState(null)
      },
      onClickCapture(event: SyntheticEvent) {
        if (isSpent.current) event.stopPropagation()
        isSpent.current = false
      },
    },
  }
}

const clamp = (px: number) => Math.max(-LIMIT_PX, Math.min(LIMIT_PX, px))

/** Answers a finger with a short vibration, on devices that have one. */
export const buzz = () => void navigator.vibrate?.(10)
