import type { Config } from '../config'
import { adviceFor } from '../data-folder'
import { createBackups } from './backups'
import { createIntegrity } from './integrity'
import { createReplicaWatch } from './replica'
import { createRetention, createTidying } from './retention'
import { createUpdates } from './updates'

type Needs = Omit<Parameters<typeof createBackups>[0], 'dataFolder' | 'databaseBytes' | 'everyHours' | 'keep'> &
  Pick<Parameters<typeof createIntegrity>[0], 'newThread'> &
  Parameters<typeof createRetention>[0] &
  Parameters<typeof createTidying>[0] &
  Omit<Parameters<typeof createUpdates>[0], 'address'> & { config: Config }

/** Creates everything that keeps an unattended server in order. */
export function createUpkeep(needs: Needs) {
  const { store, config } = needs
  const { dataFolder, replicaUrl } = config
  const tidying = createTidying(needs)
  const backups = createBackups({
    ...needs,
    dataFolder,
    databaseBytes: store.bytes,
    everyHours: config.backupHours,
    keep: config.backupsKept,
  })
  const integrity = createIntegrity({ ...needs, advice: () => adviceFor(dataFolder, replicaUrl) })
  const updates = createUpdates({ ...needs, address: config.updateCheckUrl })
  return {
    tidying,
    backups,
    integrity,
    updates,
    replica: createReplicaWatch(needs),
    retention: createRetention(needs),
  }
}
