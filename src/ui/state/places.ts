const MOST = 30
const PATIENCE_MS = 1500

type Place = { y: number; lists: Map<string, unknown> }

/**
 * Where somebody was on each page, and what its lists held: going back finds both as they were. The browser's own way gives
 * up before a list is there.
 */
export function createPlaces(
  window: Pick<Window, 'addEventListener' | 'scrollTo' | 'requestAnimationFrame'> & {
    readonly scrollY: number
    readonly history: History
    readonly location: Location
  },
) {
  const places = new Map<string, Place>()
  let isBack = false
  let arrivedAt = ''
  let sought: { y: number; until: number } | null = null
  const here = () => window.location.pathname + window.location.search

  function placeHere(): Place {
    const known = places.get(here()) ?? { y: 0, lists: new Map<string, unknown>() }
    places.delete(here())
    places.set(here(), known)
    if (places.size > MOST) places.delete(places.keys().next().value!)
    return known
  }
  function seek() {
    if (!sought) return
    window.scrollTo(0, sought.y)
    if (Math.abs(window.scrollY - sought.y) < 2 || performance.now() > sought.until) sought = null
    else window.requestAnimationFrame(seek)
  }

  window.history.scrollRestoration = 'manual'
  // Going back over a part of the same page is no way to another one.
  window.addEventListener('popstate', () => (isBack = here() !== arrivedAt))
  window.addEventListener('scroll', () => {
    if (!sought) placeHere().y = window.scrollY
  })
  // Whoever scrolls himself is not taken anywhere.
  for (const type of ['wheel', 'touchstart', 'keydown']) window.addEventListener(type, () => (sought = null))

  return {
    /** A page is there: at its top, or, after going back, where it was left. */
    arrive() {
      arrivedAt = here()
      if (isBack) {
        sought = { y: placeHere().y, until: performance.now() + PATIENCE_MS }
        seek()
      } else {
        sought = null
        window.scrollTo(0, 0)
      }
      isBack = false
    },
    /** What a list of this page held when it was left; only on the way back to it. */
    remembered: <T>(list: string): T | undefined => (isBack ? (placeHere().lists.get(list) as T) : undefined),
    remember: (list: string, content: unknown) => void placeHere().lists.set(list, content),
  }
}
