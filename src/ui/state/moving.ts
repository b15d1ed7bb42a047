import { signal, type ReadonlySignal } from '@preact/signals-core'

export type Moving = ReturnType<typeof createMoving>

/** The part that every page has in moves from other programs: a file that was dropped on it, and news of the server. */
export function createMoving() {
  const dropped = signal<File | null>(null)
  const news = signal(0)
  return {
    /** A file that waits for the page that uploads it; `claim` hands it over once. */
    dropped: dropped as ReadonlySignal<File | null>,
    drop(file: File) {
      dropped.value = file
    },
    claim(): File | null {
      const file = dropped.peek()
      dropped.value = null
      return file
    },
    /** Grows whenever a move came a step further. */
    news,
    changed() {
      news.value++
    },
  }
}
