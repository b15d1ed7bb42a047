import { useEffect, type RefObject } from 'react'

/** Calls `onDismiss` once the reader presses or moves the focus outside of `root`. `onDismiss` must keep its identity. */
export function useDismiss(root: RefObject<HTMLElement | null>, isOpen: boolean, onDismiss: () => void) {
  useEffect(() => {
    if (!isOpen) return
    const dismissOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) onDismiss()
    }
    document.addEventListener('pointerdown', dismissOutside)
    document.addEventListener('focusin', dismissOutside)
    return () => {
      document.removeEventListener('pointerdown', dismissOutside)
      document.removeEventListener('focusin', dismissOutside)
    }
  }, [root, isOpen, onDismiss])
}
