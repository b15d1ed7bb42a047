import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import type { DirectoryHit } from '../api/directory'

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

const SIDEBAR_KEY = 'sidebar'

/**
 * The sidebar. On wide screens it is full or a rail of icons, as chosen and remembered; on medium screens it is a rail
 * until somebody opens it. On phones it is the sheet "More", which begins closed.
 */
export function createSidebar(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  matchMedia: (query: string) => MediaQueryList,
) {
  const phone = matchMedia('(width < 768px)')
  const wide = matchMedia('(width >= 1024px) and (height >= 500px)')
  const beginsOpen = () => wide.matches && storage.getItem(SIDEBAR_KEY) !== 'collapsed'
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
      if (wide.matches) storage.setItem(SIDEBAR_KEY, isOpen.value ? 'expanded' : 'collapsed')
    },
    /** Closes the sheet once an entry was chosen; on wide screens nothing changes. */
    closeOverlay() {
      if (phone.matches) isOpen.value = false
    },
  }
}

export type Sidebar = ReturnType<typeof createSidebar>

const QUEUE_KEY = 'queue'
const WIDE = '(min-width: 1280px)'

export type QueuePanel = ReturnType<typeof createQueuePanel>

/** The queue on the screen: next to the page on wide screens, which is remembered; over the page on others. */
export function createQueuePanel(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  matchMedia: (query: string) => Pick<MediaQueryList, 'matches' | 'addEventListener'>,
) {
  const query = matchMedia(WIDE)
  const isWide = signal(query.matches)
  const isWanted = signal(storage.getItem(QUEUE_KEY) === 'docked')
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
      storage.setItem(QUEUE_KEY, isWanted.value ? 'docked' : 'hidden')
    },
    /** Closes it if it covers the page; the dock stays. */
    close: () => (isOverlay.value = false),
  }
}

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
    /** Ends the opening `ended`, but not a later one: browsers report the closing of a dialog afterwards. */
    close(ended: Opening) {
      if (opening.value === ended) opening.value = null
    },
  }
}

export type FirstRun = ReturnType<typeof createFirstRun>

/** An episode of a podcast that is not in the library, while it is heard; `second`: where it is. */
export type Sample = { name: string; hit: DirectoryHit; second: () => number; stop: () => void }

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

/** Unsaved changes of forms, by the name of the form; they are restored when the user returns to the page. */
export function createDrafts() {
  const all = signal<ReadonlyMap<string, unknown>>(new Map())
  function change(edit: (drafts: Map<string, unknown>) => void) {
    const next = new Map(all.peek())
    edit(next)
    all.value = next
  }
  return {
    all,
    keep: (name: string, draft: unknown) => change(drafts => void drafts.set(name, draft)),
    clear: () => (all.value = new Map()),
    forget: (name: string) => change(drafts => void drafts.delete(name)),
  }
}
