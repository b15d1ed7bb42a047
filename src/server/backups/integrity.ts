import { DAY, MINUTE, type Clock } from '../platform/clock'
import type { Log } from '../platform/log'
import type { Thread } from '../thread'
import type { BackupTasks } from './tasks'

type Needs = {
  /** A thread of its own, for as long as it takes. */
  background: () => Thread<BackupTasks>
  /** What to do about damage, in a sentence. */
  advice: () => string
  now: Clock
  log: Log
}

/** The start has other work to do, and the disk with it. */
const FIRST_AFTER_MS = 10 * MINUTE

/** Reads the whole database through, some minutes after the start and then every day: what the start itself has no time for. */
export function createIntegrity({ background, advice, now, log }: Needs) {
  let checkedAt = now() - DAY + FIRST_AFTER_MS
  let damage: string | null = null
  let running: Promise<void> | null = null
  let thread: Thread<BackupTasks> | null = null

  async function readThrough() {
    thread = background()
    try {
      damage = await thread.run('check', null)
      checkedAt = now()
      if (damage !== null) log.error('the database is damaged', { reason: damage, advice: advice() })
    } finally {
      await thread.close()
      thread = null
    }
  }

  const check = () => (running ??= readThrough().finally(() => (running = null)))

  return {
    check,
    /** A clock that went back makes it due as well. */
    checkIfDue: async () => (Math.abs(now() - checkedAt) >= DAY ? check() : undefined),
    /** What the last check found, in the words of SQLite; null = nothing. */
    damage: () => damage,
    /** Gives up what is under way: it takes longer than anybody waits for the end of a process. */
    stop: () => thread?.close(),
  }
}
