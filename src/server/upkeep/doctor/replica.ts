import type { Config } from '../../config'
import { SECOND } from '../../platform/clock'
import { inspectReplica, isLate, litestreamSocket, type Replica } from '../replica'
import { fine, problem, warning, type Finding } from './finding'

/** Older ones stop replicating without a word. */
const OLDEST = [0, 5, 8] as const

/** Checks that Litestream replicates the library, where REPLICA_URL says that it should. */
export async function examineReplica({ dataFolder, replicaUrl }: Config, now: number): Promise<Finding[]> {
  if (replicaUrl === null) return []
  const replica = await inspectReplica(dataFolder)
  const { version, completeUntil } = replica
  if (version === null)
    return [
      warning(
        `Litestream does not answer at ${litestreamSocket(dataFolder)}: start it, with this path in its configuration${
          completeUntil === null ? '' : `. It last copied something at ${new Date(completeUntil).toISOString()}`
        }`,
      ),
    ]
  return [checkVersion(version), checkAge(replica, now)].filter(finding => finding !== null)
}

function checkVersion(version: string): Finding | null {
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  const different = numbers?.findIndex((number, at) => number !== OLDEST[at]) ?? -1
  if (!numbers || different === -1 || numbers[different]! > OLDEST[different]!) return null
  return problem(`Litestream ${version} may stop replicating without a word: install ${OLDEST.join('.')} or newer`)
}

function checkAge(replica: Replica, now: number): Finding {
  const { completeUntil, failure } = replica
  const reason = failure === null ? 'see the log of Litestream' : `Litestream says: ${failure}`
  if (completeUntil === null) return problem(`nothing has been replicated yet: ${reason}`)
  if (isLate(replica, now))
    return problem(`the replica lacks everything written since ${new Date(completeUntil).toISOString()}: ${reason}`)
  const age = Math.max(0, now - completeUntil)
  return fine(`the replica has everything that was written until ${Math.round(age / SECOND)} seconds ago`)
}
