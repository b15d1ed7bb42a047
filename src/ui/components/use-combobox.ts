import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'

/** The ways to choose an option: Enter or a click, with Shift, or with Alt. */
export type Manner = 'plain' | 'shift' | 'alt'

/**
 * Moves through the options of a search field: arrows move, Enter or a click chooses. The focus stays in the field
 * (the combobox pattern of WAI-ARIA). A new `result` starts at its first option.
 */
export function useCombobox(count: number, result: unknown, onChoose: (index: number, manner: Manner) => void) {
  const [moved, setActive] = useState(0)
  const active = Math.min(moved, Math.max(0, count - 1))
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => setActive(0), [result])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || count === 0) return
    if (event.key === 'ArrowDown') setActive(Math.min(count - 1, active + 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(0, active - 1))
    else if (event.key === 'Enter') onChoose(active, mannerOf(event))
    else return
    event.preventDefault()
  }
  return {
    field: {
      role: 'combobox',
      'aria-expanded': count > 0,
      'aria-controls': `${id}-list`,
      'aria-activedescendant': count > 0 ? `${id}-${active}` : undefined,
      onKeyDown,
    },
    list: { id: `${id}-list`, role: 'listbox', ref: list },
    option: (index: number) => ({
      id: `${id}-${index}`,
      role: 'option',
      tabIndex: -1,
      'aria-selected': index === active,
      onClick: (event: MouseEvent) => onChoose(index, mannerOf(event)),
      onPointerMove: () => setActive(index),
    }),
  }
}

const mannerOf = ({ shiftKey, altKey }: { shiftKey: boolean; altKey: boolean }): Manner =>
  altKey ? 'alt' : shiftKey ? 'shift' : 'plain'

export type Combobox = ReturnType<typeof useCombobox>
