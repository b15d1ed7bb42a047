import { SECOND } from '../platform/clock'
import { Problem } from '../platform/problem'
import type { Applied } from '../feeds/apply'
import type { ApplyRequest, BackUpRequest, ReadRequest, TaskName, Tasks } from '../tasks'
import type { WriteLock } from '../store/write-lock'
import type { Answer, Message, TaskMessage } from './worker'

export type Background = ReturnType<typeof createBackground>

/** A body that could not be read: it took too long, or tripped over a bug of ours. */
export class UnreadableFeed extends Error {
  override name = 'UnreadableFeed'
}

/** What was under way, or kept there, when another body took the thread down with it. May be tried again. */
export class BackgroundLost extends Error {
  override name = 'BackgroundLost'
}

const IDLE_MS = 20 * SECOND
/** Each thread that ends leaves some 10 KB behind, in this runtime: one a minute would be gigabytes in a year. */
const RELEASED_AFTER = 30

const foreign: ReadonlySet<TaskName> = new Set(['read', 'readTranscript', 'readOpml', 'readMedia', 'numberTag'])
const comesFromOutside = (task: TaskName) => foreign.has(task)
/** A downloaded file waits for no feed: its episode becomes available once it was read. */
const isUrgent = ({ message }: Job) => message.task === 'readMedia' || message.task === 'numberTag'

type Job = { message: TaskMessage; resolve: (result: unknown) => void; reject: (error: Error) => void }

/**
 * The second thread: reads feeds, transcripts and media files, writes what they say into the library and puts it into the index of
 * the search, so that whoever asks the server for something waits for none of it.
 *
 * What comes from outside is read one body at a time. One that takes too long ends the thread and fails alone; the next
 * one gets a fresh thread. An idle thread tidies up, and after ten minutes it is let go.
 */
export function createBackground(
  database: string,
  lock: WriteLock,
  { timeoutMs = 60 * SECOND, idleMs = IDLE_MS } = {},
) {
  const waiting: Job[] = []
  const underWay = new Map<number, Job>()
  /** Readings that lie ready there: as long as there are any, the thread stays. */
  const kept = new Set<number>()
  let worker: Worker | null = null
  let lastId = 0
  let isClosed = false
  let reading: Job | null = null
  let timer: Timer | undefined
  let idleTimer: Timer | undefined

  function ask<T extends TaskName>(task: T, request: Tasks[T]['request']): Promise<Tasks[T]['result']> {
    if (isClosed) return Promise.reject(new BackgroundLost('the server is stopping'))
    const message = { id: ++lastId, task, request } as TaskMessage
    return new Promise((resolve, reject) => {
      const job = { message, resolve: resolve as (result: unknown) => void, reject }
      if (comesFromOutside(task)) {
        if (isUrgent(job)) waiting.splice(waiting.findLastIndex(isUrgent) + 1, 0, job)
        else waiting.push(job)
        readNext()
      } else begin(job)
    })
  }

  function readNext() {
    if (reading || waiting.length === 0) return
    reading = waiting.shift()!
    const { task, request } = reading.message
    const withinMs = task === 'readMedia' || task === 'numberTag' ? request.limits.timeoutMs : timeoutMs
    timer = setTimeout(() => fall(new UnreadableFeed('reading took too long')), withinMs)
    begin(reading)
  }

  function begin(job: Job) {
    clearTimeout(idleTimer)
    worker ??= start()
    underWay.set(job.message.id, job)
    worker.postMessage(job.message)
  }

  function start(): Worker {
    // In the executable the worker lies beside the entry point, under the path that it had in the source.
    const started = new Worker(
      Bun.isStandaloneExecutable ? './thread/worker.ts' : new URL('./worker.ts', import.meta.url).href,
    )
    started.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (started === worker) settle(data)
    }
    started.onerror = event => {
      if (started === worker) fall(new UnreadableFeed(event.message))
    }
    // The DOM's types know no unref: an idle thread keeps no process alive.
    ;(started as unknown as { unref: () => void }).unref()
    started.postMessage({ database, lock: lock.memory } satisfies Message)
    return started
  }

  function settle(answer: Answer) {
    // Of what nobody waits for.
    if (answer.id === 0) return
    const job = underWay.get(answer.id)
    underWay.delete(answer.id)
    if (job === reading) doneReading()
    if ('result' in answer) job?.resolve(answer.result)
    else job?.reject(new Error(answer.bug))
    restIfIdle()
  }

  /** The thread is gone: the body that was being read is to blame, all else was beside it. */
  function fall(error: UnreadableFeed) {
    const lost = [...underWay.values()]
    const culprit = reading
    underWay.clear()
    kept.clear()
    release()
    doneReading()
    for (const job of lost) job.reject(job === culprit ? error : new BackgroundLost('the thread was ended'))
    restIfIdle()
  }

  function doneReading() {
    clearTimeout(timer)
    reading = null
    readNext()
  }

  function restIfIdle() {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      if (underWay.size > 0 || kept.size > 0) return
      worker?.postMessage({ id: 0, task: 'rest', request: null } satisfies TaskMessage)
      idleTimer = setTimeout(() => {
        if (underWay.size === 0 && kept.size === 0) release()
      }, idleMs * RELEASED_AFTER)
      idleTimer.unref()
    }, idleMs)
    idleTimer.unref()
  }

  function release() {
    worker?.terminate()
    worker = null
    lock.reset()
  }

  function letGo(readings: readonly number[]) {
    for (const place of readings) kept.delete(place)
    restIfIdle()
  }

  return {
    /** What is read lies ready there until it is applied or forgotten. Throws UnreadableFeed, BackgroundLost. */
    async read(request: ReadRequest) {
      const result = await ask('read', request)
      if (result.ok) kept.add(result.reading.kept)
      else if (result.reason === 'unreadable') throw new UnreadableFeed(result.bug)
      return result
    },
    /** Throws UnreadableFeed, or what the reader tripped over. */
    readTranscript: (request: Tasks['readTranscript']['request']) => ask('readTranscript', request),
    /** Throws UnreadableFeed for a file that takes too long, BackgroundLost, or what the reader tripped over. */
    readMedia: (request: Tasks['readMedia']['request']) => ask('readMedia', request),
    numberTag: (request: Tasks['numberTag']['request']) => ask('numberTag', request),
    /** Throws `Problem` for what is no OPML, UnreadableFeed for what takes too long. */
    async readOpml(xml: string) {
      const result = await ask('readOpml', xml)
      if (result.ok) return result.outlines
      throw new Problem(result.code, result.message, result.args)
    },
    /** Writes readings into the library; null when the podcast is gone. Throws BackgroundLost. */
    async apply(request: ApplyRequest): Promise<Applied | null> {
      const applied = await ask('apply', request).finally(() => letGo(request.readings))
      if (applied === 'lost') throw new BackgroundLost('the readings went with their thread')
      return applied
    },
    /** Of readings that are not applied. */
    forget(readings: readonly number[]) {
      worker?.postMessage({ id: 0, task: 'forget', request: readings } satisfies TaskMessage)
      letGo(readings)
    },
    index: () => ask('index', null),
    backUp: (request: BackUpRequest) => ask('backUp', request),
    /** Reads the database through; answers what is wrong with it, null = nothing. */
    check: () => ask('check', null),
    /** Everything that was asked is done or was let go; the database is closed there before it is here. */
    async close() {
      if (worker) await Promise.race([ask('close', null).catch(() => {}), Bun.sleep(SECOND)])
      isClosed = true
      clearTimeout(timer)
      clearTimeout(idleTimer)
      release()
    },
  }
}
