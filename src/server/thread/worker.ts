import { openStore, type Store } from '../store'
import { createWriteLock } from '../store/write-lock'
import { bugOf, createTasks, type TaskName, type Tasks } from '../tasks'

declare const self: Worker

/** The first message says where the database lies and what guards it, each other one is a task. */
export type Message = { database: string; lock: SharedArrayBuffer } | TaskMessage
export type TaskMessage = { [T in TaskName]: { id: number; task: T; request: Tasks[T]['request'] } }[TaskName]
export type Answer = { id: number; result: unknown } | { id: number; bug: string }

// Reading a feed leaves many times its size behind. The engine sizes its heap by the machine's memory and would let that
// pile up, on a machine that has other things to do. Here a pause keeps nobody waiting.
const COLLECT_EVERY = 2 * 1024 * 1024
let bytesRead = 0

function collect(bytes: number) {
  bytesRead += bytes
  if (bytesRead < COLLECT_EVERY) return
  bytesRead = 0
  Bun.gc(true)
}

let openLibrary = (): Store => {
  throw new Error('no database is known yet')
}
const tasks = createTasks(() => openLibrary())

self.onmessage = async ({ data }: MessageEvent<Message>) => {
  if ('database' in data) {
    const { database, lock } = data
    openLibrary = () => openStore(database, { lock: createWriteLock(lock), checkpointPages: 16_000 })
    return
  }
  const { id, task, request } = data
  try {
    const result = await (tasks[task] as (request: unknown, id: number) => unknown)(request, id)
    self.postMessage({ id, result } satisfies Answer)
    if (task === 'read') collect(data.request.body.byteLength)
  } catch (error) {
    self.postMessage({ id, bug: bugOf(error) } satisfies Answer)
  }
}
