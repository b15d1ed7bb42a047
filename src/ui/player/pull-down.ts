import { followFinger, settles } from './follow-finger'

const LEAVE_MS = 160

/**
 * Closes a sheet that a finger pulls down, wherever nothing above the finger can be scrolled into view. `mayStart`:
 * whether a finger on an element may pull. Returns what ends it.
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

/** Moves a part by what its styles make of `--drag`. */
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

/** Lets the sheet fall on from where the finger left it. */
function leave(sheet: HTMLElement, close: () => void) {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const fall = sheet.animate({ translate: '0 100%' }, { duration: isStill ? 0 : LEAVE_MS, easing: 'ease-in' })
  fall.onfinish = close
}
