import { Database } from 'bun:sqlite'

export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
}

/**
 * Keeps a second instance away from a data folder. The lock is one of SQLite on a file of its own: the system
 * releases it when the process ends, however it ends, so nothing stale can keep a restart out.
 */
export function lockDataFolder(path: string): () => void {
  const db = new Database(path, { create: true })
  try {
    db.run('PRAGMA busy_timeout = 500')
    db.run('PRAGMA journal_mode = DELETE')
    db.run('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (String(error).includes('locked')) throw new AlreadyRunning('another instance uses this data folder')
    throw error
  }
  return () => db.close()
}
