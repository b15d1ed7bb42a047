import { computed, signal } from '@preact/signals-core'

const KEY = 'queue'
const WIDE = '(min-width: 1280px)'

export type QueuePanel = ReturnType<typeof createQueuePanel>

/** The queue on the screen: next to the page on wide screens, where that is remembered; over the page on others. */
export function createQueuePanel(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  matchMedia: (query: string) => Pick<MediaQueryList, 'matches' | 'addEventListener'>,
) {
  const query = matchMedia(WIDE)
  const isWide = signal(query.matches)
  const isWanted = signal(storage.getItem(KEY) === 'docked')
  const isOverlay = signal(false)
  query.addEventListener('change', () => {
    isWide.value = query.matches
    isOverlay.value = false
  })
  const isDocked = computed(() => isWide.value && isWanted.value)
  /** Whether it covers the page. */
  const isOpen = computed(() => !isWide.value && isOverlay.value)
  return {
    isDocked,
    isOpen,
    isShown: computed(() => isDocked.value || isOpen.value),
    toggle() {
      if (!isWide.value) {
        isOverlay.value = !isOverlay.value
        return
      }
      isWanted.value = !isWanted.value
      storage.setItem(KEY, isWanted.value ? 'docked' : 'hidden')
    },
    /** Closes it where it covers the page; the dock stays. */
    close: () => (isOverlay.value = false),
  }
}
