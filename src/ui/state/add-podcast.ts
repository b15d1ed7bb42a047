import { batch, computed, signal, type ReadonlySignal } from '@preact/signals-core'

export type AddPodcast = ReturnType<typeof createAddPodcast>

/** The dialog in which a podcast is added; it may open with an address in its field. */
export function createAddPodcast() {
  const isOpen = signal(false)
  const text = signal('')
  return {
    isOpen,
    text,
    open: (address = '') =>
      batch(() => {
        text.value = address
        isOpen.value = true
      }),
    close: () => (isOpen.value = false),
  }
}

export type FirstRun = ReturnType<typeof createFirstRun>

/**
 * The page of an empty library, where the first podcasts are chosen. It stays while several are added, one after the
 * other, until the user goes on.
 */
export function createFirstRun(isEmpty: ReadonlySignal<boolean>) {
  const isHeld = signal(false)
  return {
    isShown: computed(() => isEmpty.value || isHeld.value),
    /** Keeps the page from now on, also when the library is no longer empty. */
    hold: () => (isHeld.value = true),
    end: () => (isHeld.value = false),
  }
}
