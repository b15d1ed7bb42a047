import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR, type Clock } from '../platform/clock'
import type { Log } from '../platform/log'
import { Problem } from '../platform/problem'
import { BACKUP_FOLDER, readBackupName, SECRET_FILE, type BackupKind } from '../store/backup'
import type { Thread } from '../thread'
import { openBackupsFolder, type Backup, type BackupsFolder } from './folder'
import type { BackupTasks } from './tasks'

type Needs = {
  dataFolder: string
  /** Creates a thread of its own for each backup: reading feeds must not wait for it. */
  newThread: () => Thread<BackupTasks>
  databaseBytes: () => number
  now: Clock
  log: Log
  /** Hours between two scheduled backups; 0 = none are made. */
  everyHours: number
  /** Number of scheduled backups to keep. */
  keep: number
}

const KEPT_BEFORE_UPDATES = 3

/** Backups in the data folder: made on a schedule, by hand and before updates. The server runs on meanwhile. */
export function createBackups(needs: Needs) {
  const { now, everyHours, keep } = needs
  const folder = openBackupsFolder(needs.dataFolder)
  const writer = createWriter(needs, folder)
  let running: Promise<Backup> | null = null

  function create(kind: BackupKind): Promise<Backup> {
    if (running) throw new Problem('already-running', 'A backup is already being made', { kind: 'backup' })
    running = writer.write(kind).finally(() => (running = null))
    return running
  }

  return {
    list: folder.list,
    find: folder.find,
    remove: folder.remove,
    /** Throws `already-running` and `disk-full`. */
    create,
    recover: folder.removeUnfinished,
    /** Asks the folder, not memory, when the last one was made: right also after a restart or a jump of the clock. */
    async createIfDue() {
      if (everyHours === 0 || running) return
      const isRecent = ({ kind, at }: Backup) => kind === 'scheduled' && Math.abs(now() - at) < everyHours * HOUR
      if ((await folder.list()).some(isRecent)) return
      const made = await create('scheduled')
      await folder.removeOld('scheduled', keep, made)
      await folder.removeOld('before-update', KEPT_BEFORE_UPDATES, made)
    },
    /** Gives up a running backup; its part is removed at the next start. */
    stop: writer.stop,
  }
}

function createWriter({ dataFolder, newThread, databaseBytes, now, log }: Needs, folder: BackupsFolder) {
  const secretPath = join(dataFolder, SECRET_FILE)
  let thread: Thread<BackupTasks> | null = null

  async function freeBytes(): Promise<number> {
    const backups = join(dataFolder, BACKUP_FOLDER)
    const disk = await statfs(existsSync(backups) ? backups : dataFolder)
    return disk.bavail * disk.bsize
  }

  return {
    async write(kind: BackupKind): Promise<Backup> {
      const free = await freeBytes()
      const needed = Math.ceil(databaseBytes() * 1.1)
      if (free < needed) throw diskFull(needed, free)
      const name = folder.freeName(kind, now())
      const target = folder.pathOf(name)
      thread = newThread()
      try {
        const failure = await thread.run('backUp', { secretPath, target })
        if (failure?.isDiskFull) throw diskFull(needed, free)
        if (failure) throw new Error(failure.message)
      } finally {
        await thread.close()
        thread = null
      }
      const { size } = await stat(target)
      log.info('Backup made', { name, bytes: size })
      return { name, kind, size, at: readBackupName(name)!.at }
    },
    stop: () => thread?.close(),
  }
}

const diskFull = (needed: number, free: number) =>
  new Problem('disk-full', `The backup needs ${needed} bytes, but the disk has ${free} bytes free`, {
    needed: String(needed),
    free: String(free),
  })
