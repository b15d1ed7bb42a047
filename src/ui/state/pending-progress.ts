import type { Progress } from '../../shared/api/history'
import { ApiError } from '../api/client'

const KEY = 'progress.pending'
const MAX_PENDING = 1000

type Save = (progress: Progress, options?: { leaving?: boolean }) => Promise<unknown>
type Pending = Record<string, Progress>
export type PendingProgress = ReturnType<typeof createPendingProgress>

/**
 * Positions from while the server couldn't be reached: kept in this browser, the last one of each episode, and sent
 * later. The server decides by their timestamps which is newer.
 */
export function createPendingProgress(send: Save, storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const { read, write } = createStored(storage)
  function forget(sent: Progress) {
    const { [sent.podcastEpisodeId]: last, ...others } = read()
    if (last?.timestamp === sent.timestamp) write(others)
  }

  const save: Save = async (progress, options) => {
    const whole = withUnsent(progress, read()[progress.podcastEpisodeId])
    write({ ...read(), [progress.podcastEpisodeId]: whole })
    try {
      await send(whole, options)
    } catch (error) {
      if (isFinal(error)) forget(progress)
      throw error
    }
    forget(progress)
  }
  return {
    save,
    find: (eid: string): Progress | undefined => read()[eid],
    /**
     * Sends what is pending. Stops if the server can't be reached again; a final refusal doesn't hold up the others.
     */
    async flush() {
      for (const eid of Object.keys(read())) {
        // It may be newer by now, or another tab has sent it.
        const progress = read()[eid]
        if (progress)
          await save(progress).catch((error: unknown) => {
            if (!isFinal(error)) throw error
          })
      }
    },
    /** The last of each episode, by its `episode_id`. */
    all: read,
    clear: () => storage.removeItem(KEY),
  }
}

/** Adds the time saved by an earlier report that has not arrived. */
function withUnsent(progress: Progress, unsent: Progress | undefined): Progress {
  if (!unsent || unsent.timestamp === progress.timestamp) return progress
  const saved = (progress.saved ?? 0) + (unsent.saved ?? 0)
  const trimmed = (progress.trimmed ?? 0) + (unsent.trimmed ?? 0)
  return saved > 0 || trimmed > 0 ? { ...progress, saved, trimmed } : progress
}

function createStored(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    read(): Pending {
      try {
        return JSON.parse(storage.getItem(KEY) ?? '{}') as Pending
      } catch {
        return {}
      }
    },
    write(pending: Pending) {
      const entries = Object.entries(pending).slice(-MAX_PENDING)
      try {
        if (entries.length === 0) storage.removeItem(KEY)
        else storage.setItem(KEY, JSON.stringify(Object.fromEntries(entries)))
      } catch {
        // There is no room in this browser; the position is sent anyway.
      }
    },
  }
}

/** Statuses of requests made at the wrong time: not signed in, too slow, too many. */
const temporary: ReadonlySet<number> = new Set([401, 408, 429])

/** A refusal is final; a request that never arrived, or was made at the wrong time, is repeated. */
export const isFinal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !temporary.has(error.status)
