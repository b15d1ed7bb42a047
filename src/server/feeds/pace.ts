import { SECOND } from '../platform/clock'

/** Time after which a feed is read while others are still being stored: the longest ones take many seconds. */
const MAX_WAIT_MS = SECOND

/**
 * Lets feeds be read one after the other, each once those before it are stored. The digests of many feeds would pile up
 * in the second thread, where reading and storing take turns anyway.
 */
export function createPace(mostWaitMs = MAX_WAIT_MS) {
  const applying = new Set<Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()

  async function applied() {
    if (applying.size > 0) await Promise.race([Promise.allSettled(applying), Bun.sleep(mostWaitMs)])
  }

  return {
    /** Starts a reading when its turn has come. */
    read<T>(start: () => Promise<T>): Promise<T> {
      const reading = last.then(applied).then(start)
      last = reading.catch(() => undefined)
      return reading
    },
    /** Notes that a digest is being stored. */
    apply<T>(work: Promise<T>): Promise<T> {
      applying.add(work)
      return work.finally(() => applying.delete(work))
    },
  }
}
