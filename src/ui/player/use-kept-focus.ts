import { useLayoutEffect, useRef, type FocusEvent } from 'react'

/** The parts of a row that take the focus. */
const parts = ['.queue-remove', '.queue-play', '.grip']

/**
 * Keeps the focus in the list when the row that holds it is removed, for whatever reason: on the same part of the row
 * that takes its place, or else of the last one; in an empty list on the words that say so.
 */
export function useKeptFocus() {
  const ref = useRef<HTMLDivElement>(null)
  const held = useRef<{ element: Element; part: string; place: number } | null>(null)
  useLayoutEffect(() => {
    if (!held.current || held.current.element.isConnected) return
    const { part, place } = held.current
    held.current = null
    const rows = ref.current!.querySelectorAll('li')
    const row = rows[Math.min(place, rows.length - 1)]
    const next = row ? row.querySelector<HTMLElement>(part) : ref.current!.querySelector<HTMLElement>('.queue-empty p')
    next?.focus()
  })
  return {
    ref,
    onFocus({ target }: FocusEvent) {
      const row = target.closest('li')
      const part = parts.find(name => target.matches(name))
      held.current =
        row && part ? { element: target, part, place: [...row.parentElement!.children].indexOf(row) } : null
    },
    onBlur: () => void (held.current = null),
  }
}
