import type { BegunWork } from '../begun-work'
import { type Clock, DAY, MINUTE } from '../platform/clock'
import type { Log } from '../platform/log'
import type { Thread } from '../thread'

/** Task of a thread: reads the whole database; answers a description of the damage, or null. */
export type IntegrityTasks = { check: { request: null; result: string | null } }

type Needs = {
  /** Creates a separate thread for each check. */
  newThread: () => Thread<IntegrityTasks>
  /** Advice for a damaged database, in a sentence. */
  advice: () => string
  now: Clock
  log: Log
  begun: BegunWork
}

const item = { kind: 'check', key: 'database', label: 'database' } as const
/** The start needs the disk for other work. */
const FIRST_AFTER_MS = 10 * MINUTE

/** Reads the whole database some minutes after the start and then every day, since the start has no time for it. */
export function createIntegrity({ newThread, advice, now, log, begun }: Needs) {
  let checkedAt = now() - DAY + FIRST_AFTER_MS
  let damage: string | null = null
  let running: Promise<void> | null = null
  let thread: Thread<IntegrityTasks> | null = null

  async function readThrough() {
    thread = newThread()
    try {
      damage = await thread.run('check', null)
      checkedAt = now()
      if (damage !== null) log.error('The database is damaged', { reason: damage, advice: advice() })
    } finally {
      await thread.close()
      thread = null
    }
  }

  const check = () => (running ??= begun.run(item, readThrough, () => {}).finally(() => (running = null)))

  return {
    check,
    /** A clock that was set back makes the check due as well. */
    checkIfDue: async () => (Math.abs(now() - checkedAt) >= DAY ? check() : undefined),
    /** The damage that the last check found, in the words of SQLite; null = none. */
    damage: () => damage,
    /** Aborts a running check: it takes longer than a process may take to end. */
    stop: () => thread?.close(),
  }
}
