import { computed, signal } from '@preact/signals-core'

const KEY = 'sidebar'

/** Shown or hidden, remembered on wide screens; on narrow ones it is an overlay that begins closed. */
export function createSidebar(storage: Pick<Storage, 'getItem' | 'setItem'>, query: MediaQueryList) {
  const isOpen = signal(!query.matches && storage.getItem(KEY) !== 'collapsed')
  const isNarrow = signal(query.matches)
  query.addEventListener('change', () => {
    isNarrow.value = query.matches
    isOpen.value = !query.matches && storage.getItem(KEY) !== 'collapsed'
  })
  return {
    isOpen,
    isNarrow,
    /** Over the page, which waits beneath. */
    liesOver: computed(() => isOpen.value && isNarrow.value),
    toggle() {
      isOpen.value = !isOpen.value
      if (!query.matches) storage.setItem(KEY, isOpen.value ? 'expanded' : 'collapsed')
    },
    /** After an entry was chosen: an overlay has done its work then. */
    closeOverlay() {
      if (query.matches) isOpen.value = false
    },
  }
}
