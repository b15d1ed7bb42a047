import { SECOND } from '../platform/clock'
import { describeError } from '../platform/log'

/** A task that took too long or crashed its thread. Running it again would end the same way. */
export class TaskFailed extends Error {
  override name = 'TaskFailed'
}

/** A task whose thread was ended because of another task, or because the server stops. It may be run again. */
export class ThreadLost extends Error {
  override name = 'ThreadLost'
}

export type ThreadOptions = {
  /** Starts the worker, whose script calls `serve`. */
  start: () => Worker
  /** Passed to the worker before its first task; must be cloneable. */
  setup: unknown
  /** Called whenever the worker was ended. */
  afterEnd: () => void
  /** Limit for an untrusted task without its own. */
  timeoutMs?: number
  /** Idle time after which the thread tidies up. */
  idleMs?: number
}

/**
 * A second thread for work that must not keep the server waiting. It starts with its first task, tidies up when it is
 * idle and ends after ten idle minutes. Each method rejects with `TaskFailed`, `ThreadLost` or the error of the task.
 */
export type Thread<T extends TaskTable> = {
  /** Runs a task at once. For our own data, which needs no limit. */
  run<N extends keyof T & string>(task: N, request: T[N]['request']): Promise<T[N]['result']>
  /**
   * Runs a task on data from outside: one at a time, in the order of their arrival, urgent ones first. A task that
   * exceeds `timeoutMs` fails and ends the thread; the next task gets a fresh one. `moved`: memory of the request that
   * moves to the thread instead of being copied.
   */
  runUntrusted<N extends keyof T & string>(
    task: N,
    request: T[N]['request'],
    options?: { timeoutMs?: number; isUrgent?: boolean; moved?: ArrayBuffer[] },
  ): Promise<T[N]['result']>
  /** Runs a task that nobody waits for; does nothing when no thread is running. */
  post<N extends keyof T & string>(task: N, request: T[N]['request']): void
  /** Keeps an idle thread from ending, because it remembers something. Returns the release. */
  hold(): () => void
  /** Gives the worker up to a second to close what it has open, and ends it. */
  close(): Promise<void>
}

const TIMEOUT_MS = 60 * SECOND
const IDLE_MS = 20 * SECOND
/** In multiples of `idleMs`. Each thread that ends leaks some 10 KB: one a minute would leak gigabytes a year. */
const ENDED_AFTER = 30

type Call = {
  message: { id: number; task: string; request: unknown }
  /** Null for a task that runs at once. */
  limits: { timeoutMs: number; isUrgent: boolean } | null
  moved: ArrayBuffer[]
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

type State = {
  readonly options: Required<ThreadOptions>
  worker: Worker | null
  lastId: number
  isClosed: boolean
  /** Calls that the worker has, by the id of their message. */
  readonly running: Map<number, Call>
  /** Untrusted calls that wait for `untrusted` to end. */
  readonly waiting: Call[]
  untrusted: Call | null
  timeout: Timer | undefined
  idleTimer: Timer | undefined
  readonly holds: Set<object>
}

export function createThread<T extends TaskTable>(options: ThreadOptions): Thread<T> {
  const state: State = {
    options: { timeoutMs: TIMEOUT_MS, idleMs: IDLE_MS, ...options },
    worker: null,
    lastId: 0,
    isClosed: false,
    running: new Map(),
    waiting: [],
    untrusted: null,
    timeout: undefined,
    idleTimer: undefined,
    holds: new Set(),
  }
  return {
    run: (task, request) => call(state, task, request, null) as Promise<never>,
    runUntrusted: (task, request, { timeoutMs = state.options.timeoutMs, isUrgent = false, moved } = {}) =>
      call(state, task, request, { timeoutMs, isUrgent }, moved) as Promise<never>,
    post: (task, request) => state.worker?.postMessage({ id: null, task, request } satisfies Message),
    hold: () => hold(state),
    close: () => close(state),
  }
}

function call(state: State, task: string, request: unknown, limits: Call['limits'], moved: ArrayBuffer[] = []) {
  if (state.isClosed) return Promise.reject(new ThreadLost('The server is stopping'))
  return new Promise<unknown>((resolve, reject) => {
    const made: Call = { message: { id: ++state.lastId, task, request }, limits, moved, resolve, reject }
    if (limits === null) return send(state, made)
    enqueue(state.waiting, made)
    runNext(state)
  })
}

function enqueue(waiting: Call[], made: Call) {
  const isUrgent = (one: Call) => one.limits!.isUrgent
  if (isUrgent(made)) waiting.splice(waiting.findLastIndex(isUrgent) + 1, 0, made)
  else waiting.push(made)
}

/** Starts the next untrusted call, unless one is running. */
function runNext(state: State) {
  const next = state.untrusted ? undefined : state.waiting.shift()
  if (!next) return
  state.untrusted = next
  const { timeoutMs } = next.limits!
  state.timeout = setTimeout(() => fail(state, new TaskFailed(`Took longer than ${timeoutMs / SECOND} s`)), timeoutMs)
  send(state, next)
}

function send(state: State, made: Call) {
  clearTimeout(state.idleTimer)
  state.worker ??= startWorker(state)
  state.running.set(made.message.id, made)
  state.worker.postMessage(made.message satisfies Message, made.moved)
}

function startWorker(state: State): Worker {
  const worker = state.options.start()
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    if (worker === state.worker) settle(state, data)
  }
  worker.onerror = event => {
    if (worker === state.worker) fail(state, new TaskFailed(event.message))
  }
  // The DOM's types do not declare unref: an idle thread must not keep the process alive.
  ;(worker as unknown as { unref: () => void }).unref()
  worker.postMessage({ setup: state.options.setup } satisfies Message)
  return worker
}

function settle(state: State, answer: Answer) {
  const answered = state.running.get(answer.id)
  state.running.delete(answer.id)
  if (answered === state.untrusted) endUntrusted(state)
  if ('result' in answer) answered?.resolve(answer.result)
  else answered?.reject(new Error(answer.bug))
  watchIdle(state)
}

/** Ends the thread because of the untrusted call in it; everything that ran in parallel is lost. */
function fail(state: State, error: TaskFailed) {
  const culprit = state.untrusted
  const lost = [...state.running.values()]
  state.running.clear()
  state.holds.clear()
  end(state)
  endUntrusted(state)
  for (const one of lost) one.reject(one === culprit ? error : new ThreadLost('Another task ended the thread'))
  watchIdle(state)
}

function endUntrusted(state: State) {
  clearTimeout(state.timeout)
  state.untrusted = null
  runNext(state)
}

function hold(state: State): () => void {
  const token = {}
  state.holds.add(token)
  return () => {
    state.holds.delete(token)
    watchIdle(state)
  }
}

function watchIdle(state: State) {
  const { idleMs } = state.options
  const isIdle = () => state.running.size === 0 && state.holds.size === 0
  const later = (work: () => void, ms: number) => {
    clearTimeout(state.idleTimer)
    state.idleTimer = setTimeout(() => isIdle() && work(), ms)
    state.idleTimer.unref()
  }
  later(() => {
    state.worker?.postMessage({ rest: true } satisfies Message)
    later(() => end(state), idleMs * ENDED_AFTER)
  }, idleMs)
}

function end(state: State) {
  state.worker?.terminate()
  state.worker = null
  state.options.afterEnd()
}

async function close(state: State) {
  if (state.worker) await Promise.race([askToClose(state), Bun.sleep(SECOND)])
  state.isClosed = true
  clearTimeout(state.timeout)
  clearTimeout(state.idleTimer)
  end(state)
}

const askToClose = (state: State) =>
  new Promise<unknown>(resolve => {
    const id = ++state.lastId
    const message = { id, task: 'close', request: null }
    state.running.set(id, { message, limits: null, moved: [], resolve, reject: resolve })
    state.worker?.postMessage({ close: id } satisfies Message)
  })

declare const self: Worker

/** The code of each task. `id` is unique per awaited task, even across thread restarts; 0 for a posted task. */
export type TaskHandlers<T extends TaskTable> = {
  [N in keyof T]: (request: T[N]['request'], id: number) => T[N]['result'] | Promise<T[N]['result']>
}

type Service<T extends TaskTable> = {
  tasks: TaskHandlers<T>
  /** Called after the answer is sent, so nobody waits for it; not called when the task throws. Must not throw. */
  afterTask?: (task: string, request: unknown) => void
}

type WorkerService<T extends TaskTable> = Service<T> & {
  /** Called once the thread has been idle for a while. */
  rest: () => void
  close: () => void
}

/** Runs the worker side of `createThread`. `begin` receives the thread's setup. */
export function serve<T extends TaskTable, Setup>(begin: (setup: Setup) => WorkerService<T>) {
  let service: WorkerService<T> | null = null
  self.onmessage = async ({ data }: MessageEvent<Message>) => {
    if ('setup' in data) service = begin(data.setup as Setup)
    else if ('rest' in data) service!.rest()
    else if ('close' in data) {
      service!.close()
      self.postMessage({ id: data.close, result: null } satisfies Answer)
    } else await perform(service!, data, answer => self.postMessage(answer))
  }
}

/**
 * Runs the other side of `createChild`, and ends this process when its parent has ended. `begin` receives the setup,
 * and limits the process before it reads anything.
 */
export function serveParent<T extends TaskTable, Setup>(begin: (setup: Setup) => Service<T>) {
  let service: Service<T> | null = null
  process.on('disconnect', () => process.exit())
  process.on('message', async (message: Message) => {
    if ('setup' in message) service = begin(message.setup as Setup)
    else if ('task' in message) await perform(service!, message, answer => process.send!(answer))
  })
}

async function perform<T extends TaskTable>(
  { tasks, afterTask }: Service<T>,
  { id, task, request }: Task,
  send: (answer: Answer) => void,
) {
  try {
    const result = await tasks[task]!(request, id ?? 0)
    if (id !== null) send({ id, result })
    afterTask?.(task, request)
  } catch (error) {
    if (id !== null) send({ id, bug: describeError(error) })
  }
}

/** Requests and results of a thread by name of the task. A capability declares its own as a type alias. */
export type TaskTable = Record<string, { request: unknown; result: unknown }>

/** `id` is null when nobody waits for an answer. */
type Task = { id: number | null; task: string; request: unknown }

/** The first message of a thread carries what it needs to begin; `rest` gets no answer, `close` gets one. */
export type Message = { setup: unknown } | Task | { rest: true } | { close: number }

/** `bug` is the stack of an error that the task threw: an error loses its class on the way between threads. */
export type Answer = { id: number; result: unknown } | { id: number; bug: string }
