import type { Config } from './config'
import type { Rehearsal, Rehearsed } from './moving/needs'
import { MoveRefused } from './moving/refused'
import { onCopy } from './on-copy'
import type { Secret } from './platform/secret'
import type { Tasks } from './tasks'
import type { Thread } from './thread'

// Why: docs/internals/decisions/0030

/** Returns what tries a move out on a copy of the library, while the server runs. It throws `MoveRefused`. */
export const createRehearse =
  (config: Config, secret: Secret, newThread: () => Thread<Tasks>) =>
  ({ path, user, signal, ...options }: Rehearsal): Promise<Rehearsed> =>
    onCopy(
      config,
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

async function copyDatabase(newThread: () => Thread<Tasks>, target: string) {
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
