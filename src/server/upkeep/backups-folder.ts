import { existsSync, readdirSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { notFound } from '../platform/problem'
import { backupName, BACKUP_FOLDER, holdsPodcasts, readBackupName, type BackupKind } from '../store/backup'

export type Backup = { name: string; kind: BackupKind; size: number; at: number }
export type BackupsFolder = ReturnType<typeof openBackupsFolder>

/** The backups in the data folder: kind and time of each are in its name. */
export function openBackupsFolder(dataFolder: string) {
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
     * Removes all but the newest backups of a kind, counting those of a library and of an empty one apart: a library
     * that was lost must not push out its own backups. The one just made counts as the newest, whatever the clock says.
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
