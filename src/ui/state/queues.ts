import type { ContinueWith } from '../../shared/api/queue'
import type { Api } from '../api'
import type { QueuesApi } from '../api/queues'
import { moved, orderOf, type QueueState } from './queue'

type Needs = {
  api: QueuesApi & Pick<Api['queue'], 'reorder'>
  queue: Pick<QueueState, 'items' | 'name' | 'others' | 'continueWith' | 'change' | 'load' | 'replace'>
}

export type Queues = ReturnType<typeof createQueues>

/**
 * Changes of the whole queue, from one queue to another, and of what plays after it. One is in use, the others are
 * saved.
 */
export function createQueues({ api, queue }: Needs) {
  const { change, load, items, name, others, continueWith } = queue
  const use = (id: string, playing?: string) =>
    change(version => api.use(id, { version, ...(playing !== undefined && { playing }) }))
  return {
    /** Shuffles the queue, and returns a function that restores the old order. `draw`: draws a place below a number. */
    shuffle: (draw?: (below: number) => number) => queue.replace(shuffled(items.value, draw)),
    /** Moves an episode. Shown at once; the server's answer replaces it. */
    async move(from: number, to: number) {
      const before = items.value
      items.value = moved(before, from, to)
      await change(version =>
        api.reorder({ ...orderOf(items.value), version }).catch((error: unknown) => {
          items.value = before
          throw error
        }),
      )
    },
    clear: () => queue.replace([]),
    /** Chooses what plays when the queue has ended. Shown at once, and undone if the server refuses. */
    async setContinueWith(choice: ContinueWith) {
      continueWith.value = choice
      await change(() => api.continueWith(choice))
    },
    /** Names the queue in use. */
    setName: (wanted: string) => change(() => api.name(wanted)),
    /** Begins an empty queue and saves this one, which later continues with `playing`, an episode by its `id`. */
    begin: (wanted: string, playing?: string) =>
      change(version => api.begin({ name: wanted, version, ...(playing !== undefined && { playing }) })),
    /** Uses another queue and saves this one; returns a function that switches back. */
    async use(id: string, playing?: string) {
      const left = name.value
      await use(id, playing)
      return async () => {
        const kept = others.value.find(other => other.name === left)
        if (kept) await use(kept.id)
      }
    },
    rename: (id: string, wanted: string) => change(() => api.rename(id, wanted)),
    /** Deletes another queue, and returns a function that restores it. */
    async removeKept(id: string) {
      await api.remove(id)
      await load()
      return () => change(() => api.restore(id))
    },
  }
}

/** Returns the items in random order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], draw = drawBelow): T[] {
  const all = [...items]
  for (let last = all.length - 1; last > 0; last--) {
    const chosen = draw(last + 1)
    ;[all[last], all[chosen]] = [all[chosen]!, all[last]!]
  }
  return all
}

/** Draws a whole number that is at least 0 and less than `below`. */
function drawBelow(below: number): number {
  // Beyond it, a remainder would make the first numbers likelier.
  const fair = 2 ** 32 - (2 ** 32 % below)
  const drawn = new Uint32Array(1)
  do crypto.getRandomValues(drawn)
  while (drawn[0]! >= fair)
  return drawn[0]! % below
}
