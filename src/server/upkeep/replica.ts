import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE, DataFolderError } from '../data-folder'
import type { Config } from '../config'
import { type Clock, MINUTE, SECOND } from '../platform/clock'
import type { Log } from '../platform/log'

// Why: docs/internals/decisions/0041

const ANSWER_WITHIN_MS = 2 * SECOND
const LATE_AFTER_MS = 5 * MINUTE

/** The socket on which Litestream answers: `socket.path` in its configuration. */
export const litestreamSocket = (dataFolder: string) => join(dataFolder, 'litestream.sock')

/** The folder in which Litestream notes how far it has copied the database. */
export const litestreamFolder = (dataFolder: string) => join(dataFolder, `.${DATABASE_FILE}-litestream`)

export const STOP_LITESTREAM =
  'Stop Litestream first: it would mix the database before with the restored one, and its replica could not be restored.'

export type Replica = {
  /** The version of a Litestream that answers and replicates; null = none does. */
  version: string | null
  /** Everything written until then is in the replica, in milliseconds; null = never, or unknown. */
  completeUntil: number | null
  /** The last failure to read the database, in Litestream's words; null = none. */
  failure: string | null
}

type Database = { path: string; status: string; last_sync_at?: string }
type Sync = { path: string; updated_at?: string; error?: string }

/**
 * Finds out how far the replica is. Litestream copies the database in two steps: from the log into files next to it,
 * and these to the replica. Each step reports when it last found nothing left to do; the earlier time counts.
 */
export async function inspectReplica(dataFolder: string): Promise<Replica> {
  const [info, list, sync] = await Promise.all([
    ask<{ version?: string }>(dataFolder, '/info'),
    ask<{ databases?: Database[] }>(dataFolder, '/list'),
    ask<{ databases?: Sync[] }>(dataFolder, '/debug/sync-status'),
  ])
  const database = ofLibrary(dataFolder, list?.databases)
  const copiedAt = lastCopyAt(dataFolder)
  if (database?.status !== 'replicating') return { version: null, completeUntil: copiedAt, failure: null }
  const { error: failure = null, updated_at } = ofLibrary(dataFolder, sync?.databases) ?? {}
  const copied = failure === null ? timeOf(updated_at) : (copiedAt ?? 0)
  const sent = timeOf(database.last_sync_at)
  return {
    version: info?.version ?? 'unknown',
    completeUntil: sent === null ? null : Math.min(sent, copied ?? sent),
    failure,
  }
}

/** Whether the replica needs attention: it is old, or will be. */
export const isLate = ({ version, completeUntil, failure }: Replica, now: number): boolean =>
  version === null || completeUntil === null || now - completeUntil > LATE_AFTER_MS || failure !== null

/** Throws `DataFolderError` while Litestream runs: a database must not be replaced while it runs. */
export async function requireNoLitestream(dataFolder: string) {
  if (await ask(dataFolder, '/info')) throw new DataFolderError(`Litestream is running. ${STOP_LITESTREAM}`)
}

/** Asks Litestream on this machine; null = it does not answer, or knows no such question. */
async function ask<T>(dataFolder: string, path: string): Promise<T | null> {
  try {
    const answer = await fetch(`http://litestream${path}`, {
      unix: litestreamSocket(dataFolder),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return answer.ok ? ((await answer.json()) as T) : null
  } catch {
    return null
  }
}

/** In another container the library may have another path: a single database is this one. */
const ofLibrary = <T extends { path: string }>(dataFolder: string, all: readonly T[] = []): T | undefined =>
  all.length === 1 ? all[0] : all.find(({ path }) => path === join(dataFolder, DATABASE_FILE))

/** When Litestream last copied something out of the log, in milliseconds; null = never. */
function lastCopyAt(dataFolder: string): number | null {
  const folder = join(litestreamFolder(dataFolder), 'ltx', '0')
  try {
    // The names are hexadecimal numbers of one length: the last one is the newest.
    const newest = readdirSync(folder)
      .filter(name => name.endsWith('.ltx'))
      .toSorted()
      .at(-1)
    return newest === undefined ? null : statSync(join(folder, newest)).mtimeMs
  } catch {
    return null
  }
}

function timeOf(text: string | undefined): number | null {
  const time = text === undefined ? NaN : Date.parse(text)
  return Number.isNaN(time) ? null : time
}

type Needs = { config: Pick<Config, 'dataFolder' | 'replicaUrl'>; now: Clock; log: Log }

/** Watches the replica, if one is configured: the log says when it is behind, and when it has caught up. */
export function createReplicaWatch({ config: { dataFolder, replicaUrl }, now, log }: Needs) {
  let lateChecks = 0

  return {
    async check() {
      if (replicaUrl === null) return
      const replica = await inspectReplica(dataFolder)
      const wasReported = lateChecks > 1
      lateChecks = isLate(replica, now()) ? lateChecks + 1 : 0
      if (wasReported && lateChecks === 0) log.info('The replica has caught up')
      // Litestream may start after us, so a single check proves nothing.
      if (lateChecks !== 2) return
      const { version, completeUntil, failure } = replica
      log.error('The replica is behind', {
        litestream: version ?? 'does not answer',
        completeUntil: completeUntil === null ? 'unknown' : new Date(completeUntil).toISOString(),
        ...(failure !== null && { failure }),
      })
    },
  }
}
