import { Problem } from '../platform/problem'
import { ForeignDatabaseError } from '../store/foreign-database'
import type { TaskHandlers } from '../thread/serve'
import { copyFor, type Copying } from './copy-for'
import { hideCredentials } from './hide-credentials'
import type { Item } from './item'
import { openSource, type Opening, type OpenSource } from './open-source'
import { MoveRefused } from './refused'

/** The reason why a file cannot be read, for people: an error loses its class on the way between processes. */
type Refusal = { refused: string }

/** Tasks of the process that reads one file: another program's database may take all memory and time there is. */
export type MoveTasks = {
  /** Copies a file into a folder; see `Copying`. */
  copyMove: { request: Copying; result: { path: string } | Refusal }
  /** Opens a file; answers the name of the program that made it. */
  openMove: { request: Opening; result: { source: string } | Refusal }
  /** Reads on from where the last one ended. */
  readItems: { request: null; result: { items: Item[]; isEnd: boolean } | Refusal }
}

/** Small enough that a hundred of the longest notes are a few megabytes. */
export const ITEMS_AT_ONCE = 100

export function createMoveTasks(): TaskHandlers<MoveTasks> {
  let open: OpenSource | null = null
  let items: AsyncIterator<Item> | null = null
  return {
    copyMove: copying => orRefusal(() => ({ path: copyFor(copying) })),
    openMove: opening =>
      orRefusal(async () => {
        open?.close()
        open = await openSource(opening)
        items = open.source.read(open.file)[Symbol.asyncIterator]()
        return { source: open.source.name }
      }),
    readItems: () => orRefusal(() => readSome(items!)),
  }
}

async function readSome(items: AsyncIterator<Item>) {
  const some: Item[] = []
  while (some.length < ITEMS_AT_ONCE) {
    const { value, done } = await items.next()
    if (done) return { items: some, isEnd: true }
    some.push(hideCredentials(value))
    // Alone as long as a hundred of the longest notes.
    if (value.is === 'transcript') break
  }
  return { items: some, isEnd: false }
}

async function orRefusal<T>(work: () => T | Promise<T>): Promise<T | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MoveRefused || error instanceof ForeignDatabaseError || error instanceof Problem)
      return { refused: error.message }
    throw error
  }
}
