// Why: docs/internals/decisions/0001

const HELD = 0
const WAITING = 1
const WRITES = 2
const CELLS = 3
const MAX_WAIT_MS = 5000
const CHECK_EVERY_MS = 100

export type WriteLock = ReturnType<typeof createWriteLock>

/**
 * Creates a lock for the threads that write into one database; `memory` is what they share. SQLite would keep them
 * apart as well, but a thread that waits there sleeps for up to a tenth of a second before it tries again; this lock
 * wakes it.
 */
export function createWriteLock(
  memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT),
  maxWaitMs = MAX_WAIT_MS,
) {
  const cells = new Int32Array(memory)
  let depth = 0
  /** Waits of `whenFree`. */
  let waits = 0

  return {
    memory,
    /** Runs `work` while no other thread holds the lock. A call within `work` runs at once. */
    hold<T>(work: () => T): T {
      if (depth > 0) return work()
      // After the longest wait it writes without the lock: the database has its own.
      const isClaimed = claim(cells, maxWaitMs)
      depth++
      try {
        return work()
      } finally {
        depth--
        Atomics.add(cells, WRITES, 1)
        if (isClaimed) release(cells)
      }
    },
    /** Whether this thread holds the lock. */
    isOurs: () => depth > 0,
    isFree: () => Atomics.load(cells, HELD) === 0,
    /** A number that changes with everything that a thread of this process writes. */
    writes: () => Atomics.load(cells, WRITES),
    /** Settles when no thread holds the lock, or after the longest wait, and lets this thread work until then. */
    async whenFree() {
      waits++
      Atomics.add(cells, WAITING, 1)
      const giveUpAt = performance.now() + maxWaitMs
      while (Atomics.load(cells, HELD) === 1 && performance.now() < giveUpAt) await Bun.sleep(1)
      Atomics.sub(cells, WAITING, 1)
      waits--
    },
    isWantedByOthers: () => Atomics.load(cells, WAITING) > 0,
    /** Frees the lock after the other thread was terminated, perhaps while it held the lock or waited for it. */
    reset() {
      Atomics.store(cells, WAITING, waits)
      release(cells)
    },
  }
}

/** Waits until the lock is free; answers false when the wait was too long. */
function claim(cells: Int32Array, maxWaitMs: number): boolean {
  const tryClaim = () => Atomics.compareExchange(cells, HELD, 0, 1) === 0
  if (tryClaim()) return true
  Atomics.add(cells, WAITING, 1)
  const giveUpAt = performance.now() + maxWaitMs
  let isClaimed = tryClaim()
  while (!isClaimed && performance.now() < giveUpAt) {
    Atomics.wait(cells, HELD, 1, CHECK_EVERY_MS)
    isClaimed = tryClaim()
  }
  Atomics.sub(cells, WAITING, 1)
  return isClaimed
}

function release(cells: Int32Array) {
  Atomics.store(cells, HELD, 0)
  Atomics.notify(cells, HELD, 1)
}
