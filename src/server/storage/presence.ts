import { type Clock, SECOND } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import { StorageFailure } from './storage'

const PAUSE_MS = 5 * SECOND

type Needs = {
  /** Sends the storage any request; rejects while it can't be reached. */
  probe: () => Promise<unknown>
  /** The storage, for people. */
  name: string
  /** A clock that never runs backwards. */
  elapsed: Clock
  log: Log
  onReturn: () => void
}

export type Presence = ReturnType<typeof createPresence>

/**
 * Remembers whether a storage in the network can be reached. It counts as unreachable until its first answer; while it
 * is, it is asked again whenever somebody wants to know, at most every few seconds.
 */
export function createPresence({ probe, name, elapsed, log, onReturn }: Needs) {
  let isPresent: boolean | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<boolean> | null = null
  let reason = 'it was not asked yet'

  function note(next: boolean, error?: unknown) {
    if (error !== undefined) reason = error instanceof StorageFailure ? error.message : describeError(error)
    if (next === isPresent) return
    const was = isPresent
    isPresent = next
    if (!next) log.error('Media storage cannot be reached: downloads wait until it can', { storage: name, reason })
    else if (was === false) log.info('Media storage can be reached again: downloads resume', { storage: name })
    if (next) onReturn()
  }

  function ask(): Promise<boolean> {
    askedAt = elapsed()
    asking ??= probe()
      .then(
        () => note(true),
        error => note(false, error),
      )
      .then(() => isPresent === true)
      .finally(() => (asking = null))
    return asking
  }

  const askIfDue = () => {
    if (isPresent !== true && elapsed() - askedAt >= PAUSE_MS) void ask()
  }

  return {
    /** Asks now. */
    ask,
    /** The reason why it can't be reached. */
    reason: () => reason,
    note,
    isPresent(): boolean {
      askIfDue()
      return isPresent === true
    },
    /** Whether it is known to be unreachable; false before its first answer. */
    isAway(): boolean {
      askIfDue()
      return isPresent === false
    },
  }
}
