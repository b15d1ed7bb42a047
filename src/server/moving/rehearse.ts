import type { Config } from '../config'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { Thread } from '../thread'
import type { Moves } from './moves'
import type { Rehearsal, Rehearsed } from './needs'
import { onCopy } from './on-copy'
import { MoveRefused } from './refused'

/** Task of a thread: writes a copy of the database, without the secret, to `target`; answers the failure, or null. */
export type CopyTasks = {
  copy: { request: { target: string }; result: { message: string; isDiskFull: boolean } | null }
}

type Needs = {
  config: Config
  secret: Pick<Secret, 'key'>
  newThread: () => Thread<CopyTasks>
  openCopy: (config: Config) => { store: Store; moves: Moves; close: () => Promise<void> }
}

/** Tries a move out on a copy of the library, while the server runs. Throws `MoveRefused`. */
export const rehearse = (
  { config, secret, newThread, openCopy }: Needs,
  { path, user, signal, ...options }: Rehearsal,
): Promise<Rehearsed> =>
  onCopy(
    config,
    openCopy,
    async target => {
      await copyDatabase(newThread, target)
      return secret.key
    },
    async ({ moves, store }) => {
      signal.addEventListener('abort', () => void moves.stop())
      if (signal.aborted) await moves.stop()
      const { id } = await moves.start(user, path, { ...options, isCopy: true })
      moves.resume()
      await moves.settled()
      const { state, applied, message } = store.moves.find(id)!
      return { items: applied, counts: store.moves.countsOf(id), message: state === 'failed' ? message : null }
    },
  )

async function copyDatabase(newThread: Needs['newThread'], target: string) {
  const thread = newThread()
  try {
    const failure = await thread.run('copy', { target })
    if (failure?.isDiskFull)
      throw new MoveRefused('The disk is full: trying the import out needs a copy of the library')
    if (failure) throw new Error(failure.message)
  } finally {
    await thread.close()
  }
}
