import type { Progress } from '../../shared/api/history'
import { ApiError } from '../api/client'

const KEY = 'progress.pending'
const MOST = 1000

type Save = (progress: Progress, options?: { leaving?: boolean }) => Promise<unknown>
type Pending = Record<string, Progress>

/**
 * Where somebody was while the server was away: kept in this browser, the last of each episode, and sent when it is back.
 * The server decides by their own times what is newer.
 */
export function createPendingProgress(send: Save, storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  function read(): Pending {
    try {
      return JSON.parse(storage.getItem(KEY) ?? '{}') as Pending
    } catch {
      return {}
    }
  }
  function write(pending: Pending) {
    const entries = Object.entries(pending).slice(-MOST)
    try {
      if (entries.length === 0) storage.removeItem(KEY)
      else storage.setItem(KEY, JSON.stringify(Object.fromEntries(entries)))
    } catch {
      // There is no room in this browser: the server is told all the same.
    }
  }
  function forget(sent: Progress) {
    const { [sent.podcastEpisodeId]: last, ...others } = read()
    if (last?.timestamp === sent.timestamp) write(others)
  }

  const save: Save = async (progress, options) => {
    write({ ...read(), [progress.podcastEpisodeId]: progress })
    try {
      await send(progress, options)
    } catch (error) {
      if (isFinal(error)) forget(progress)
      throw error
    }
    forget(progress)
  }
  return {
    save,
    of: (eid: string): Progress | undefined => read()[eid],
    /** The server is back. Stops where it is gone again; what it refuses for good holds nothing else up. */
    async flush() {
      for (const eid of Object.keys(read())) {
        // Newer by now, perhaps, or sent by another tab.
        const progress = read()[eid]
        if (progress)
          await save(progress).catch((error: unknown) => {
            if (!isFinal(error)) throw error
          })
      }
    },
    clear: () => storage.removeItem(KEY),
  }
}

/** Refused is refused; what never arrived, or came at the wrong time, is sent again. */
const isFinal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
