import { computed, signal, type ReadonlySignal } from '@preact/signals-core'

export type AddPodcast = ReturnType<typeof createAddPodcast>

/** One opening of the dialog: the text its field begins with. */
export type Opening = { readonly id: number; readonly text: string }

/** The dialog in which a podcast is added; it may open with an address in its field. */
export function createAddPodcast() {
  const opening = signal<Opening | null>(null)
  let opened = 0
  return {
    /** The current opening; null while the dialog is closed. */
    opening,
    open: (text = '') => void (opening.value = { id: ++opened, text }),
    /** Ends `ended`, and leaves a later opening as it is: browsers report the closing of a dialog afterwards. */
    close(ended: Opening) {
      if (opening.value === ended) opening.value = null
    },
  }
}

export type FirstRun = ReturnType<typeof createFirstRun>

/**
 * The page of an empty library, where the first podcasts are chosen. It stays while several are added, one after the
 * other, until the user continues.
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
