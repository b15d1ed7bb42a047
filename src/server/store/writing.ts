import { Database, type Statement } from 'bun:sqlite'

/** How long a statement waits inside SQLite, where it holds the lock of the threads and blocks its whole thread. */
const INSIDE_MS = 50
/** The same for threads that then wait outside and begin again. */
const BRIEFLY_MS = 5
const PATIENCE_MS = 30_000
const RETRY_EVERY_MS = 20
const POLL_EVERY_MS = 10

/** Whether an error means that another connection is writing; the statement or transaction has changed nothing. */
export const isBusy = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')

export type Writing = ReturnType<typeof createWriting>

/**
 * Waits while another process writes: a write of this thread blocks for up to `PATIENCE_MS`, without the lock of the
 * threads; after `neverStandStill` not at all.
 */
export function createWriting(db: Database, lock: WriteLock) {
  let patienceMs = PATIENCE_MS
  db.run(`PRAGMA busy_timeout = ${BRIEFLY_MS}`)
  const probe = createProbe(db.filename)
  let isClosed = false
  let freed: Promise<void> | null = null

  /** Whether nobody else is writing at this moment. */
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
        // If nobody else is writing, it is done when this returns.
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

/** Asks whether another process writes, over a separate connection: the usual one may be reading. */
function createProbe(path: string) {
  let db: Database | null = null
  return {
    isFree(): boolean {
      try {
        db ??= new Database(path, { readwrite: true, create: false })
        db.run('BEGIN IMMEDIATE')
      } catch (error) {
        if (isBusy(error)) return false
        // The statement itself will report what is wrong.
        return true
      }
      db.run('ROLLBACK')
      return true
    },
    close: () => db?.close(),
  }
}

/** How a store writes; its pauses in milliseconds. */
export type Ways = { lock: WriteLock; writing: Writing; minPauseMs: number; maxPauseMs: number }

type Needs = Ways & { db: Database; inTransaction: <T>(work: () => T) => T }

const TURNS_TO_CHECKPOINT = 32
/** How long a piece may keep others from writing. */
const PIECE_MS = 10
const PAUSE_MS = 2
const FIRST_PIECE = 50
const MAX_AT_ONCE = 500

/** Runs large work as many short transactions. */
export function createTurns({ db, lock, writing, inTransaction, minPauseMs, maxPauseMs }: Needs) {
  let turns = 0

  async function inTurn<T>(work: () => T): Promise<T> {
    const result = await writing.write(() => inTransaction(work))
    // Moves the log into the database here, where others can still write, rather than in a commit that keeps them
    // waiting.
    if (++turns % TURNS_TO_CHECKPOINT === 0) db.run('PRAGMA wal_checkpoint(PASSIVE)')
    const resumeAt = performance.now() + maxPauseMs
    do await Bun.sleep(minPauseMs)
    while (lock.isWantedByOthers() && performance.now() < resumeAt)
    return result
  }

  return {
    /** Runs `work` as one of many transactions in a row: threads that wait to write get their turn in between. */
    inTurn,
    /**
     * Calls `doSome` with the most rows that it may change until it changes none, each time in a transaction of some
     * ten milliseconds, with pauses. Resolves to whether it finished within `most` calls.
     */
    async inPieces(doSome: (rows: number) => number, most = Infinity): Promise<boolean> {
      let rows = FIRST_PIECE
      for (let piece = 0; piece < most; piece++) {
        // Measured inside, since a turn of the command line also pauses.
        const { count, isSlow } = await inTurn(() => {
          const begunAt = performance.now()
          const count = doSome(rows)
          return { count, isSlow: performance.now() - begunAt > PIECE_MS }
        })
        if (count === 0) return true
        rows = isSlow ? Math.max(1, rows >> 1) : Math.min(MAX_AT_ONCE, rows * 2)
        await Bun.sleep(PAUSE_MS)
      }
      return false
    },
  }
}

// Why: docs/internals/decisions/0001

const HELD = 0
const WAITING = 1
const WRITES = 2
const CELLS = 3
const MAX_WAIT_MS = 5000
const CHECK_EVERY_MS = 100

export type WriteLock = ReturnType<typeof createWriteLock>

/**
 * Creates a lock for the threads that write into one database; `memory` is what they share. SQLite would separate them
 * as well, but a thread that waits there sleeps for up to a tenth of a second before it tries again; this lock wakes
 * it.
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
      // After the longest wait it writes without the lock: the database has a lock as well.
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

/** Waits until the lock is free; returns false when the wait was too long. */
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

// Why: docs/internals/decisions/0057

// There are some 400 statements, of which Bun would keep the last 20 prepared.
const MAX_PREPARED = 500
Database.MAX_QUERY_CACHE_SIZE = MAX_PREPARED

const reads = /^\s*(SELECT|WITH|PRAGMA|EXPLAIN)\b/i
const comparedOrLimit = /(=\s*|\bLIMIT\s+)([$?])/gi

/**
 * Puts a `+` before parameters that are compared with or limit a list. The planner of SQLite inspects the value of a
 * plain parameter, and plans the statement again each time a value is bound, which takes longer than most of them run.
 * It does not inspect the value of an expression. The plan is the same.
 */
const withFixedPlan = (sql: string) => sql.replaceAll(comparedOrLimit, '$1+$2')

/** Keeps the statements of a database prepared, and makes those that write wait for each other. */
export function setUpStatements(db: Database, writing: Writing) {
  const fixed = new Map<string, string>()
  const held = new WeakMap<Statement, Statement>()

  db.query = ((sql: string) => {
    let text = fixed.get(sql)
    if (text === undefined) {
      if (fixed.size >= MAX_PREPARED) fixed.clear()
      fixed.set(sql, (text = withFixedPlan(sql)))
    }
    const statement = Database.prototype.query.call(db, text)
    if (reads.test(text)) return statement
    let one = held.get(statement)
    if (!one) held.set(statement, (one = holdWhile(statement, writing)))
    return one
  }) as Database['query']
}

const holdWhile = (statement: Statement, { hold }: Writing) =>
  ({
    run: (...values: never[]) => hold(() => statement.run(...values)),
    get: (...values: never[]) => hold(() => statement.get(...values)),
    all: (...values: never[]) => hold(() => statement.all(...values)),
  }) as unknown as Statement
