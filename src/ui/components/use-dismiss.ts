import { useEffect, type RefObject } from 'react'

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
