import { existsSync, readdirSync, rmSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type BegunWork, setAsideMessage } from '../begun-work'
import { RESTORING_FILE } from '../data-folder'
import { type Clock, HOUR } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import { notFound, Problem } from '../platform/problem'
import type { Secret } from '../platform/secret'
import { BACKUP_FOLDER, type BackupKind, backupName, holdsPodcasts, readBackupName } from '../store/backup'
import type { Thread } from '../thread'

/** Task of a thread: writes a backup to `target`; returns the failure, or null. */
export type BackupTasks = {
  backUp: { request: { secret: Uint8Array; target: string }; result: { message: string; isDiskFull: boolean } | null }
}

type Needs = {
  dataFolder: string
  secret: Pick<Secret, 'key'>
  /** Creates a separate thread for each backup, so that reading feeds doesn't wait for it. */
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
      // The process ended it, which is not a failure.
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

export type Backup = { name: string; kind: BackupKind; size: number; at: number }
type BackupsFolder = ReturnType<typeof openBackupsFolder>

/** The backups in the data folder: kind and time of each are in its name. */
function openBackupsFolder(dataFolder: string) {
  const folder = join(dataFolder, BACKUP_FOLDER)
  const pathOf = (name: string) => join(folder, name)
  const remove = (name: string) => rmSync(pathOf(name), { force: true })

  async function describe(name: string): Promise<Backup[]> {
    const read = readBackupName(name)
    const file = read && (await stat(pathOf(name)).catch(() => null))
    return file?.isFile() ? [{ name, ...read!, size: file.size }] : []
  }

  /** Newest first. */
  async function list(): Promise<Backup[]> {
    const names = await readdir(folder).catch(() => [])
    const found = (await Promise.all(names.map(describe))).flat()
    return found.sort((one, other) => other.at - one.at || (one.name < other.name ? 1 : -1))
  }

  /** Throws `backup-not-found`. */
  async function find(name: string): Promise<{ path: string; size: number }> {
    const backup = (await list()).find(one => one.name === name)
    if (!backup) throw notFound('backup')
    return { path: pathOf(backup.name), size: backup.size }
  }

  return {
    list,
    find,
    pathOf,
    unusedName: (kind: BackupKind, at: number) => backupName(kind, at, name => existsSync(pathOf(name))),
    async remove(name: string) {
      await find(name)
      remove(name)
    },
    /**
     * Removes all but the newest backups of a kind, counting those of a library and of an empty one separately: a lost
     * library must not push out its own backups. The one just made counts as the newest, whatever the clock says.
     */
    async removeOld(kind: BackupKind, kept: number, made: Backup) {
      const others = (await list()).filter(({ name }) => name !== made.name)
      const backups = [made, ...others].filter(one => one.kind === kind)
      const groups = Map.groupBy(backups, ({ name }) => holdsPodcasts(pathOf(name)))
      for (const alike of groups.values()) for (const { name } of alike.slice(kept)) remove(name)
    },
    /** Removes what a killed process has not finished. */
    removeUnfinished() {
      const names = existsSync(folder) ? readdirSync(folder) : []
      for (const name of names) if (/^castellan-.*\.db\.part(-journal)?$/.test(name)) remove(name)
    },
  }
}
