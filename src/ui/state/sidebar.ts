import { computed, signal } from '@preact/signals-core'

const KEY = 'sidebar'

/** Shown or hidden, remembered on wide screens; on narrow ones it is an overlay that begins closed. */
export function createSidebar(storage: Pick<Storage, 'getItem' | 'setItem'>, isNarrow: MediaQueryList) {
  const isOpen = signal(!isNarrow.matches && storage.getItem(KEY) !== 'collapsed')
  const narrow = signal(isNarrow.matches)
  isNarrow.addEventListener('change', () => {
    narrow.value = isNarrow.matches
    isOpen.value = !isNarrow.matches && storage.getItem(KEY) !== 'collapsed'
  })
  return {
    isOpen,
    /** Over the page, which waits beneath. */
    liesOver: computed(() => isOpen.value && narrow.value),
    toggle() {
      isOpen.value = !isOpen.value
      if (!isNarrow.matches) storage.setItem(KEY, isOpen.value ? 'expanded' : 'collapsed')
    },
    /** After an entry was chosen: an overlay has done its work then. */
    closeOverlay() {
      if (isNarrow.matches) isOpen.value = false
    },
  }
}
