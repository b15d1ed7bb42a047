import { computed, signal } from '@preact/signals-core'

const KEY = 'sidebar'

/** The sidebar: remembered as shown or hidden on wide screens; on narrow ones an overlay that begins closed. */
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
    /** Whether it covers the page. */
    liesOver: computed(() => isOpen.value && isNarrow.value),
    toggle() {
      isOpen.value = !isOpen.value
      if (!query.matches) storage.setItem(KEY, isOpen.value ? 'expanded' : 'collapsed')
    },
    /** Closes the overlay once an entry was chosen; on wide screens nothing changes. */
    closeOverlay() {
      if (query.matches) isOpen.value = false
    },
  }
}
