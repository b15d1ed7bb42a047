import { existsSync, readdirSync, rmSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR, type Clock } from '../platform/clock'
import type { Log } from '../platform/log'
import { notFound, Problem } from '../platform/problem'
import { backupName, BACKUP_FOLDER, holdsPodcasts, readBackupName, SECRET_FILE, type BackupKind } from '../store/backup'
import type { Thread } from '../thread'
import type { BackupTasks } from './tasks'

type Needs = {
  dataFolder: string
  /** A thread of its own, for as long as it takes: reading feeds must not wait for it. */
  background: () => Thread<BackupTasks>
  databaseBytes: () => number
  now: Clock
  log: Log
  /** Between two scheduled ones; 0 = none are made. */
  everyHours: number
  /** How many scheduled ones are kept. */
  keep: number
}

export type Backup = { name: string; kind: BackupKind; size: number; at: number }

const MOST_BEFORE_UPDATE = 3

/** Backups in the data folder: made on a schedule, by hand and before updates. Nothing stops while one is made. */
export function createBackups({ dataFolder, background, databaseBytes, now, log, everyHours, keep }: Needs) {
  const folder = join(dataFolder, BACKUP_FOLDER)
  const secretPath = join(dataFolder, SECRET_FILE)
  let running: Promise<Backup> | null = null
  let thread: Thread<BackupTasks> | null = null

  /** Newest first. */
  async function list(): Promise<Backup[]> {
    const names = await readdir(folder).catch(() => [])
    const found = await Promise.all(
      names.map(async name => {
        const read = readBackupName(name)
        const file = read && (await stat(join(folder, name)).catch(() => null))
        return file?.isFile() ? [{ name, ...read!, size: file.size }] : []
      }),
    )
    return found.flat().sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
  }

  async function write(kind: BackupKind): Promise<Backup> {
    const disk = await statfs(existsSync(folder) ? folder : dataFolder)
    const free = disk.bavail * disk.bsize
    const needed = Math.ceil(databaseBytes() * 1.1)
    if (free < needed) throw full(needed, free)
    const at = now()
    const name = backupName(kind, at, name => existsSync(join(folder, name)))
    thread = background()
    try {
      const failure = await thread.run('backUp', { secretPath, target: join(folder, name) })
      if (failure?.isDiskFull) throw full(needed, free)
      if (failure) throw new Error(failure.message)
    } finally {
      await thread.close()
      thread = null
    }
    const { size } = await stat(join(folder, name))
    log.info('backup made', { name, bytes: size })
    return { name, kind, size, at: readBackupName(name)!.at }
  }

  /** Throws `already-running` and `disk-full`. */
  function create(kind: BackupKind): Promise<Backup> {
    if (running) throw new Problem('already-running', 'A backup is being made already', { kind: 'backup' })
    running = write(kind).finally(() => (running = null))
    return running
  }

  async function find(name: string): Promise<{ path: string; size: number }> {
    const backup = (await list()).find(one => one.name === name)
    if (!backup) throw notFound('backup')
    return { path: join(folder, backup.name), size: backup.size }
  }

  /** Keeps the newest of a library, and the newest of an empty one: what was lost must not push out what it was. */
  async function removeOld(kind: BackupKind, kept: number, made: Backup) {
    // By whatever clock it was made, the last one stays.
    const backups = [made, ...(await list()).filter(({ name }) => name !== made.name)].filter(one => one.kind === kind)
    const [full, empty] = [true, false].map(wanted =>
      backups.filter(({ name }) => holdsPodcasts(join(folder, name)) === wanted),
    )
    for (const { name } of [...full!.slice(kept), ...empty!.slice(kept)]) rmSync(join(folder, name), { force: true })
  }

  return {
    list,
    create,
    find,
    /** Once at the start: what a process that was killed had not finished. */
    recover() {
      const names = existsSync(folder) ? readdirSync(folder) : []
      for (const name of names.filter(name => /^castellan-.*\.db\.part(-journal)?$/.test(name)))
        rmSync(join(folder, name), { force: true })
    },
    async remove(name: string) {
      const { path } = await find(name)
      rmSync(path, { force: true })
    },
    /** By the names of what lies there, not by a memory of when: also after a restart, and where the clock jumped. */
    async createIfDue() {
      if (everyHours === 0 || running) return
      const earlier = await list()
      const isRecent = ({ kind, at }: Backup) => kind === 'scheduled' && Math.abs(now() - at) < everyHours * HOUR
      if (earlier.some(isRecent)) return
      const made = await create('scheduled')
      await removeOld('scheduled', keep, made)
      await removeOld('before-update', MOST_BEFORE_UPDATE, made)
    },
    /** Gives up one that is under way; what there is of it goes at the next start. */
    stop: () => thread?.close(),
  }
}

const full = (needed: number, free: number) =>
  new Problem('disk-full', 'There is no room for a backup on the disk', { needed: String(needed), free: String(free) })
