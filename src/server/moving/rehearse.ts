import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config'
import { DATABASE_FILE } from '../data-folder'
import type { Secret } from '../platform/secret'
import { nameOfThisProcess } from '../platform/instance-lock'
import type { Store } from '../store'
import type { Thread } from '../thread'
import { readFailure } from '../store/moves'
import { MoveRefused } from './item'
import type { Moves } from './moves'
import type { Rehearsal, Rehearsed } from './needs'

/** Task of a thread: writes a copy of the database, without the secret, to `target`; returns the failure, or null. */
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
      const ended = store.moves.find(id)!
      const failure = ended.state === 'failed' ? readFailure(ended) : null
      return { items: ended.applied, counts: store.moves.countsOf(id), failure }
    },
  )

async function copyDatabase(newThread: Needs['newThread'], target: string) {
  const thread = newThread()
  try {
    const failure = await thread.run('copy', { target })
    if (failure?.isDiskFull)
      throw new MoveRefused('disk-full', 'The disk is full: trying the import out needs a copy of the library')
    if (failure) throw new Error(failure.message)
  } finally {
    await thread.close()
  }
}

type Copy = { store: Store; close: () => Promise<void> }

/**
 * Does `work` on a copy of the library in which no feed is requested, and throws the copy away; a process that is
 * killed leaves it to the next start of the server (`removeStrays`). `write` writes the database to a path, without the
 * server's secret, which it returns: nothing puts that on the disk again. Null = lost.
 */
export async function onCopy<C extends Copy, T>(
  config: Config,
  openCopy: (config: Config) => C,
  write: (target: string) => Uint8Array | null | Promise<Uint8Array | null>,
  work: (copy: C) => Promise<T>,
): Promise<T> {
  const folder = join(config.dataFolder, 'moving', nameOfThisProcess('dry-run'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // A server that stops does not wait for a copy of a large library to end.
  process.once('exit', remove)
  try {
    const secretKey = await write(join(folder, DATABASE_FILE))
    const copy = openCopy({ ...config, dataFolder: folder, secretKey, replicaUrl: null })
    try {
      // Other moves go on in the library itself.
      copy.store.moves.removeAll()
      return await work(copy)
    } finally {
      await copy.close()
    }
  } finally {
    process.off('exit', remove)
    remove()
  }
}
