import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'

/**
 * Moves through the options of a search field: arrows move, Enter or a click chooses. The focus stays in the field
 * (the combobox pattern of WAI-ARIA). A new `result` starts at its first option.
 */
export function useCombobox(count: number, result: unknown, onChoose: (index: number) => void) {
  const [active, setActive] = useState(0)
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
    else if (event.key === 'Enter') onChoose(active)
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
      onClick: () => onChoose(index),
      onPointerMove: () => setActive(index),
    }),
  }
}

export type Combobox = ReturnType<typeof useCombobox>
