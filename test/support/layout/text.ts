import { abridges, boxOf, cutterOf, describe, fits, isForEarsAlone, isScrolled, isShown } from './geometry'

// Runs in the page.

/** Letters of a tight line reach a little above and below it. */
const LETTERS_REACH = 4

/** Finds text that is cut off without a sign of it, or that leaves its box. */
export function findCutText(scope: Element): string[] {
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement!
    if (!node.textContent!.trim() || parent.closest('option, script, style, svg, textarea')) continue
    if (!isShown(parent) || isForEarsAlone(parent)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    const fault = box.width > 0 && faultOf(parent, box)
    if (fault) found.push(`${fault}: ${describe(parent)} ${boxOf(box)}`)
  }
  return found
}

function faultOf(parent: Element, box: DOMRect): string | null {
  const across = cutterOf(parent, 'x')
  if (across && !fits(box, across.getBoundingClientRect(), 'x', 2) && !endsInDots(across))
    return `text cut off at the side by ${describe(across)}`
  const down = cutterOf(parent, 'y')
  if (down && !fits(box, down.getBoundingClientRect(), 'y', LETTERS_REACH) && !isClamped(down))
    return `text cut off below by ${describe(down)}`
  const block = blockOf(parent)
  if (!across && !fits(box, block.getBoundingClientRect(), 'x', 2) && !isScrolled(parent, 'x'))
    return 'text leaves its box'
  return null
}

const endsInDots = (element: Element) => getComputedStyle(element).textOverflow === 'ellipsis' && !isClamped(element)

const isClamped = (element: Element) => getComputedStyle(element).webkitLineClamp !== 'none'

/** The nearest element with a box of its own. */
function blockOf(element: Element): Element {
  let one = element
  while (/^(inline|contents)$/.test(getComputedStyle(one).display) && one.parentElement) one = one.parentElement
  return one
}

/** Finds headings whose end is hidden, with dots or without, and that no tooltip tells in full. */
export function findClippedHeadings(): string[] {
  return [...document.querySelectorAll('h1, h2, h3, h4, h5, h6, [role=heading]')]
    .filter(heading => isShown(heading) && !isForEarsAlone(heading))
    .filter(heading => [heading, ...heading.querySelectorAll('*')].some(isClipped) && !isTold(heading))
    .map(heading => `heading clipped: ${describe(heading)} ${boxOf(heading.getBoundingClientRect())}`)
}

/** Whether a tooltip tells it in full while the mouse rests on it. */
function isTold(heading: Element): boolean {
  const parts = [heading, ...heading.querySelectorAll('*')]
  parts.at(-1)!.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  return heading.closest('[title]') !== null || parts.some(part => part.hasAttribute('title'))
}

function isClipped(element: Element): boolean {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
  const { overflowX, overflowY, display } = getComputedStyle(element)
  if (display.startsWith('inline') && !abridges(element)) return false
  const hides = (overflow: string) => /hidden|clip/.test(overflow)
  return (
    (scrollWidth > clientWidth + 1 && hides(overflowX)) ||
    (scrollHeight > clientHeight + LETTERS_REACH && hides(overflowY))
  )
}
