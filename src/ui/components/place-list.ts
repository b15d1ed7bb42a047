const MARGIN = 8
const GAP = 4

/**
 * Places a list below its button, or above where there is more room, inside the window. A list higher than the room
 * scrolls. Phones show it as a sheet, which needs no place.
 */
export function placeList(list: HTMLElement, button: HTMLElement) {
  const { style } = list
  if (matchMedia('(width < 768px)').matches) {
    style.cssText = ''
    return
  }
  const at = button.getBoundingClientRect()
  const below = innerHeight - at.bottom - GAP - MARGIN
  const above = at.top - GAP - MARGIN
  const isAbove = list.scrollHeight > below && above > below
  const isRtl = getComputedStyle(list).direction === 'rtl'
  const wanted = isRtl ? at.left : at.right - list.offsetWidth
  style.left = `${Math.max(MARGIN, Math.min(wanted, innerWidth - list.offsetWidth - MARGIN))}px`
  style.maxHeight = `${isAbove ? above : below}px`
  style.top = isAbove ? 'auto' : `${at.bottom + GAP}px`
  style.bottom = isAbove ? `${innerHeight - at.top + GAP}px` : 'auto'
}
