// Runs in the page.

/** Half a pixel is rounding, more is not. */
const ROUNDING = 1

/** The element as a reader of a report finds it: tag, classes and the beginning of its name. */
export function describe(element: Element): string {
  const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
  const words = name.replace(/\s+/g, ' ').trim().slice(0, 24)
  const classes = [...element.classList].map(one => `.${one}`).join('')
  const parent = classes
    ? ''
    : `${element.parentElement?.className ? `.${[...element.parentElement.classList].join('.')} > ` : ''}`
  return `${parent}${element.localName}${classes}${words && ` “${words}”`}`
}

export const boxOf = ({ left, top, width, height }: DOMRect) =>
  `[${[left, top, width, height].map(Math.round).join(' ')}]`

/** Whether it is painted: not hidden, not transparent, not for screen readers alone, not parked above the page. */
export function isShown(element: Element): boolean {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }))
    return false
  if (element.closest('[inert]')) return false
  const { width, height, bottom } = element.getBoundingClientRect()
  // A link that skips to the content waits above the page.
  if (bottom <= 0 && (bottom + scrollY <= 0 || getComputedStyle(element).position === 'fixed')) return false
  if (width > 1 && height > 1) return !isForEarsAlone(element)
  // An inline element around something else has no box of its own.
  return width > 0 && getComputedStyle(element).display === 'contents'
}

export function isForEarsAlone(element: Element | null): boolean {
  for (let one = element; one && one !== document.body; one = one.parentElement) {
    const { position, clipPath, overflow } = getComputedStyle(one)
    if (position !== 'absolute' && position !== 'fixed') continue
    const { width, height } = one.getBoundingClientRect()
    if (/inset\((50|100)%/.test(clipPath) || (width <= 1 && height <= 1 && overflow !== 'visible')) return true
  }
  return false
}

export type Side = 'x' | 'y'

export const overflowOf = (element: Element, side: Side) =>
  side === 'x' ? getComputedStyle(element).overflowX : getComputedStyle(element).overflowY

/** Whether something around it, other than the page, can be scrolled to this side. */
export function isScrolled(element: Element, side: Side): boolean {
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    const isTooLong = side === 'x' ? one.scrollWidth > one.clientWidth : one.scrollHeight > one.clientHeight
    if (isTooLong && /auto|scroll/.test(overflowOf(one, side))) return true
    if (getComputedStyle(one).position === 'fixed') return false
  }
  return false
}

/** Whether the first lies within the second to this side. */
export const fits = (
  inner: DOMRect,
  outer: Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>,
  side: Side,
  slack = ROUNDING,
) =>
  side === 'x'
    ? inner.left >= outer.left - slack && inner.right <= outer.right + slack
    : inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack

/** The nearest box that cuts off what lies beyond it; null when something scrolls before, or nothing cuts. */
export function cutterOf(element: Element, side: Side): Element | null {
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    const overflow = overflowOf(one, side)
    if (/auto|scroll/.test(overflow)) return null
    if (/hidden|clip/.test(overflow)) return one
    if (getComputedStyle(one).position === 'fixed') return null
  }
  return null
}

/** Whether an element says by dots that it leaves something out. */
export function abridges(element: Element): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  return textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
}

/** Cuts a box down to the abridged lines around it. */
export function shownPartOf(element: Element, box: DOMRect): DOMRect {
  let { left, right, top, bottom } = box
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    if (!abridges(one)) continue
    const around = one.getBoundingClientRect()
    left = Math.max(left, around.left)
    right = Math.min(right, around.right)
    top = Math.max(top, around.top)
    bottom = Math.min(bottom, around.bottom)
  }
  return new DOMRect(left, top, right - left, bottom - top)
}
