import { MINUTE } from '../platform/clock'
import { TaskFailed, type Thread } from '../thread'
import type { Item } from './item'
import type { Opening } from './open-source'
import { MoveRefused } from './refused'
import type { MoveTasks } from './tasks'

export type ReadSource = {
  /** The name of the program that made the file. */
  source: string
  /** Everything in it, once. Throws `MoveRefused`. */
  items: () => AsyncGenerator<Item>
  close: () => Promise<void>
}

/** Sorting the largest database takes seconds, reading the largest dump minutes. */
const TIMEOUT_MS = 5 * MINUTE
const OPENING_TIMEOUT_MS = 30 * MINUTE

/** Opens a file in a thread of its own, so that it keeps nobody waiting. Throws `MoveRefused`. */
export async function readSource(newThread: () => Thread<MoveTasks>, opening: Opening): Promise<ReadSource> {
  const thread = newThread()
  const close = () => thread.close()
  try {
    const { source } = await run(thread, 'openMove', opening)
    return { source, items: () => readAll(thread), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function* readAll(thread: Thread<MoveTasks>): AsyncGenerator<Item> {
  for (let isEnd = false; !isEnd;) {
    const some = await run(thread, 'readItems', null)
    yield* some.items
    isEnd = some.isEnd
  }
}

/** Runs a task on a hostile file. Throws `MoveRefused`. */
export async function run<N extends keyof MoveTasks>(
  thread: Thread<MoveTasks>,
  task: N,
  request: MoveTasks[N]['request'],
) {
  const timeoutMs = task === 'openMove' ? OPENING_TIMEOUT_MS : TIMEOUT_MS
  const result = await thread.runUntrusted(task, request, { timeoutMs }).catch((error: unknown) => {
    throw error instanceof TaskFailed ? new MoveRefused('The file takes too long to read') : error
  })
  if ('refused' in result) throw new MoveRefused(result.refused)
  return result as Exclude<MoveTasks[N]['result'], { refused: string }>
}
