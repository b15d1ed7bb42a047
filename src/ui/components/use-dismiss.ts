import { useEffect, type RefObject } from 'react'

/**
 * Calls `onDismiss` on Escape, and when the reader presses or moves the focus outside of `root`. After Escape the focus
 * returns to the button in `root`. `onDismiss` must keep its identity.
 */
export function useDismiss(root: RefObject<HTMLElement | null>, isOpen: boolean, onDismiss: () => void) {
  useEffect(() => {
    if (!isOpen) return
    const onOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) onDismiss()
    }
    const onKeyDown = (event: KeyboardEvent) => {
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
