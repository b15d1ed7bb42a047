import type { Database } from 'bun:sqlite'
import type { WriteLock } from './write-lock'
import type { Writing } from './writing'

/** How a store writes; its pauses in milliseconds. */
export type Ways = { lock: WriteLock; writing: Writing; minPauseMs: number; maxPauseMs: number }

type Needs = Ways & { db: Database; inTransaction: <T>(work: () => T) => T }

const TURNS_TO_CHECKPOINT = 32
/** How long a piece may keep others from writing. */
const PIECE_MS = 10
const PAUSE_MS = 2
const FIRST_PIECE = 50
const MOST_AT_ONCE = 500

/** Runs large work as many short transactions. */
export function createTurns({ db, lock, writing, inTransaction, minPauseMs, maxPauseMs }: Needs) {
  let turns = 0

  async function inTurn<T>(work: () => T): Promise<T> {
    const result = await writing.write(() => inTransaction(work))
    // Moves the log into the database here, while others may write, and not in a commit that keeps them waiting.
    if (++turns % TURNS_TO_CHECKPOINT === 0) db.run('PRAGMA wal_checkpoint(PASSIVE)')
    const resumeAt = performance.now() + maxPauseMs
    do await Bun.sleep(minPauseMs)
    while (lock.isWantedByOthers() && performance.now() < resumeAt)
    return result
  }

  return {
    /** Runs `work` as one of many transactions in a row: threads that wait to write come in between. */
    inTurn,
    /**
     * Calls `doSome` with the most rows that it may change until it changes none, each time in a transaction of some
     * ten milliseconds, with pauses. Resolves to whether it came to an end within `most` calls.
     */
    async inPieces(doSome: (rows: number) => number, most = Infinity): Promise<boolean> {
      let rows = FIRST_PIECE
      for (let piece = 0; piece < most; piece++) {
        // Measured inside: a turn of the command line also pauses.
        const { count, isSlow } = await inTurn(() => {
          const begunAt = performance.now()
          const count = doSome(rows)
          return { count, isSlow: performance.now() - begunAt > PIECE_MS }
        })
        if (count === 0) return true
        rows = isSlow ? Math.max(1, rows >> 1) : Math.min(MOST_AT_ONCE, rows * 2)
        await Bun.sleep(PAUSE_MS)
      }
      return false
    },
  }
}
