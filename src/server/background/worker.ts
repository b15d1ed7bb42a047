import { openStore, type Store } from '../store'
import { createTasks, type TaskName, type Tasks } from './tasks'

declare const self: Worker

/** The first message says where the database lies, each other one is a task. */
export type Message = { database: string } | TaskMessage
export type TaskMessage = { [T in TaskName]: { id: number; task: T; request: Tasks[T]['request'] } }[TaskName]
export type Answer = { id: number; result: unknown } | { id: number; bug: string }

let path = ''
let library: Store | null = null
const tasks = createTasks(() => (library ??= openStore(path)))

self.onmessage = async ({ data }: MessageEvent<Message>) => {
  if ('database' in data) {
    path = data.database
    return
  }
  const { id, task, request } = data
  try {
    const result = await (tasks[task] as (request: unknown) => unknown)(request)
    self.postMessage({ id, result } satisfies Answer)
  } catch (error) {
    const bug = error instanceof Error ? (error.stack ?? error.message) : String(error)
    self.postMessage({ id, bug } satisfies Answer)
  }
}
