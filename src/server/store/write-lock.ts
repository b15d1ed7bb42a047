import { Database, type Statement } from 'bun:sqlite'

const HELD = 0
const WAITING = 1
const MAX_WAIT_MS = 5000

export type WriteLock = ReturnType<typeof createWriteLock>

/**
 * Two threads write into one database, one at a time. SQLite sees to that, but whoever waits there sleeps for up to a
 * tenth of a second before he looks again; here he is woken. `memory` is what the threads share.
 */
export function createWriteLock(memory = new SharedArrayBuffer(8)) {
  const cells = new Int32Array(memory)
  let depth = 0

  const take = () => Atomics.compareExchange(cells, HELD, 0, 1) === 0

  /** Whether it was got. Who does not get it in five seconds goes on without: the database has its own lock. */
  function acquire(): boolean {
    if (take()) return true
    Atomics.add(cells, WAITING, 1)
    const giveUpAt = performance.now() + MAX_WAIT_MS
    let isTaken = take()
    while (!isTaken && performance.now() < giveUpAt) {
      Atomics.wait(cells, HELD, 1, 100)
      isTaken = take()
    }
    Atomics.sub(cells, WAITING, 1)
    return isTaken
  }
  function release() {
    Atomics.store(cells, HELD, 0)
    Atomics.notify(cells, HELD, 1)
  }

  return {
    memory,
    /** Within what already holds it, it is just done. */
    hold<T>(work: () => T): T {
      if (depth > 0) return work()
      const isTaken = acquire()
      depth++
      try {
        return work()
      } finally {
        depth--
        if (isTaken) release()
      }
    },
    isWantedByOthers: () => Atomics.load(cells, WAITING) > 0,
    /** After the other thread was ended, perhaps while it held the lock or waited for it. */
    reset() {
      Atomics.store(cells, WAITING, 0)
      release()
    },
  }
}

const reads = /^\s*(SELECT|WITH|PRAGMA|EXPLAIN)\b/i

/** Every statement that writes holds the lock. */
export function holdWhenWriting(db: Database, lock: WriteLock) {
  const held = new WeakMap<Statement, Statement>()
  db.query = ((sql: string) => {
    const statement = Database.prototype.query.call(db, sql)
    if (reads.test(sql)) return statement
    let one = held.get(statement)
    if (!one) {
      one = {
        run: (...values: never[]) => lock.hold(() => statement.run(...values)),
        get: (...values: never[]) => lock.hold(() => statement.get(...values)),
        all: (...values: never[]) => lock.hold(() => statement.all(...values)),
      } as unknown as Statement
      held.set(statement, one)
    }
    return one
  }) as Database['query']
}
