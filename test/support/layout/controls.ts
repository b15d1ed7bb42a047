import { boxOf, cutterOf, describe, fits, isScrolled, isShown, shownPartOf, type Side } from './geometry'

// Runs in the page.

/** The size of a finger. */
const FINGER = 44

const controls = [
  'a[href]',
  'button',
  'input:not([type=hidden])',
  'select',
  'textarea',
  'summary',
  ...['button', 'slider', 'tab', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'switch', 'option', 'combobox'].map(
    role => `[role=${role}]`,
  ),
].join(',')

/** The controls of what lies topmost. */
export const controlsIn = (scope: Element): HTMLElement[] =>
  [...scope.querySelectorAll<HTMLElement>(controls)].filter(isShown)

export function findMisplaced(control: HTMLElement, isTouched: boolean): string[] {
  if (!control.isConnected || !isShown(control)) return []
  const tell = (fault: string) => `${fault}: ${describe(control)} ${boxOf(control.getBoundingClientRect())}`
  const outside = findOutside(control)
  if (outside.length > 0 || letsPressesThrough(control)) return outside.map(tell)
  return [...findCovered(control), ...(isTouched ? findTooSmall(control) : [])].map(tell)
}

/**
 * Tells whether a control ignores presses: a disabled one does, and a link that only keys reach because a menu beside
 * it has the same for a finger.
 */
const letsPressesThrough = (control: Element) =>
  control.matches(':disabled, [aria-disabled=true]') || getComputedStyle(control).pointerEvents === 'none'

function findOutside(control: HTMLElement): string[] {
  if (isScrolled(control.parentElement!, 'x'))
    control.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
  const box = shownPartOf(control, control.getBoundingClientRect())
  if (!fits(box, { left: 0, right: document.documentElement.clientWidth, top: 0, bottom: 0 }, 'x'))
    return ['outside the viewport']
  for (const side of ['x', 'y'] as const) {
    const cutter = cutterOf(control.parentElement!, side)
    if (cutter && !isCentreWithin(box, cutter.getBoundingClientRect(), side)) return [`cut off by ${describe(cutter)}`]
  }
  return []
}

function isCentreWithin(box: DOMRect, { left, right, top, bottom }: DOMRect, side: Side): boolean {
  const [x, y] = centreOf(box)
  return side === 'x' ? x >= left - 1 && x <= right + 1 : y >= top - 1 && y <= bottom + 1
}

function findCovered(control: HTMLElement): string[] {
  if (isHit(control, ...middleOf(control))) return []
  control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  if (isHit(control, ...middleOf(control))) return []
  const cover = document.elementFromPoint(...middleOf(control))
  return [`covered by ${cover ? describe(cover) : 'the edge'}`]
}

/** In the middle of the first line: the box of a link over two lines has its middle elsewhere. */
const middleOf = (control: Element) =>
  centreOf(shownPartOf(control, control.getClientRects()[0] ?? control.getBoundingClientRect()))
const centreOf = ({ left, top, width, height }: DOMRect): [number, number] => [left + width / 2, top + height / 2]

const labelsOf = (control: Element): Element[] => [...((control as HTMLInputElement).labels ?? [])]

/** Whether a press at this point reaches the control. */
function isHit(control: Element, x: number, y: number): boolean {
  const at = document.elementFromPoint(x, y)
  if (!at) return false
  return control.contains(at) || labelsOf(control).some(label => label.contains(at))
}

/**
 * Points at the edge of a fingertip around the middle must not press anything else. A wide enough control owns them
 * itself; around a small one there has to be room. Links in a text are as high as its lines.
 */
function findTooSmall(control: HTMLElement): string[] {
  if (isInText(control)) return []
  const targets = [control, ...labelsOf(control)].map(one => one.getBoundingClientRect())
  const width = Math.max(...targets.map(box => box.width))
  const height = Math.max(...targets.map(box => box.height))
  const reach = FINGER / 2 - 1
  const others = () => {
    const [x, y] = middleOf(control)
    return [
      ...(width < FINGER - 1 ? [...otherAt(control, x - reach, y), ...otherAt(control, x + reach, y)] : []),
      ...(height < FINGER - 1 ? [...otherAt(control, x, y - reach), ...otherAt(control, x, y + reach)] : []),
    ]
  }
  if (others().length === 0) return []
  // It may lie beside a fixed bar only because of how far the page is scrolled.
  control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
  const [other] = others()
  return other ? [`too small for a finger, beside ${describe(other)}`] : []
}

function otherAt(control: Element, x: number, y: number): Element[] {
  const other = document.elementFromPoint(x, y)?.closest(controls)
  if (!other || control.contains(other) || other.contains(control)) return []
  return labelsOf(control).includes(other) ? [] : [other]
}

const isInText = (control: Element) =>
  control.localName === 'a' &&
  getComputedStyle(control).display.startsWith('inline') &&
  control.parentElement!.textContent!.trim() !== control.textContent!.trim()
