import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Progress } from '../../shared/api/history'
import type { QueueAddition } from '../../shared/api/queue'

const KEY = 'outbox'
/** Begins the id of a queue's entry that the server does not know yet; the episode's `id` follows. */
export const LATER = 'later:'

export type Args = {
  like: [id: string, favored: boolean]
  queue: [QueueAddition]
  unqueue: [id: string]
  mark: [Progress]
}
type Kind = keyof Args
/** A call about what somebody did at a moment, until the server has answered it. `shown`: the episode it queues. */
export type Act = { id: string; at: string; shown?: EpisodeWrapper } & {
  [K in Kind]: { kind: K; args: Args[K] }
}[Kind]
export type Acts = ReturnType<typeof createActs>
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Acts in their order, in the storage of this browser: a tab that is killed loses none. */
export function createActs(storage: Storage) {
  function list(): Act[] {
    try {
      return JSON.parse(storage.getItem(KEY) ?? '[]') as Act[]
    } catch {
      return []
    }
  }
  function write(acts: readonly Act[]) {
    if (acts.length === 0) storage.removeItem(KEY)
    else storage.setItem(KEY, JSON.stringify(acts))
  }
  return {
    list,
    add(act: Act) {
      try {
        write([...list(), act])
      } catch {
        // There is no room for it; it is only sent.
      }
    },
    remove: (isMeant: (act: Act) => boolean) => write(list().filter(act => !isMeant(act))),
    clear: () => storage.removeItem(KEY),
  }
}
