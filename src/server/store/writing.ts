import { Database } from 'bun:sqlite'
import type { WriteLock } from './write-lock'

/** How long a statement waits inside SQLite, where it keeps the lock of the threads and all of its thread waiting. */
const INSIDE_MS = 50
/** The same for threads that wait outside afterwards, and begin again. */
const BRIEFLY_MS = 5
const PATIENCE_MS = 30_000
const RETRY_EVERY_MS = 20
const POLL_EVERY_MS = 10

/** Whether an error says that another connection writes; the statement or transaction has changed nothing. */
export const isBusy = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')

export type Writing = ReturnType<typeof createWriting>

/**
 * Waits while another process writes: a write of this thread stands still for it, without the lock of the threads, as
 * long as `PATIENCE_MS`; after `neverStandStill` not at all.
 */
export function createWriting(db: Database, lock: WriteLock) {
  let patienceMs = PATIENCE_MS
  db.run(`PRAGMA busy_timeout = ${BRIEFLY_MS}`)
  const probe = createProbe(db.filename)
  let isClosed = false
  let freed: Promise<void> | null = null

  /** Whether nobody else writes at this moment. */
  const isWritable = () => lock.isOurs() || (lock.isFree() && probe.isFree())

  async function poll() {
    for (;;) {
      await lock.whenFree()
      if (isClosed || isWritable()) return
      await Bun.sleep(POLL_EVERY_MS)
    }
  }

  return {
    /** Runs a statement or a transaction while no other thread of this process writes. Throws `SQLITE_BUSY`. */
    hold<T>(work: () => T): T {
      if (lock.isOurs() || patienceMs === 0) return lock.hold(work)
      const giveUpAt = performance.now() + patienceMs
      for (;;)
        try {
          return lock.hold(work)
        } catch (error) {
          if (!isBusy(error) || performance.now() > giveUpAt) throw error
          Bun.sleepSync(RETRY_EVERY_MS)
        }
    },
    /** For the main thread, once it has requests to answer: it asks `whenWritable` before it writes. */
    neverStandStill() {
      patienceMs = 0
      db.run(`PRAGMA busy_timeout = ${INSIDE_MS}`)
    },
    isWritable,
    whenWritable,
    /** Runs one statement or transaction of background work as soon as nobody else writes, however long that takes. */
    async write<T>(work: () => T): Promise<T> {
      if (patienceMs > 0) return work()
      for (;;) {
        // Where nobody writes, it is done when this returns.
        if (!isWritable()) await whenWritable()
        try {
          return work()
        } catch (error) {
          if (!isBusy(error) || isClosed) throw error
          await Bun.sleep(POLL_EVERY_MS)
        }
      }
    },
    close() {
      isClosed = true
      probe.close()
    },
  }

  /**
   * Settles when nobody writes, without keeping this thread waiting: call it before writing in the main thread. False
   * when that took longer than `withinMs`; without it, there is no limit.
   */
  async function whenWritable(withinMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (isWritable()) return true
    freed ??= poll().finally(() => (freed = null))
    if (withinMs === Number.POSITIVE_INFINITY) return freed.then(() => true)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(resolve, withinMs, false)
    void freed.then(() => resolve(true))
    return promise.finally(() => clearTimeout(timer))
  }
}

/** Asks whether another process writes, over its own connection: the other one may be reading. */
function createProbe(path: string) {
  let db: Database | null = null
  return {
    isFree(): boolean {
      try {
        db ??= new Database(path, { readwrite: true, create: false })
        db.run('BEGIN IMMEDIATE')
      } catch (error) {
        if (isBusy(error)) return false
        // What is wrong, the statement itself will say.
        return true
      }
      db.run('ROLLBACK')
      return true
    },
    close: () => db?.close(),
  }
}
