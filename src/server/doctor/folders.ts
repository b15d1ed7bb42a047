import { accessSync, chmodSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config'
import { DAY } from '../platform/clock'
import { checkBackup, BACKUP_FOLDER, readBackupName, SECRET_FILE } from '../store/backup'
import { newestSchema } from '../store/open'
import { fine, problem, warning, type Finding } from './finding'

/** File systems that lock files over the network, by the number that Linux has for them. */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
])

/** The kind of network file system that a folder lies on; null = none that we know. */
export const networkFileSystemOf = (folder: string): string | null =>
  networkFileSystems.get(Number(statfsSync(folder).type) >>> 0) ?? null

/** Folders, disks, the secret and the backups: what can be told without opening the database. */
export function examineFolders(config: Config, now: number): Finding[] {
  return [
    ...writable('DATA_DIRECTORY', config.dataFolder),
    ...writable('PODCAST_DIRECTORY', config.podcastFolder),
    ...onNetwork(config.dataFolder),
    ...room(config),
    ...secret(join(config.dataFolder, SECRET_FILE)),
    ...backups(join(config.dataFolder, BACKUP_FOLDER), config.backupHours, now),
  ]
}

function writable(variable: string, folder: string): Finding[] {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return [fine(`${variable}: ${folder} can be written to`)]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return [
      problem(
        code === 'ENOENT'
          ? `${variable}: there is no ${folder}`
          : `${variable}: ${folder} cannot be written to (${code}); give it to the user that runs Castellan`,
      ),
    ]
  }
}

function onNetwork(folder: string): Finding[] {
  const kind = existsSync(folder) ? networkFileSystemOf(folder) : null
  return kind === null
    ? []
    : [warning(`the database lies on ${kind}, where locks are not to be relied on: put DATA_DIRECTORY on a local disk`)]
}

function room({ dataFolder, podcastFolder, reserveBytes }: Config): Finding[] {
  return [...new Set([dataFolder, podcastFolder])].filter(existsSync).map(folder => {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const text = `${folder} has ${(free / 1e9).toFixed(1)} GB left`
    return free > reserveBytes ? fine(text) : warning(`${text}, downloads wait below ${reserveBytes / 1e9} GB`)
  })
}

/** Whether it is there and whole is told with the database that it belongs to. */
function secret(path: string): Finding[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return []
  if ((found.mode & 0o077) === 0) return [fine('the secret is for its owner alone')]
  return [
    warning(`${path} can be read by others`, () => {
      chmodSync(path, 0o600)
      return 'is for its owner alone now'
    }),
  ]
}

function backups(folder: string, everyHours: number, now: number): Finding[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const [last] = names
    .flatMap(name => {
      const read = readBackupName(name)
      return read ? [{ name, at: read.at }] : []
    })
    .sort((a, b) => b.at - a.at)
  if (!last) return [warning('there is no backup yet')]
  try {
    checkBackup(join(folder, last.name), newestSchema)
  } catch (error) {
    return [problem((error as Error).message)]
  }
  const days = Math.floor((now - last.at) / DAY)
  const text = `the last backup is ${last.name}, and can be read`
  return everyHours > 0 && now - last.at > 2 * everyHours * 3_600_000 + DAY
    ? [warning(`${text}, but is ${days} days old`)]
    : [fine(text)]
}
