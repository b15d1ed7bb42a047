import { flushSync } from 'react-dom'

/**
 * Makes a change of the page in which the cover moves between the bar and the open player. Without the browser's support,
 * or for those who want less motion, the change is there at once.
 */
export function movingCover(change: () => void) {
  if (!document.startViewTransition || matchMedia('(prefers-reduced-motion: reduce)').matches) return change()
  const { classList } = document.documentElement
  classList.add('is-moving-cover')
  const transition = document.startViewTransition(() => flushSync(change))
  // A newer one replaces it.
  transition.ready.catch(() => undefined)
  void transition.finished.finally(() => classList.remove('is-moving-cover'))
}
