import { controlsIn } from './controls'
import { describe, isShown } from './geometry'

// Runs in the page.

const chosen =
  '[aria-pressed=true], [aria-selected=true], [aria-checked=true], [aria-current]:not([aria-current=false])'
const properties = [
  'color',
  'backgroundColor',
  'borderTopColor',
  'borderBottomColor',
  'borderInlineStartColor',
  'borderTopWidth',
  'borderBottomWidth',
  'outlineStyle',
  'opacity',
  'fontWeight',
  'textDecorationLine',
] as const
const THINNEST_RING = 2
/** Shorter than this, nobody sees it move. */
const MOMENT_SECONDS = 0.02

/** Finds what is chosen and looks as if it were not. */
export function findIndistinct(scope: Element): string[] {
  return [...scope.querySelectorAll(chosen)].filter(isShown).flatMap(one => {
    const other = peerOf(one)
    return other && appearanceOf(one) === appearanceOf(other)
      ? [`chosen, but looks like the others: ${describe(one)}`]
      : []
  })
}

/** Something of the same kind beside it that is not chosen. */
function peerOf(element: Element): Element | undefined {
  const group = element.closest('[role=tablist], [role=menu], [role=listbox], [role=group], nav, ul, fieldset')
  const peers = [...(group?.querySelectorAll(element.localName) ?? [])]
  return peers.find(peer => isShown(peer) && !peer.matches(chosen) && peer.classList[0] === element.classList[0])
}

const appearanceOf = (element: Element) =>
  [null, '::before', '::after']
    .flatMap(part => {
      const style = getComputedStyle(element, part)
      return [style.content, ...properties.map(property => style[property])]
    })
    .concat([...element.querySelectorAll('svg')].map(icon => getComputedStyle(icon).fill + icon.innerHTML))
    .join()

/** Finds what can't be used now and looks as it does when it can. */
export function findLively(scope: Element): string[] {
  const off = controlsIn(scope).filter(one => one.matches(':disabled, [aria-disabled=true]'))
  return off
    .filter(control => !control.closest('[aria-busy=true], [aria-hidden=true]'))
    .filter(control => appearanceAround(control) === asIfUsable(control, () => appearanceAround(control)))
    .map(control => `can't be used, but looks as if it could: ${describe(control)}`)
}

const appearanceAround = (control: HTMLElement) =>
  [control, control.parentElement!, ...((control as HTMLInputElement).labels ?? [])].map(appearanceOf).join()

/** Looks at a control that is usable for as long as it takes. */
function asIfUsable<T>(control: HTMLElement, look: () => T): T {
  const undo: (() => void)[] = []
  for (let one: Element | null = control; one; one = one.parentElement)
    for (const name of ['disabled', 'aria-disabled']) {
      const value = one.getAttribute(name)
      if (value === null) continue
      const holder = one
      holder.removeAttribute(name)
      undo.push(() => holder.setAttribute(name, value))
    }
  const seen = look()
  for (const step of undo) step()
  return seen
}

/** Finds controls that do not show that they have the focus. */
export function findRingless(scope: Element): string[] {
  const before = document.activeElement
  const found = controlsIn(scope)
    .filter(control => !control.matches(':disabled, [tabindex="-1"], [role=option]'))
    .flatMap(control => {
      control.focus({ preventScroll: true })
      return document.activeElement !== control || hasRing(control)
        ? []
        : [`no ring in the focus: ${describe(control)}`]
    })
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return found
}

/** On the control itself, or on what stands for it. */
function hasRing(control: Element): boolean {
  const around = [control, ...((control as HTMLInputElement).labels ?? []), control.parentElement!]
  return around.some(one =>
    [null, '::before', '::after', '::-webkit-slider-thumb'].some(part => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one, part)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= THINNEST_RING
    }),
  )
}

/** Finds what would move although the system asks for less motion; a turning sign of work may. */
export function findMotion(): string[] {
  const seconds = (list: string) => Math.max(...list.split(',').map(Number.parseFloat))
  return [...document.body.querySelectorAll('*')].flatMap(element => {
    if (element.closest('[aria-busy=true]') || !isShown(element)) return []
    const style = getComputedStyle(element)
    const fades = style.transitionProperty !== 'none' && seconds(style.transitionDuration) > MOMENT_SECONDS
    const moves = style.animationName !== 'none' && seconds(style.animationDuration) > MOMENT_SECONDS
    return fades || moves || style.scrollBehavior === 'smooth' ? [`moves: ${describe(element)}`] : []
  })
}
