import { basename } from 'node:path'
import type { NewMovePodcast } from '../store/moves'
import { addressKey } from '../sync/addresses'
import { type Child, ChildFailed } from '../thread/child'
import type { Copying } from './copy-source'
import { type Item, MoveRefused, type PodcastItem, tooMany } from './item'
import type { MovingNeeds, StartReader } from './needs'
import type { MoveTasks, Opening } from './tasks'

const MAX_PODCASTS = 5000

/** The name of a file as the report shows it. */
export const nameOf = (path: string) => basename(path).slice(0, 255)

/** The program that made a file, and the facts that are noted before anything is done. */
type Recognised = { source: string; ownName: string | null; podcasts: NewMovePodcast[] }

/**
 * Recognises a copied file, or one that is copied first, and reads its people and podcasts. Throws as `readSource`.
 */
export async function recognise(
  { startReader, secret, now }: Pick<MovingNeeds, 'startReader' | 'secret' | 'now'>,
  { path, from, copying = null }: Pick<Opening, 'path' | 'from'> & { copying?: Copying | null },
  signal: AbortSignal,
): Promise<Recognised> {
  const open = await readSource(startReader, { path, from, now: now(), isChecked: false }, signal, copying)
  try {
    const { users, podcasts } = await readBeginning(open)
    const rows = podcasts.map((item): NewMovePodcast => ({
      feed_url: item.feed,
      title: item.title,
      own_title: item.ownTitle ?? null,
      guid: item.guid ?? null,
      active: Number(item.active),
      sealed: item.credentials ? secret.seal(JSON.stringify(item.credentials)) : null,
    }))
    return { source: open.source, ownName: users.length === 1 ? users[0]! : null, podcasts: rows }
  } finally {
    await open.close()
  }
}

/** Reads the people and podcasts, with which every source begins. */
async function readBeginning({ items }: ReadSource) {
  const users: string[] = []
  const podcasts = new Map<string, PodcastItem>()
  for await (const item of items()) {
    if (item.is === 'user') users.push(item.name)
    else if (item.is === 'podcast') podcasts.getOrInsertComputed(addressKey(item.feed), () => item)
    else break
    if (podcasts.size > MAX_PODCASTS || users.length > MAX_PODCASTS)
      throw tooMany(`The file has more than ${MAX_PODCASTS} podcasts or people`, MAX_PODCASTS)
  }
  return { users, podcasts: [...podcasts.values()] }
}

type ReadSource = {
  /** The name of the program that made the file. */
  source: string
  /** Everything in it, once. Throws `MoveRefused`. */
  items: () => AsyncGenerator<Item>
  close: () => Promise<void>
}

/**
 * Opens a file in its own process, which `signal` ends. `copying`: the file is first copied to the path in `opening`.
 * Throws `MoveRefused`, also if the process took too much, and `ChildFailed` if it was ended.
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

const advice = 'It is damaged, or not a library.'

async function run<N extends keyof MoveTasks>(reader: Child<MoveTasks>, task: N, request: MoveTasks[N]['request']) {
  const result = await reader.run(task, request).catch((error: unknown) => {
    if (!(error instanceof ChildFailed) || error.reason === 'ended') throw error
    throw new MoveRefused(
      'move-too-much',
      {
        memory: `Reading this file needs ${error.message}. ${advice}`,
        time: `Reading this file takes ${error.message}. ${advice}`,
        crash: `Reading this file ended the process that read it. ${advice}`,
      }[error.reason],
    )
  })
  if ('refused' in result) {
    const { code, message, args } = result.refused
    throw new MoveRefused(code, message, args)
  }
  return result as Exclude<MoveTasks[N]['result'], { refused: unknown }>
}
