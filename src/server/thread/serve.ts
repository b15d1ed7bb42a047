import { describeError } from '../platform/log'
import type { Answer, Message, TaskTable } from './message'

declare const self: Worker

/** `id` differs for each message, also in the thread that follows this one. */
export type Performers<T extends TaskTable> = {
  [N in keyof T]: (request: T[N]['request'], id: number) => T[N]['result'] | Promise<T[N]['result']>
}

export type Served<T extends TaskTable> = {
  tasks: Performers<T>
  /** Called after the answer was sent: it keeps nobody waiting. */
  afterTask?: (task: string, request: unknown) => void
  /** Called once the thread has been idle for a while. */
  rest: () => void
  close: () => void
}

/** Makes this worker the other end of `createThread`. `begin` receives the thread's setup. */
export function serve<T extends TaskTable, Setup>(begin: (setup: Setup) => Served<T>) {
  let served: Served<T> | null = null
  self.onmessage = async ({ data }: MessageEvent<Message>) => {
    if ('setup' in data) served = begin(data.setup as Setup)
    else if ('rest' in data) served!.rest()
    else if ('close' in data) {
      served!.close()
      self.postMessage({ id: data.close, result: null } satisfies Answer)
    } else await perform(served!, data)
  }
}

type Task = Extract<Message, { task: string }>

async function perform<T extends TaskTable>({ tasks, afterTask }: Served<T>, { id, task, request }: Task) {
  try {
    const result = await tasks[task]!(request, id ?? 0)
    if (id !== null) self.postMessage({ id, result } satisfies Answer)
    afterTask?.(task, request)
  } catch (error) {
    if (id !== null) self.postMessage({ id, bug: describeError(error) } satisfies Answer)
  }
}
