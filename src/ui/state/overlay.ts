import { signal } from '@preact/signals-core'

/** Something that lies over the page, or does not. */
export function createOverlay() {
  const isOpen = signal(false)
  return {
    isOpen,
    open: () => (isOpen.value = true),
    close: () => (isOpen.value = false),
    toggle: () => (isOpen.value = !isOpen.value),
  }
}
