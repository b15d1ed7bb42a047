import { signal } from '@preact/signals-core'

export type Overlay = ReturnType<typeof createOverlay>

/** A part that covers the page while it is open. */
export function createOverlay() {
  const isOpen = signal(false)
  return {
    isOpen,
    open: () => (isOpen.value = true),
    close: () => (isOpen.value = false),
    toggle: () => (isOpen.value = !isOpen.value),
  }
}
