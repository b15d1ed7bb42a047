import { Check, type LucideIcon } from 'lucide-react'
import { Fragment, type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from './buttons'
import './layers.css'
import { pageLayers } from '../device/layers'
import { Link } from 'wouter'

export { inGroups, type MenuItem }

type Props = {
  icon: LucideIcon
  label: string
  /** Words next to the icon. */
  text?: string | undefined
  /** The title above the entries on phones, where the sheet covers its button. */
  heading?: string | undefined
  className?: string
  /** Without any the button is disabled. A function, for lists with many menus, is called only when the menu opens. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
  /** Loads the entries before the menu opens; it stays closed unless this resolves with true. */
  load?: (() => Promise<boolean | void>) | undefined
}

/**
 * A button that opens a list of actions, on phones a sheet. Arrows move, Enter chooses, Escape closes and returns the
 * focus.
 */
export function Menu({ icon, label, text, heading, className, items, load }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const dismiss = useCallback(() => setOpen(false), [])
  useDismiss(root, isOpen, dismiss)
  useLayer(isOpen, dismiss)
  useTopLayer(root, layer, isOpen)

  function close() {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  return (
    <div
      className="menu anchor"
      ref={root}
      onKeyDown={event => {
        if (isOpen) handleKey(event, root.current, close)
      }}
      role="presentation"
    >
      <IconButton
        icon={icon}
        label={text ? `${label}: ${text}` : label}
        {...(className && { className })}
        disabled={items.length === 0 && typeof items !== 'function'}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          if (load && !isOpen) void load().then(isReady => setOpen(isReady === true))
          else setOpen(!isOpen)
        }}
      >
        {text && <span className="menu-text truncate">{text}</span>}
      </IconButton>
      {isOpen && (
        // The layer itself is visible only on phones, where it darkens the page.
        <div
          className="menu-layer flush ink"
          ref={layer}
          popover="manual"
          role="presentation"
          onClick={event => {
            if (event.target === layer.current) close()
          }}
        >
          <div className="menu-list scrolls stack floating" id={id} role="menu" aria-label={label}>
            {heading && (
              <p className="menu-heading clamp on-phone" dir="auto" aria-hidden="true">
                {heading}
              </p>
            )}
            <Entries items={typeof items === 'function' ? items() : items} onChosen={close} />
          </div>
        </div>
      )}
    </div>
  )
}

function Entries({ items, onChosen }: { items: readonly MenuItem[]; onChosen: () => void }) {
  return items.map((item, index) => (
    <Fragment key={item.label}>
      {item.group !== undefined && index > 0 && <hr />}
      {item.group && <p className="menu-group strong flush faint text-xs clipped">{item.group}</p>}
      <MenuEntry item={item} onChosen={onChosen} />
    </Fragment>
  ))
}

/** Shows the list above everything else, next to its button even if that moves, and focuses its first entry. */
function useTopLayer(root: RefObject<HTMLElement | null>, layer: RefObject<HTMLElement | null>, isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return
    const place = () => placeList(layer.current!.querySelector<HTMLElement>('.menu-list')!, root.current!)
    layer.current!.showPopover()
    place()
    entriesOf(root.current)[0]?.focus({ preventScroll: true })
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [root, layer, isOpen])
}

const entriesOf = (menu: HTMLElement | null) => [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

/** Moves among the entries, and closes. Keys handled here are not passed on. */
function handleKey(event: KeyboardEvent, menu: HTMLElement | null, close: () => void) {
  const entries = entriesOf(menu)
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }
  if (event.key === 'Escape' || event.key === 'Tab') close()
  else if (event.key in targets) entries[(targets[event.key]! + entries.length) % entries.length]?.focus()
  else return
  event.stopPropagation()
  if (event.key !== 'Tab') event.preventDefault()
}

/** Makes the browser's Back call `close` while `isOpen`, instead of leaving the page. */
function useLayer(isOpen: boolean, close: () => void) {
  const latest = useRef(close)
  latest.current = close
  useEffect(() => (isOpen ? pageLayers().open(() => latest.current()) : undefined), [isOpen])
}

const MARGIN = 8
const GAP = 4

/**
 * Places a list below its button, or above it if there is more room, inside the window. A list higher than the room
 * scrolls. Phones show it as a sheet, which needs no place.
 */
function placeList(list: HTMLElement, button: HTMLElement) {
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

type MenuItem = {
  /** Begins a new group of entries, with a heading unless it is empty. */
  group?: string
  icon?: LucideIcon
  label: string
  onSelect?: () => void
  /** An address outside the interface. */
  href?: string
  /** A page of the interface. */
  to?: string
  isDanger?: boolean
  /** One of several that exclude each other; a tick at the end marks it. */
  isChecked?: boolean
  /** Something that each press turns on or off; a tick says which. */
  isOn?: boolean
  /** The language of the label, if it is not the page's. */
  lang?: string
}

/** Joins groups of entries with a line between each and the next. */
const inGroups = (...groups: readonly MenuItem[][]): MenuItem[] =>
  groups
    .filter(group => group.length > 0)
    .flatMap(([first, ...rest], index) => [index > 0 ? { group: '', ...first! } : first!, ...rest])

/** One entry of a menu: a button, or a link if it has an address. */
function MenuEntry({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  const { icon: Icon, label, onSelect, href, to, isDanger, isOn, isChecked = isOn, lang } = item
  const content = (
    <>
      {Icon && <Icon size={18} strokeWidth={1.75} aria-hidden="true" />}
      {label}
      {isChecked && <Check className="menu-tick push" size={18} strokeWidth={1.75} aria-hidden="true" />}
    </>
  )
  const common = { className: isDanger ? 'entry is-danger' : 'entry', tabIndex: -1 }
  if (to)
    return (
      <Link {...common} role="menuitem" href={to} onClick={onChosen}>
        {content}
      </Link>
    )
  if (href)
    return (
      <a {...common} {...targetOf(href)} role="menuitem" href={href} onClick={onChosen}>
        {content}
      </a>
    )
  return (
    <button
      {...common}
      type="button"
      role={isChecked === undefined ? 'menuitem' : isOn === undefined ? 'menuitemradio' : 'menuitemcheckbox'}
      aria-checked={isChecked}
      lang={lang}
      onClick={() => {
        onChosen()
        onSelect?.()
      }}
    >
      {content}
    </button>
  )
}

/** Other sites open in a new tab, and learn nothing about this page. */
const targetOf = (href: string) =>
  URL.parse(href, location.href)?.origin === location.origin ? {} : { target: '_blank', rel: 'noopener noreferrer' }

/**
 * Calls `onDismiss` on Escape, and when the user clicks or moves focus outside `root`. After Escape the focus returns
 * to the first button in `root`. `onDismiss` must be stable (wrap it in `useCallback`).
 */
export function useDismiss(root: RefObject<HTMLElement | null>, isOpen: boolean, onDismiss: () => void) {
  useEffect(() => {
    if (!isOpen) return
    const onOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) onDismiss()
    }
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      onDismiss()
      root.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', onOutside)
    document.addEventListener('focusin', onOutside)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('pointerdown', onOutside)
      document.removeEventListener('focusin', onOutside)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [root, isOpen, onDismiss])
}
