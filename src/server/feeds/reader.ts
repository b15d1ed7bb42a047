import { TaskFailed, ThreadLost, type Thread } from '../thread'
import type { Applied } from './apply'
import { createPace } from './pace'
import type { ApplyRequest, Merged, FeedTasks, ReadRequest, ReadResult } from './tasks'

/** A feed that took too long to read, or on which our reader threw. */
export class UnreadableFeed extends Error {
  override name = 'UnreadableFeed'
}

type Readable = Exclude<ReadResult, { reason: 'unreadable' }>
/** Why a body holds no feed that can be stored. */
export type Unread = Exclude<Readable, { ok: true }>

export type FeedReader = ReturnType<typeof createFeedReader>

/** Reads and applies feeds in the second thread, which stays for as long as it keeps a digest. */
export function createFeedReader(thread: Thread<FeedTasks>) {
  const holds = new Map<number, () => void>()
  const pace = createPace()

  function release(readings: readonly number[]) {
    for (const kept of readings) {
      holds.get(kept)?.()
      holds.delete(kept)
    }
  }

  return {
    /**
     * Keeps the digest in the thread until it is applied or forgotten; the memory of the body moves there. Throws
     * UnreadableFeed or ThreadLost.
     */
    async read(request: ReadRequest): Promise<Readable> {
      const moved = [request.body.buffer]
      const result = await pace
        .read(() => thread.runUntrusted('read', request, { moved }))
        .catch(error => {
          throw error instanceof TaskFailed ? new UnreadableFeed(error.message) : error
        })
      if (result.ok) holds.set(result.reading.kept, thread.hold())
      else if (result.reason === 'unreadable') throw new UnreadableFeed(result.bug)
      return result
    },
    /** Writes digests into the library; null when the podcast is gone. Throws ThreadLost. */
    async apply(request: ApplyRequest): Promise<(Applied & Merged) | null> {
      const applied = await pace.apply(thread.run('apply', request)).finally(() => release(request.readings))
      if (applied === 'lost') throw new ThreadLost('The digests were lost with their thread')
      return applied
    },
    /** Drops digests that will not be applied. */
    forget(readings: readonly number[]) {
      thread.post('forget', readings)
      release(readings)
    },
  }
}
