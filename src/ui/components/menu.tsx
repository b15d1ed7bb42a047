import type { LucideIcon } from 'lucide-react'
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { IconButton } from './icon-button'
import { MenuEntry, type MenuItem } from './menu-entry'
import { useDismiss } from './use-dismiss'
import './menu.css'

export type { MenuItem }

type Props = {
  icon: LucideIcon
  label: string
  /** Words beside the icon. */
  text?: string | undefined
  /** A function, for lists with many menus, is called only when the menu opens. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
}

/** A button that opens a list of actions. Arrows move, Enter chooses, Escape closes and returns the focus. */
export function Menu({ icon, label, text, items }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const dismiss = useCallback(() => setOpen(false), [])
  useDismiss(root, isOpen, dismiss)
  useEffect(() => {
    if (!isOpen) return
    placeList(root.current!.querySelector<HTMLElement>('.menu-list')!)
    entriesOf(root.current)[0]?.focus({ preventScroll: true })
  }, [isOpen])

  function close() {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  return (
    <div
      className="menu"
      ref={root}
      onKeyDown={event => {
        if (isOpen) handleKey(event, root.current, close)
      }}
      role="presentation"
    >
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
            <MenuEntry key={item.label} item={item} onChosen={close} />
          ))}
        </div>
      )}
    </div>
  )
}

const entriesOf = (menu: HTMLElement | null) => [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

/** Moves among the entries, and closes. Keys handled here go no further. */
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

const MARGIN = 8

/** Places the list below its button, or above where there is more room. A list higher than the room scrolls. */
function placeList(list: HTMLElement) {
  const button = list.parentElement!.getBoundingClientRect()
  const top = document.querySelector('.top-bar')?.getBoundingClientRect().bottom ?? 0
  const bottom = document.querySelector('.player')?.getBoundingClientRect().top ?? innerHeight
  // A menu in a bar over the page has the whole window.
  const isInBar = list.closest('.top-bar, .player, dialog') !== null
  const below = (isInBar ? innerHeight : bottom) - button.bottom - MARGIN
  const above = button.top - (isInBar ? 0 : top) - MARGIN
  const isAbove = list.offsetHeight > below && above > below
  list.classList.toggle('is-above', isAbove)
  list.style.maxHeight = `${isAbove ? above : below}px`
  list.style.translate = `${Math.max(0, MARGIN - list.getBoundingClientRect().left)}px`
}
