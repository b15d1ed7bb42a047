import { accessSync, chmodSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config'
import { DAY, HOUR } from '../../platform/clock'
import { BALLAST_BYTES, BALLAST_FILE, hasBallast, measureRoom, type MeasureFree } from '../../platform/room'
import { checkBackup, BACKUP_FOLDER, readBackupName, SECRET_FILE } from '../../store/backup'
import { newestSchema } from '../../store/open'

/** Network file systems, whose locks are unreliable, by the type number that Linux `statfs` returns. */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
])

/** Returns the name of the network file system that holds a folder; null = local, or unknown. */
export const networkFileSystemOf = (folder: string): string | null =>
  networkFileSystems.get(Number(statfsSync(folder).type) >>> 0) ?? null

/** Checks folders, disks, the secret and the backups, without opening the database. */
export function examineFolders(config: Config, now: number, measure?: MeasureFree): Finding[] {
  return [
    ...checkWritable('DATA_DIRECTORY', config.dataFolder),
    ...checkWritable('PODCAST_DIRECTORY', config.podcastFolder),
    ...checkLocal(config.dataFolder),
    ...checkSpace(config, measure),
    ...checkSecretMode(join(config.dataFolder, SECRET_FILE)),
    ...checkBackups(join(config.dataFolder, BACKUP_FOLDER), config.backupHours, now),
  ]
}

function checkWritable(variable: string, folder: string): Finding[] {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return [fine(`${variable}: ${folder} is writable`)]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return [
      problem(
        code === 'ENOENT'
          ? `${variable}: ${folder} does not exist: mount its disk, or start the server, which creates it`
          : `${variable}: ${folder} is not writable (${code}): give it to the user that runs Castellan`,
      ),
    ]
  }
}

function checkLocal(folder: string): Finding[] {
  const kind = existsSync(folder) ? networkFileSystemOf(folder) : null
  return kind === null
    ? []
    : [warning(`the database is on ${kind}, where locks are unreliable: put DATA_DIRECTORY on a local disk`)]
}

function checkSpace({ dataFolder, podcastFolder, reserveBytes }: Config, measure?: MeasureFree): Finding[] {
  const { isFull, free } = measureRoom(dataFolder, measure)
  if (isFull)
    return [
      problem(
        `${dataFolder} is on a disk that is full (${((free ?? 0) / 1e6).toFixed(1)} MB free): make room on it. ` +
          'A running server lets people listen, and delete files',
      ),
    ]
  const ballast = `${BALLAST_FILE} keeps ${BALLAST_BYTES / 1e6} MB for a start on a full disk`
  const rooms = [...new Set([dataFolder, podcastFolder])].filter(existsSync).map(folder => {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const text = `${folder} has ${(free / 1e9).toFixed(1)} GB free`
    return free > reserveBytes ? fine(text) : warning(`${text}: downloads wait below ${reserveBytes / 1e9} GB`)
  })
  return hasBallast(dataFolder) ? [...rooms, fine(ballast)] : rooms
}

/** Checks the mode of the secret. A missing or truncated one is reported with the database that needs it. */
function checkSecretMode(path: string): Finding[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return []
  // No permissions for the group or for others.
  if ((stats.mode & 0o077) === 0) return [fine('only its owner can read the secret')]
  return [
    warning(`${path} can be read by others`, () => {
      chmodSync(path, 0o600)
      return 'only its owner can read it now'
    }),
  ]
}

/** Checks that the newest backup can be read, and is not older than two intervals and a day. */
function checkBackups(folder: string, everyHours: number, now: number): Finding[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const [last] = names
    .flatMap(name => {
      const read = readBackupName(name)
      return read ? [{ name, at: read.at }] : []
    })
    .sort((a, b) => b.at - a.at)
  if (!last) return [warning('no backup yet')]
  try {
    checkBackup(join(folder, last.name), newestSchema)
  } catch (error) {
    return [problem((error as Error).message)]
  }
  const days = Math.floor((now - last.at) / DAY)
  const text = `the latest backup, ${last.name}, can be read`
  return everyHours > 0 && now - last.at > 2 * everyHours * HOUR + DAY
    ? [warning(`${text}, but is ${days} days old`)]
    : [fine(text)]
}

/** The result of one check. `repair` fixes it and says what it did; absent if only a person can. */
export type Finding = { level: 'fine' | 'warning' | 'problem'; text: string; repair?: () => string | Promise<string> }

export const fine = (text: string): Finding => ({ level: 'fine', text })
export const warning = (text: string, repair?: () => string | Promise<string>): Finding => ({
  level: 'warning',
  text,
  ...(repair && { repair }),
})
export const problem = (text: string, repair?: () => string | Promise<string>): Finding => ({
  level: 'problem',
  text,
  ...(repair && { repair }),
})

/** Counts things in words: `1 file is`, `2 files are`. */
export const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** Names the first five of many paths, and counts the rest. */
export const some = (paths: readonly string[]) =>
  `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`
