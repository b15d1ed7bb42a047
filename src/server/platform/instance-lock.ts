import { Database } from 'bun:sqlite'

/** Another process uses the data folder. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
}

/** The lock file is not one that Castellan wrote. It is not replaced: another process may hold a lock on it. */
export class LockDamaged extends Error {
  override name = 'LockDamaged'
}

/** Locks like `lockDataFolder`; null while another process holds the lock. */
export function tryToLock(lockFile: string): (() => void) | null {
  try {
    return lockDataFolder(lockFile)
  } catch (error) {
    if (error instanceof AlreadyRunning) return null
    throw error
  }
}

/**
 * Locks a data folder against a second process, and returns the function that releases it. Throws `AlreadyRunning`,
 * `LockDamaged`. The lock is SQLite's, on its own file: the system releases it however the process ends, so a crash
 * never prevents a restart.
 */
export function lockDataFolder(lockFile: string): () => void {
  const db = new Database(lockFile, { create: true })
  try {
    // A process that is just ending may hold the lock for a moment.
    db.run('PRAGMA busy_timeout = 500')
    db.run('PRAGMA journal_mode = DELETE')
    db.run('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (String(error).includes('locked')) throw new AlreadyRunning('another instance uses this data folder')
    if (/NOTADB|CORRUPT/.test((error as { code?: string }).code ?? ''))
      throw new LockDamaged(
        `${lockFile} is damaged. It contains no data: make sure that no Castellan is using this folder, delete the file, and start again.`,
      )
    throw error
  }
  return () => db.close()
}

const ours = new Set<string>()

/** Names something temporary after this process, so that others can tell when nobody needs it any more. */
export function nameOfThisProcess(kind: string): string {
  const name = `${kind}-${process.pid}-${crypto.randomUUID()}`
  ours.add(name)
  return name
}

/**
 * Whether the process that made something of this name still runs. In a container each start has the same process
 * number, so of names with our own number, only those that we made count.
 */
export function isOfLivingProcess(name: string): boolean {
  const pid = Number(/^[a-z-]+-(\d+)-[\da-f]{8}-[\da-f-]+$/.exec(name)?.[1] ?? Number.NaN)
  if (Number.isNaN(pid)) return false
  if (pid === process.pid) return ours.has(name)
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
