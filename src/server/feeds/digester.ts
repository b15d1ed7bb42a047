import { SECOND } from '../platform/clock'
import { collectGarbage } from '../platform/engine'
import { feedLimits, type FeedLimits, type FetchedBody } from './fetch/fetch'
import { TaskFailed, ThreadLost, type Thread } from '../thread'
import type { Applied } from './apply/apply'
import type { ApplyRequest, DigestFeedRequest, DigestOutcome, FeedTasks, Merged } from './tasks'

/** A feed that took too long to read, or made our reader throw. */
export class UnreadableFeed extends Error {
  override name = 'UnreadableFeed'
}

type Digested = Exclude<DigestOutcome, { reason: 'unreadable' }>
/** The reason why a body contains no feed that can be stored. */
export type NotDigested = Exclude<Digested, { ok: true }>

export type Digester = ReturnType<typeof createDigester>

/** Reads and applies feeds in the second thread, which stays alive as long as it holds a digest. */
export function createDigester(thread: Thread<FeedTasks>) {
  const holds = new Map<number, () => void>()
  const pace = createPace()

  function release(digestIds: readonly number[]) {
    for (const digestId of digestIds) {
      holds.get(digestId)?.()
      holds.delete(digestId)
    }
  }

  return {
    /**
     * Keeps the digest in the thread until it is applied or forgotten; the memory of the body moves there. Throws
     * UnreadableFeed or ThreadLost.
     */
    async digest(request: DigestFeedRequest): Promise<Digested> {
      const moved = [request.body.buffer]
      const result = await pace
        .digest(() => thread.runUntrusted('digestFeed', request, { moved }))
        .catch(error => {
          throw error instanceof TaskFailed ? new UnreadableFeed(error.message) : error
        })
      if (result.ok) holds.set(result.summary.digestId, thread.hold())
      else if (result.reason === 'unreadable') throw new UnreadableFeed(result.bug)
      return result
    },
    /** Writes digests into the library; null when the podcast is gone. Throws ThreadLost. */
    async apply(request: ApplyRequest): Promise<(Applied & Merged) | null> {
      const applied = await pace.apply(thread.run('applyDigests', request)).finally(() => release(request.digestIds))
      if (applied === 'lost') throw new ThreadLost('The digests were lost with their thread')
      return applied
    },
    /** Drops digests that will not be applied. */
    forget(digestIds: readonly number[]) {
      thread.post('forgetDigests', digestIds)
      release(digestIds)
    },
  }
}

/** Fetching leaves a sixth of the garbage that reading does. */
const FETCHING_LEAVES_LESS = 6

/**
 * Digests a fetched body, compared with the podcast that it belongs to, if there is one. The body moves to the second
 * thread, so it can be digested only once, unless it is kept.
 */
export function digestFetched(
  { digester, limits = feedLimits }: { digester: Digester; limits?: FeedLimits | undefined },
  { body, isCut, contentType, contentEncoding, url }: FetchedBody,
  podcastId: number | null,
  keepsBody = false,
) {
  const { maxBytes } = limits
  // The bodies of many feeds would pile up in this thread, too, each once as it came and once in one piece.
  collectGarbage(body.byteLength / FETCHING_LEAVES_LESS)
  return digester.digest({
    body: keepsBody ? body.slice() : body,
    isCut,
    contentType,
    contentEncoding,
    address: url,
    maxBytes,
    podcastId,
  })
}

/** Time after which a feed is digested while others are still being stored, in ms: the longest take many seconds. */
const MAX_WAIT_MS = SECOND

/**
 * Digests one feed after the other, each once those before it are stored. The digests of many feeds would pile up in
 * the second thread, where digesting and storing take turns anyway.
 */
export function createPace(mostWaitMs = MAX_WAIT_MS) {
  const applying = new Set<Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()

  async function applied() {
    if (applying.size > 0) await Promise.race([Promise.allSettled(applying), Bun.sleep(mostWaitMs)])
  }

  return {
    /** Starts to digest a feed when its turn has come. */
    digest<T>(start: () => Promise<T>): Promise<T> {
      const result = last.then(applied).then(start)
      last = result.catch(() => undefined)
      return result
    },
    /** Notes that a digest is being stored. */
    apply<T>(work: Promise<T>): Promise<T> {
      applying.add(work)
      return work.finally(() => applying.delete(work))
    },
  }
}
