import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/programs'
import type { ReplicaPlace } from './places'

export type Replica = Awaited<ReturnType<typeof startReplica>>

/** A write that was answered while a copy was being sent may not be in it. */
const SENDING_MS = 2000

/** Litestream beside the server, which copies the database of a data folder to a place. */
export async function startReplica(program: string, folder: string, { url, env }: ReplicaPlace) {
  const data = join(folder, 'data')
  const config = join(folder, 'litestream.yml')
  const socket = join(folder, 'litestream.sock')
  const database = { path: join(data, 'castellan.db'), replica: { url } }
  writeFileSync(config, JSON.stringify({ socket: { enabled: true, path: socket }, dbs: [database] }))
  const child = Bun.spawn([program, 'replicate', '-config', config], { env, stdout: 'ignore', stderr: 'ignore' })

  async function ask(path: string, field: 'last_sync_at' | 'updated_at'): Promise<number> {
    const answer = await fetch(`http://litestream${path}`, { unix: socket }).catch(() => null)
    const { databases = [] } = ((await answer?.json().catch(() => null)) ?? {}) as {
      databases?: { last_sync_at?: string; updated_at?: string }[]
    }
    return Date.parse(databases[0]?.[field] ?? '') || 0
  }

  /**
   * When everything before was in the copy, in milliseconds; 0 = never. Litestream copies in two steps, from the log
   * into files beside the database and from there to the copy: the earlier time counts.
   */
  const syncedAt = async () =>
    Math.min(await ask('/list', 'last_sync_at'), await ask('/debug/sync-status', 'updated_at'))

  return {
    syncedAt,
    synced: () => until('Litestream copies the database', async () => (await syncedAt()) > 0),
    /** Ends it without warning; returns the time before which every answered write is in the copy. */
    async kill(): Promise<number> {
      const synced = await syncedAt()
      child.kill('SIGKILL')
      await child.exited
      return synced - SENDING_MS
    },
  }
}

/** Brings the copy into an empty data folder. */
export async function restoreReplica(program: string, folder: string, { url, env }: ReplicaPlace) {
  const target = join(folder, 'data/castellan.db')
  const child = Bun.spawn([program, 'restore', '-o', target, url], { env, stdout: 'pipe', stderr: 'pipe' })
  const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  if ((await child.exited) !== 0) throw new Error(`the copy could not be restored: ${output}`)
}
