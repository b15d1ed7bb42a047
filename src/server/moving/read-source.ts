import { ChildFailed, type Child } from '../thread/child'
import type { Copying } from './copy-for'
import type { Item } from './item'
import type { StartReader } from './needs'
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

/**
 * Opens a file in its own process, which `signal` ends. `copying`: the file is copied first, to where the opening
 * has it. Throws `MoveRefused`, also where the process took too much, and `ChildFailed` when it was ended.
 */
export async function readSource(
  startReader: StartReader,
  opening: Opening,
  signal: AbortSignal,
  copying: Copying | null = null,
): Promise<ReadSource> {
  const reader = await startReader(copying?.path ?? opening.path, signal)
  try {
    if (copying) await run(reader, 'copyMove', copying)
    const { source } = await run(reader, 'openMove', opening)
    return { source, items: () => readAll(reader), close: reader.end }
  } catch (error) {
    await reader.end()
    throw error
  }
}

async function* readAll(reader: Child<MoveTasks>): AsyncGenerator<Item> {
  for (let isEnd = false; !isEnd;) {
    const some = await run(reader, 'readItems', null)
    yield* some.items
    isEnd = some.isEnd
  }
}

const advice = 'It is damaged, or no library.'

async function run<N extends keyof MoveTasks>(reader: Child<MoveTasks>, task: N, request: MoveTasks[N]['request']) {
  const result = await reader.run(task, request).catch((error: unknown) => {
    if (!(error instanceof ChildFailed) || error.reason === 'ended') throw error
    throw new MoveRefused(
      {
        memory: `Reading this file needs ${error.message}. ${advice}`,
        time: `Reading this file takes ${error.message}. ${advice}`,
        crash: `Reading this file ended the process that read it. ${advice}`,
      }[error.reason],
    )
  })
  if ('refused' in result) throw new MoveRefused(result.refused)
  return result as Exclude<MoveTasks[N]['result'], { refused: string }>
}
