import { SECOND } from '../clock'
import type { DigestRequest, DigestResult } from './digest'
import type { Segment } from '../store/documents'
import type { ReaderMessage } from './reader-worker'
import type { TranscriptRequest } from './transcripts'

export type Reader = ReturnType<typeof createReader>

/** The reader gave up on a body: it took too long, or tripped over a bug of ours. */
export class UnreadableFeed extends Error {
  override name = 'UnreadableFeed'
}

const IDLE_MS = 20 * SECOND

type Job = { message: ReaderMessage; resolve: (result: unknown) => void; reject: (error: Error) => void }

/**
 * Reads feeds and transcripts off the main thread, one after the other. A body that takes too long ends its worker and fails alone;
 * the next one gets a fresh worker. An idle worker is let go, and its memory with it.
 */
export function createReader({ timeoutMs = 60 * SECOND, idleMs = IDLE_MS } = {}) {
  const waiting: Job[] = []
  let worker: Worker | null = null
  let current: Job | null = null
  let timer: Timer | undefined
  let idleTimer: Timer | undefined

  function begin() {
    if (current || waiting.length === 0) return
    clearTimeout(idleTimer)
    current = waiting.shift()!
    worker ??= startWorker()
    timer = setTimeout(() => settle(new UnreadableFeed('reading took too long'), true), timeoutMs)
    worker.postMessage(current.message)
  }

  function settle(outcome: unknown, endWorker = false) {
    clearTimeout(timer)
    const job = current
    current = null
    if (endWorker) release()
    if (outcome instanceof Error) job?.reject(outcome)
    else job?.resolve(outcome)
    if (waiting.length > 0) begin()
    else {
      idleTimer = setTimeout(release, idleMs)
      idleTimer.unref()
    }
  }

  function release() {
    worker?.terminate()
    worker = null
  }

  function startWorker(): Worker {
    // In the executable the worker lies beside the entry point, under the path that it had in the source.
    const started = new Worker(
      Bun.isStandaloneExecutable ? './feeds/reader-worker.ts' : new URL('./reader-worker.ts', import.meta.url).href,
    )
    started.onmessage = ({ data }: MessageEvent<{ result: unknown } | { bug: string }>) => {
      if (started !== worker) return
      settle('result' in data ? data.result : new UnreadableFeed(data.bug))
    }
    started.onerror = event => {
      if (started !== worker) return
      settle(new UnreadableFeed(event.message), true)
    }
    // The DOM's types know no unref: an idle reader keeps no process alive.
    ;(started as unknown as { unref: () => void }).unref()
    return started
  }

  const ask = (message: ReaderMessage): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ message, resolve, reject })
      begin()
    })

  return {
    read: (request: DigestRequest) => ask({ task: 'digest', request }) as Promise<DigestResult>,
    readTranscript: (request: TranscriptRequest) => ask({ task: 'transcript', request }) as Promise<Segment[]>,
    close() {
      clearTimeout(timer)
      clearTimeout(idleTimer)
      release()
    },
  }
}
