import { existsSync, rmSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setAsideMessage, type BegunWork } from '../begun-work'
import { RESTORING_FILE } from '../data-folder'
import { HOUR, type Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import { Problem } from '../platform/problem'
import type { Secret } from '../platform/secret'
import { BACKUP_FOLDER, readBackupName, type BackupKind } from '../store/backup'
import type { Thread } from '../thread'
import { openBackupsFolder, type Backup, type BackupsFolder } from './backups-folder'

/** Task of a thread: writes a backup to `target`; answers the failure, or null. */
export type BackupTasks = {
  backUp: { request: { secret: Uint8Array; target: string }; result: { message: string; isDiskFull: boolean } | null }
}

type Needs = {
  dataFolder: string
  secret: Pick<Secret, 'key'>
  /** Creates its own thread for each backup: reading feeds must not wait for it. */
  newThread: () => Thread<BackupTasks>
  databaseBytes: () => number
  publish: Publish
  now: Clock
  log: Log
  /** Hours between two scheduled backups; 0 turns them off. */
  everyHours: number
  /** Number of scheduled backups to keep. */
  keep: number
  begun: BegunWork
}

const scheduled = { kind: 'backup', key: 'scheduled', label: 'scheduled' } as const
const KEPT_BEFORE_UPDATES = 3
/** Room for what is written to the database while its backup is made. */
const HEADROOM = 1.1

/**
 * Backups in the data folder: made on a schedule, by hand and before updates. The server keeps running while one is
 * made. `freeBytes` measures the free space on the disk of a folder.
 */
export function createBackups(needs: Needs, freeBytes = measureFreeBytes) {
  const { now, publish, everyHours, keep, begun } = needs
  const folder = openBackupsFolder(needs.dataFolder)
  const writer = createWriter(needs, folder, freeBytes)
  let running: Promise<Backup> | null = null
  let isStopping = false

  function create(kind: BackupKind): Promise<Backup> {
    if (running) throw new Problem('already-running', 'A backup is already being made', { kind: 'backup' })
    running = writer.write(kind).finally(() => (running = null))
    return running
  }

  async function createScheduled(): Promise<Backup> {
    try {
      return await begun.run(
        scheduled,
        () => create('scheduled'),
        () => Promise.reject(new Error(setAsideMessage)),
      )
    } catch (error) {
      // Ended by the end of the process, which is no failure.
      if (!isStopping) publish({ type: 'backupFailed', reason: error instanceof Error ? error.message : String(error) })
      throw error
    }
  }

  return {
    list: folder.list,
    find: folder.find,
    remove: folder.remove,
    /** Makes a backup. Throws `already-running` and `disk-full`. */
    create,
    /** Removes, at the start, what a killed process left of a backup or of a restore. */
    recover() {
      folder.removeUnfinished()
      rmSync(join(needs.dataFolder, RESTORING_FILE), { force: true })
    },
    /**
     * Makes a scheduled backup if the last one is old enough, and removes those beyond the number to keep. Reads the
     * time of the last one from the folder, so that a restart or a jump of the clock does not matter.
     */
    async createIfDue() {
      if (everyHours === 0 || running || begun.isSetAside(scheduled.kind, scheduled.key)) return
      const isRecent = ({ kind, at }: Backup) => kind === 'scheduled' && Math.abs(now() - at) < everyHours * HOUR
      if ((await folder.list()).some(isRecent)) return
      const made = await createScheduled()
      await folder.removeOld('scheduled', keep, made)
      await folder.removeOld('before-update', KEPT_BEFORE_UPDATES, made)
    },
    /** Aborts a running backup; the next start removes its unfinished file. */
    stop() {
      isStopping = true
      return writer.stop()
    },
  }
}

function createWriter(
  { dataFolder, secret, newThread, databaseBytes, publish, now, log }: Needs,
  folder: BackupsFolder,
  freeBytes: typeof measureFreeBytes,
) {
  let thread: Thread<BackupTasks> | null = null

  function measureFree(): Promise<number> {
    const backups = join(dataFolder, BACKUP_FOLDER)
    return freeBytes(existsSync(backups) ? backups : dataFolder)
  }

  return {
    async write(kind: BackupKind): Promise<Backup> {
      const free = await measureFree()
      const needed = Math.ceil(databaseBytes() * HEADROOM)
      if (free < needed) throw diskFull(needed, free)
      const name = folder.unusedName(kind, now())
      const target = folder.pathOf(name)
      thread = newThread()
      try {
        const failure = await thread.run('backUp', { secret: secret.key, target })
        if (failure?.isDiskFull) throw diskFull(needed, await measureFree())
        if (failure) throw new Error(failure.message)
      } finally {
        await thread.close()
        thread = null
      }
      const { size } = await stat(target)
      log.info('Backup made', { name, bytes: size })
      publish({ type: 'backupMade', name })
      return { name, kind, size, at: readBackupName(name)!.at }
    },
    stop: () => thread?.close(),
  }
}

async function measureFreeBytes(folder: string): Promise<number> {
  const disk = await statfs(folder)
  return disk.bavail * disk.bsize
}

const diskFull = (needed: number, free: number) =>
  new Problem('disk-full', `The backup needs ${needed} bytes, but the disk has ${free} bytes free`, {
    needed: String(needed),
    free: String(free),
  })
