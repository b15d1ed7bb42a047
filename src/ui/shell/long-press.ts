import { buzz } from '../library/episodes/use-swipe'

const PRESS_MS = 500
const SLACK_PX = 10

/** Elements whose menu opens when a finger rests on them, and those within them that keep their own use. */
const holders = '.episode-head, .podcast-tile, .playlist-tile'
const ownUse = 'button:not(.episode-open), input, .menu'

type Press = { x: number; y: number; pointerId: number; button: HTMLElement; cancel: () => void }

/** Calls `run` after the time of a long press; returns a function that prevents it. */
type Rest = (run: () => void) => () => void
function rest(run: () => void) {
  const timer = setTimeout(run, PRESS_MS)
  return () => clearTimeout(timer)
}

/**
 * Opens the menu of a row or tile when a finger rests on it, the one behind its ⋯. Android says so by `contextmenu`,
 * iOS doesn't, so the time counts as well. A finger that moves, a page that scrolls and a second finger end the press.
 * Returns a function that ends this.
 */
export function followLongPresses(page: Document, afterRest: Rest = rest): () => void {
  let press: Press | null = null
  /** Whether the menu is open, and the finger still rests. */
  let isHeld = false

  function giveUp() {
    press?.cancel()
    press = null
  }
  function open() {
    const { button, pointerId } = press!
    giveUp()
    // The finger has selected a text.
    if (page.getSelection()?.isCollapsed === false) return
    isHeld = true
    // The row must not follow the finger any more.
    button.dispatchEvent(new PointerEvent('pointercancel', { pointerId, bubbles: true }))
    buzz()
    button.click()
  }
  function onPointerDown({ target, pointerType, pointerId, isPrimary, clientX: x, clientY: y }: PointerEvent) {
    giveUp()
    isHeld = false
    const button = pointerType === 'touch' && isPrimary ? findButton(target as Element) : null
    if (button) press = { x, y, pointerId, button, cancel: afterRest(open) }
  }
  function onPointerMove({ clientX, clientY }: PointerEvent) {
    if (press && Math.hypot(clientX - press.x, clientY - press.y) > SLACK_PX) giveUp()
  }
  function onContextMenu(event: Event) {
    if (!press && !isHeld) return
    event.preventDefault()
    if (press) open()
  }
  /** Keeps the browser from making a click of it, which would close the menu. */
  function onTouchEnd(event: Event) {
    if (isHeld) event.preventDefault()
    isHeld = false
  }

  const listening = new AbortController()
  const { signal } = listening
  page.addEventListener('pointerdown', onPointerDown, { signal })
  page.addEventListener('pointermove', onPointerMove, { signal, passive: true })
  page.addEventListener('pointerup', giveUp, { signal })
  page.addEventListener('pointercancel', giveUp, { signal })
  page.addEventListener('scroll', giveUp, { signal, passive: true, capture: true })
  page.addEventListener('contextmenu', onContextMenu, { signal })
  page.addEventListener('touchend', onTouchEnd, { signal, passive: false })
  return () => {
    giveUp()
    listening.abort()
  }
}

/** The button of the menu of what was touched; null if a press there has another use. */
function findButton(target: Element): HTMLElement | null {
  const holder = target.closest(holders)
  if (!holder || target.closest(ownUse) || holder.closest('.is-selecting')) return null
  return holder.querySelector('.menu > [aria-haspopup=menu]')
}
