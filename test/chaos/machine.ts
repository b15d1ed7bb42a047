import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runExecutable } from '../support/executable'
import type { Places } from './places'
import { restoreReplica, startReplica, type Replica } from './replica'

export type Machine = ReturnType<typeof createMachine>

/** A machine with a data folder that may burn down; its secret is kept elsewhere, as its owner should. */
export function createMachine(folder: string, env: Record<string, string>, places: Places, litestream: string | null) {
  const data = join(folder, 'data')
  const secret = join(data, 'secret.key')
  const kept = join(folder, 'kept.key')
  mkdirSync(data, { recursive: true })
  let replica: Replica | null = null

  return {
    data,
    hasReplica: litestream !== null,
    /** Starts Litestream, if it is wanted and does not run. */
    async replicate() {
      if (!existsSync(kept)) copyFileSync(secret, kept)
      if (litestream === null || replica) return
      replica = await startReplica(litestream, folder, places.replica)
      await replica.synced()
    },
    /**
     * Loses the data folder, restores the database on another machine, and has it repaired. Returns the time before
     * which every answered write was copied.
     */
    async wipe(): Promise<number> {
      const since = await replica!.kill()
      replica = null
      rmSync(data, { recursive: true, force: true })
      mkdirSync(data)
      await restoreReplica(litestream!, folder, places.replica)
      copyFileSync(kept, secret)
      await runExecutable(['doctor', '--repair'], env)
      return since
    },
    async [Symbol.asyncDispose]() {
      await replica?.kill()
    },
  }
}
