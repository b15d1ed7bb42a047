// Pixels below which a finger counts as resting.
const START_PX = 8
/** Pixels per millisecond from which a movement counts as a fling. */
const FLING = 0.4
const ENOUGH = 0.4
const RECENT_MS = 100

type Direction = 'up' | 'down'

type Handlers = {
  /** Whether a movement in this direction is handled here; otherwise the page handles it. */
  mayStart: (direction: Direction, target: Element) => boolean
  /** Pixels so far, negative upwards. */
  onMove: (distance: number) => void
  /** `velocity`: pixels per millisecond at the end, negative upwards. */
  onEnd: (distance: number, velocity: number) => void
}

/** Decides whether a movement reaches its target: by a fling, or by 40 percent of the distance. */
export function settles(distance: number, velocity: number, way: number): boolean {
  if (Math.sign(velocity) === -Math.sign(way) && Math.abs(velocity) > FLING) return false
  const isFling = Math.sign(velocity) === Math.sign(way) && Math.abs(velocity) > FLING
  return isFling || distance / way > ENOUGH
}

type Sample = { y: number; time: number }

/**
 * Follows one finger that moves an element up or down. Sideways movements, sliders and scrolling parts keep their
 * behaviour. Returns a function that ends it.
 */
export function followFinger(element: HTMLElement, { mayStart, onMove, onEnd }: Handlers): () => void {
  let start: { x: number; y: number } | null = null
  let isOurs = false
  let samples: Sample[] = []

  function begin({ touches, target }: TouchEvent) {
    const touch = touches[0]
    const isFree = touches.length === 1 && target instanceof Element && !target.closest('input, textarea, [role=menu]')
    start = isFree && touch ? { x: touch.clientX, y: touch.clientY } : null
    isOurs = false
    samples = []
  }
  function move(event: TouchEvent) {
    const touch = event.touches[0]
    if (!start || !touch) return
    const [across, down] = [touch.clientX - start.x, touch.clientY - start.y]
    if (!isOurs) {
      if (Math.max(Math.abs(across), Math.abs(down)) < START_PX) return
      isOurs = Math.abs(down) > Math.abs(across) && mayStart(down < 0 ? 'up' : 'down', event.target as Element)
      if (!isOurs) {
        start = null
        return
      }
    }
    if (event.cancelable) event.preventDefault()
    samples = [...samples.filter(({ time }) => event.timeStamp - time < RECENT_MS), { y: down, time: event.timeStamp }]
    onMove(down)
  }
  function end() {
    const [first, last] = [samples[0], samples.at(-1)]
    if (isOurs && first && last) onEnd(last.y, (last.y - first.y) / Math.max(1, last.time - first.time))
    start = null
    isOurs = false
  }
  element.addEventListener('touchstart', begin, { passive: true })
  // Not passive, so that the page does not scroll as well.
  element.addEventListener('touchmove', move, { passive: false })
  element.addEventListener('touchend', end)
  element.addEventListener('touchcancel', end)
  return () => {
    element.removeEventListener('touchstart', begin)
    element.removeEventListener('touchmove', move)
    element.removeEventListener('touchend', end)
    element.removeEventListener('touchcancel', end)
  }
}

const LEAVE_MS = 160

/**
 * Closes a sheet that a finger pulls down, wherever nothing above the finger can be scrolled into view. `mayStart`:
 * whether a finger on an element may pull. Returns a function that ends it.
 */
export function pullDown(sheet: HTMLElement, close: () => void, mayStart: (target: Element) => boolean): () => void {
  return followFinger(sheet, {
    mayStart: (direction, target) => direction === 'down' && isAtTop(target, sheet) && mayStart(target),
    onMove: distance => drag(sheet, Math.max(0, distance)),
    onEnd(distance, velocity) {
      if (settles(distance, velocity, sheet.offsetHeight)) leave(sheet, close)
      else drag(sheet, 0)
    },
  })
}

/** Moves a part, with `--drag` in its styles. */
export const drag = (part: HTMLElement, distance: number) =>
  part.style.setProperty('--drag', `${Math.round(distance)}px`)

/** Whether nothing between an element and its sheet is scrolled down. */
export function isAtTop(target: Element, sheet: Element): boolean {
  for (let part: Element | null = target; part; part = part.parentElement) {
    if (part.scrollTop > 0) return false
    if (part === sheet) break
  }
  return true
}

/** Continues the sheet's movement from where the finger released it. */
function leave(sheet: HTMLElement, close: () => void) {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const fall = sheet.animate({ translate: '0 100%' }, { duration: isStill ? 0 : LEAVE_MS, easing: 'ease-in' })
  fall.onfinish = close
}
