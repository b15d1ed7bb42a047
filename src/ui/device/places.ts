const MAX_PLACES = 30
const PATIENCE_MS = 1500

type Place = { y: number; lists: Map<string, unknown> }
type Window = Pick<globalThis.Window, 'addEventListener' | 'scrollTo' | 'requestAnimationFrame'> & {
  readonly scrollY: number
  readonly history: History
  readonly location: Location
}

/**
 * The place of the user on each page, and the content of its lists: going back finds both as they were. The browser's
 * own restoration stops before a list has loaded.
 */
export function createPlaces(window: Window) {
  const here = () => window.location.pathname + window.location.search
  const placeHere = createMemory(here)
  const scroller = createScroller(window)
  let isBack = false
  let arrivedAt = ''

  window.history.scrollRestoration = 'manual'
  // Going back within one page does not lead to another.
  window.addEventListener('popstate', () => (isBack = here() !== arrivedAt))
  window.addEventListener('scroll', () => {
    if (!scroller.isSeeking()) placeHere().y = window.scrollY
  })

  return {
    /** Scrolls a page that has just appeared to its top, or, after going back, to where it was left. */
    arrive() {
      arrivedAt = here()
      if (isBack) scroller.seek(placeHere().y)
      else scroller.toTop()
      isBack = false
    },
    /** Returns the content of a list when its page was left, and undefined unless the user returns to it. */
    remembered: <T>(list: string): T | undefined => (isBack ? (placeHere().lists.get(list) as T) : undefined),
    remember: (list: string, content: unknown) => void placeHere().lists.set(list, content),
  }
}

/** The places of the last pages, by address; asking for one makes it the latest. */
function createMemory(here: () => string) {
  const places = new Map<string, Place>()
  return (): Place => {
    const known = places.get(here()) ?? { y: 0, lists: new Map<string, unknown>() }
    places.delete(here())
    places.set(here(), known)
    if (places.size > MAX_PLACES) places.delete(places.keys().next().value!)
    return known
  }
}

/** Scrolls to a height as soon as the page is long enough for it, and gives up after a while. */
function createScroller(window: Window) {
  let sought: { y: number; until: number } | null = null
  function step() {
    if (!sought) return
    window.scrollTo(0, sought.y)
    if (Math.abs(window.scrollY - sought.y) < 2 || performance.now() > sought.until) sought = null
    else window.requestAnimationFrame(step)
  }
  // A user who scrolls takes over.
  for (const type of ['wheel', 'touchstart', 'keydown']) window.addEventListener(type, () => (sought = null))
  return {
    isSeeking: () => sought !== null,
    seek(y: number) {
      sought = { y, until: performance.now() + PATIENCE_MS }
      step()
    },
    toTop() {
      sought = null
      window.scrollTo(0, 0)
    },
  }
}
