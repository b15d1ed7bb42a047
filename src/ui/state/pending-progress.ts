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
    if (entries.length === 0) storage.removeItem(KEY)
    else storage.setItem(KEY, JSON.stringify(Object.fromEntries(entries)))
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
      // Refused is refused; what never arrived is sent again.
      if (!(error instanceof ApiError) || error.status !== 0) forget(progress)
      throw error
    }
    forget(progress)
  }
  return {
    save,
    of: (eid: string): Progress | undefined => read()[eid],
    /** The server is back. Stops where it is gone again. */
    async flush() {
      for (const progress of Object.values(read())) await save(progress)
    },
    clear: () => storage.removeItem(KEY),
  }
}
