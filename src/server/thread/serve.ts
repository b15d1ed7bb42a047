import { describeError } from '../platform/log'

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
