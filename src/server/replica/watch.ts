import type { Config } from '../config'
import type { Clock } from '../platform/clock'
import type { Log } from '../platform/log'
import { inspectReplica, isLate } from './litestream'

type Needs = { config: Pick<Config, 'dataFolder' | 'replicaUrl'>; now: Clock; log: Log }

/** Watches the replica, where one is configured: the log says when it is late, and when it has everything again. */
export function createReplicaWatch({ config: { dataFolder, replicaUrl }, now, log }: Needs) {
  let lateChecks = 0

  return {
    async check() {
      if (replicaUrl === null) return
      const replica = await inspectReplica(dataFolder)
      const wasReported = lateChecks > 1
      lateChecks = isLate(replica, now()) ? lateChecks + 1 : 0
      if (wasReported && lateChecks === 0) log.info('The replica has everything again')
      // Litestream may start after us: one check proves nothing.
      if (lateChecks !== 2) return
      const { version, completeUntil, failure } = replica
      log.error('The replica is late', {
        litestream: version ?? 'does not answer',
        completeUntil: completeUntil === null ? 'unknown' : new Date(completeUntil).toISOString(),
        ...(failure !== null && { failure }),
      })
    },
  }
}
