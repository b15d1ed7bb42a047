import { chmodSync, closeSync, copyFileSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ForeignDatabaseError, mergeForeignLog } from '../store/foreign-database'
import { MoveRefused } from './refused'

/** Room for two million episodes with their notes. */
const MOST_BYTES = 8 * 1024 ** 3
const SQLITE = 'SQLite format 3\0'
const TRIES = 5
export const COPY = 'source'

/**
 * Copies a file into a folder of our own, as `source`, with the log that lies beside a database: the program that it
 * belongs to may be running. Throws `MoveRefused` and `ForeignDatabaseError`.
 */
export function copySource(path: string, folder: string): string {
  const before = statSync(path, { throwIfNoEntry: false })
  if (!before) throw new MoveRefused(`There is no ${path}`)
  if (!before.isFile()) throw new MoveRefused(`${path} is not a file. Name the file itself.`)
  if (before.size > MOST_BYTES) throw new MoveRefused(`${path} has ${before.size} bytes, more than ${MOST_BYTES}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, COPY)
  copyAtRest(path, copy)
  if (beginningOf(copy, SQLITE.length) === SQLITE) mergeForeignLog(copy)
  return copy
}

/** Copies both files; once more, where one of them changed meanwhile. */
function copyAtRest(path: string, copy: string) {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = stateOf(path)
    copyFileSync(path, copy)
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
    if (log?.isFile() && log.size > 0 && log.size <= MOST_BYTES) copyFileSync(`${path}-wal`, `${copy}-wal`)
    for (const file of [copy, `${copy}-wal`]) if (statSync(file, { throwIfNoEntry: false })) chmodSync(file, 0o600)
    if (stateOf(path) === before) return
  }
  throw new ForeignDatabaseError(`${path} changes all the time. Stop the program that writes to it.`)
}

const stateOf = (path: string) =>
  [path, `${path}-wal`]
    .map(file => statSync(file, { throwIfNoEntry: false }))
    .map(stat => (stat ? `${stat.size} ${stat.mtimeMs}` : 'none'))
    .join(' ')

/** The first bytes of a file as text. */
export function beginningOf(path: string, length: number): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0)).toString('utf8')
  } finally {
    closeSync(file)
  }
}
