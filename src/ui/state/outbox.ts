import type { Api } from '../api'
import { ApiError } from '../api/client'
import type { Act, Acts } from './acts'
import { isFinal } from './pending-progress'

export type Later = {
  later?: (work: () => void, ms: number) => unknown
  /** Called when acts were sent after such a pause. */
  onLate: () => void
}
type Waiting = { resolve: (answer: unknown) => void; reject: (error: unknown) => void }

/**
 * Sends acts in their order, also those of an earlier page, one tab at a time. A refusal drops an act, unless it is one
 * for now: then they are sent again after a while.
 */
export function createOutbox(api: Pick<Api, 'episodes' | 'queue' | 'playback'>, acts: Acts, needs: Later) {
  const waiting = new Map<string, Waiting>()
  let refusals = 0
  let isPlanned = false

  function tryLater(error: unknown) {
    // Without an answer, the connection says when.
    if (isPlanned || !(error instanceof ApiError) || error.status === 0) return
    isPlanned = true
    const { later = setTimeout } = needs
    later(() => void sendAgain(), pauseAfter(error, refusals++))
  }
  let running: Promise<boolean> = Promise.resolve(false)

  async function sendAll(): Promise<boolean> {
    let hasSent = false
    for (let act = acts.list()[0]; act; act = acts.list()[0]) {
      const { id } = act
      try {
        const answer = await call(api, act, !waiting.has(id))
        acts.remove(other => other.id === id)
        hasSent = true
        refusals = 0
        waiting.get(id)?.resolve(answer)
      } catch (error) {
        if (!isFinal(error) && !isBug(error)) {
          // They are sent later.
          for (const { resolve } of waiting.values()) resolve(null)
          waiting.clear()
          tryLater(error)
          return hasSent
        }
        acts.remove(other => other.id === id)
        waiting.get(id)?.reject(error)
      }
      waiting.delete(id)
    }
    return hasSent
  }
  async function sendAgain() {
    isPlanned = false
    if (await flush().catch(() => false)) needs.onLate()
  }
  const flush = () => (running = running.catch(() => false).then(() => alone(sendAll)))
  return {
    flush,
    /** Sends a kept act after all that were kept before it; resolves with null if that can only happen later. */
    async send(act: Act) {
      const { id } = act
      if (!acts.list().some(other => other.id === id)) return call(api, act, false)
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
      await flush()
      // Another tab has sent it.
      waiting.get(id)?.resolve(null)
      waiting.delete(id)
      return answer
    },
  }
}

const FIRST_PAUSE_MS = 15_000
const MAX_PAUSE_MS = 600_000

/** The pause that the server asks for, or twice the one before, within bounds. */
function pauseAfter({ retryAfter }: ApiError, refusals: number): number {
  const ms = retryAfter === null ? FIRST_PAUSE_MS * 2 ** Math.min(refusals, 10) : retryAfter * 1000
  return Math.min(MAX_PAUSE_MS, Math.max(1000, ms))
}

/** Whether the server names a request that failed in its log: the act would fail again, before all that follow it. */
const isBug = (error: unknown) => error instanceof ApiError && error.status === 500 && 'requestId' in error.args

/** Runs work while no other tab does. Needs https. */
const alone = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request('castellan-outbox', work) as Promise<T>) : work()

function call(api: Parameters<typeof createOutbox>[0], act: Act, isLate: boolean): Promise<unknown> {
  if (act.kind === 'like') return api.episodes.like(...act.args)
  if (act.kind === 'queue') return api.queue.add(...act.args)
  if (act.kind === 'unqueue') return api.queue.remove(...act.args)
  const [progress] = act.args
  // The server decides by the moment what is newer.
  return api.playback.save(isLate ? { ...progress, timestamp: act.at } : progress)
}
