import type { Config } from './config'
import type { Rehearsal, Rehearsed } from './moving/needs'
import { MoveRefused } from './moving/refused'
import { onCopy } from './on-copy'
import type { Secret } from './platform/secret'
import type { Tasks } from './tasks'
import type { Thread } from './thread'

/** Returns what tries a move out on a copy of the library, while the server runs. It throws `MoveRefused`. */
export const createRehearse =
  (config: Config, secret: Secret, newThread: () => Thread<Tasks>) =>
  ({ path, user, ...options }: Rehearsal): Promise<Rehearsed> =>
    onCopy(
      config,
      target => copyDatabase(secret, newThread, target),
      async ({ moves, store }) => {
        const { id } = await moves.start(user, path, { ...options, isCopy: true })
        moves.resume()
        await moves.settled()
        const { state, applied, message } = store.moves.find(id)!
        return { items: applied, counts: store.moves.countsOf(id), message: state === 'failed' ? message : null }
      },
    )

async function copyDatabase(secret: Secret, newThread: () => Thread<Tasks>, target: string) {
  const thread = newThread()
  try {
    const failure = await thread.run('backUp', { secret: secret.key, target })
    if (failure?.isDiskFull)
      throw new MoveRefused('The disk is full: trying the import out needs a copy of the library')
    if (failure) throw new Error(failure.message)
  } finally {
    await thread.close()
  }
}
