import type { LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'wouter'
import { IconButton } from './icon-button'
import './menu.css'

export type MenuItem = {
  /** Among checked entries the room for it stays free. */
  icon?: LucideIcon
  label: string
  onSelect?: () => void
  href?: string
  /** A page of ours. */
  to?: string
  isDanger?: boolean
  isChecked?: boolean
  /** The language of the label, where it is not the page's. */
  lang?: string
}

type Props = {
  icon: LucideIcon
  label: string
  /** Words beside the icon. */
  text?: string | undefined
  /** A function where there are many menus: it is asked once this one opens. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
}

/** A button that opens a list of actions. Arrows move, Enter chooses, Escape closes and gives the focus back. */
export function Menu({ icon, label, text, items }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = () => root.current?.querySelector<HTMLElement>('button')

  useEffect(() => {
    if (!isOpen) return
    placeList(root.current!.querySelector<HTMLElement>('.menu-list')!)
    entriesOf(root.current)[0]?.focus({ preventScroll: true })
    const closeOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  function close() {
    setOpen(false)
    button()?.focus()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) return
    const all = entriesOf(root.current)
    const at = all.indexOf(document.activeElement as HTMLElement)
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }
    if (event.key === 'Escape' || event.key === 'Tab') close()
    else if (event.key in steps) all[(steps[event.key]! + all.length) % all.length]?.focus()
    else return
    event.stopPropagation()
    if (event.key !== 'Tab') event.preventDefault()
  }

  return (
    <div className="menu" ref={root} onKeyDown={onKeyDown} role="presentation">
      <IconButton
        icon={icon}
        label={text ? `${label}: ${text}` : label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {text && <span className="menu-text">{text}</span>}
      </IconButton>
      {isOpen && (
        <div className="menu-list" id={id} role="menu" aria-label={label}>
          {text && <p className="menu-heading">{text}</p>}
          {(typeof items === 'function' ? items() : items).map(item => (
            <Entry key={item.label} item={item} onChosen={close} />
          ))}
        </div>
      )}
    </div>
  )
}

/** Below its button, or above where there is more room, and never higher than that: the rest is scrolled to. */
function placeList(list: HTMLElement) {
  const button = list.parentElement!.getBoundingClientRect()
  const top = document.querySelector('.top-bar')?.getBoundingClientRect().bottom ?? 0
  const bottom = document.querySelector('.player')?.getBoundingClientRect().top ?? innerHeight
  // A menu of a bar that lies over the page has the whole window.
  const isInBar = list.closest('.top-bar, .player, dialog') !== null
  const below = (isInBar ? innerHeight : bottom) - button.bottom - MARGIN
  const above = button.top - (isInBar ? 0 : top) - MARGIN
  const isAbove = list.offsetHeight > below && above > below
  list.classList.toggle('is-above', isAbove)
  list.style.maxHeight = `${isAbove ? above : below}px`
  list.style.translate = `${Math.max(0, MARGIN - list.getBoundingClientRect().left)}px`
}
const MARGIN = 8

const entriesOf = (menu: HTMLElement | null) => [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

const isElsewhere = (href: string) => URL.parse(href, location.href)?.origin !== location.origin

function Entry({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  const { icon: Icon, label, onSelect, href, to, isDanger, isChecked, lang } = item
  const content = (
    <>
      {Icon && <Icon size={18} strokeWidth={1.75} aria-hidden="true" />}
      {!Icon && isChecked !== undefined && <span className="menu-no-icon" />}
      {label}
    </>
  )
  const className = isDanger ? 'is-danger' : ''
  if (to)
    return (
      <Link role="menuitem" className={className} href={to} tabIndex={-1} onClick={onChosen}>
        {content}
      </Link>
    )
  if (href)
    return (
      <a
        role="menuitem"
        className={className}
        href={href}
        tabIndex={-1}
        onClick={onChosen}
        {...(isElsewhere(href) && { target: '_blank', rel: 'noopener noreferrer' })}
      >
        {content}
      </a>
    )
  return (
    <button
      type="button"
      role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChecked}
      className={className}
      tabIndex={-1}
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
