import type { LucideIcon } from 'lucide-react'
import { Fragment, useCallback, useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { IconButton } from './icon-button'
import { inGroups, MenuEntry, type MenuItem } from './menu-entry'
import { placeList } from './place-list'
import { useDismiss } from './use-dismiss'
import { useLayer } from './use-layer'
import './menu.css'

export { inGroups, type MenuItem }

type Props = {
  icon: LucideIcon
  label: string
  /** Words next to the icon. */
  text?: string | undefined
  /** Says above the entries what they are for, on phones, where the sheet covers its button. */
  heading?: string | undefined
  className?: string
  /** Without any the button is disabled. A function, for lists with many menus, is called only when the menu opens. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
}

/**
 * A button that opens a list of actions, on phones a sheet. Arrows move, Enter chooses, Escape closes and returns the
 * focus.
 */
export function Menu({ icon, label, text, heading, className, items }: Props) {
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
        {...(className && { className })}
        disabled={items.length === 0 && typeof items !== 'function'}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {text && <span className="menu-text">{text}</span>}
      </IconButton>
      {isOpen && (
        // The layer itself is seen on phones alone, as what darkens the page.
        <div
          className="menu-layer"
          ref={layer}
          popover="manual"
          role="presentation"
          onClick={event => {
            if (event.target === layer.current) close()
          }}
        >
          <div className="menu-list" id={id} role="menu" aria-label={label}>
            {heading && (
              <p className="menu-heading" dir="auto" aria-hidden="true">
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
      {item.group && <p className="menu-group">{item.group}</p>}
      <MenuEntry item={item} onChosen={onChosen} />
    </Fragment>
  ))
}

/** Shows the list above everything else, next to its button for as long as that moves, and focuses its first entry. */
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
