import { computed, signal } from '@preact/signals-core'

const KEY = 'sidebar'

/**
 * The sidebar. On wide screens it is whole or a rail of icons, as chosen and remembered; in between it is a rail until
 * somebody opens it. On phones it is the sheet "More", which begins closed.
 */
export function createSidebar(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  matchMedia: (query: string) => MediaQueryList,
) {
  const phone = matchMedia('(width < 768px)')
  const wide = matchMedia('(width >= 1024px) and (height >= 500px)')
  const beginsOpen = () => wide.matches && storage.getItem(KEY) !== 'collapsed'
  const isOpen = signal(beginsOpen())
  const isNarrow = signal(phone.matches)
  function follow() {
    isNarrow.value = phone.matches
    isOpen.value = beginsOpen()
  }
  phone.addEventListener('change', follow)
  wide.addEventListener('change', follow)
  return {
    isOpen,
    isNarrow,
    /** Whether it covers the page. */
    liesOver: computed(() => isOpen.value && isNarrow.value),
    toggle() {
      isOpen.value = !isOpen.value
      if (wide.matches) storage.setItem(KEY, isOpen.value ? 'expanded' : 'collapsed')
    },
    /** Closes the sheet once an entry was chosen; on wide screens nothing changes. */
    closeOverlay() {
      if (phone.matches) isOpen.value = false
    },
  }
}

export type Sidebar = ReturnType<typeof createSidebar>
