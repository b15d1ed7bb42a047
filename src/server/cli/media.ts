import { join } from 'node:path'
import type { Config } from '../config'
import { openDataFolder } from '../data-folder'
import { createForgottenFiles } from '../downloads/forgotten'
import { createMediaMove, MOVE_LOCK, type Moved } from '../downloads/media-move'
import { monotonicClock, SECOND } from '../platform/clock'
import { AlreadyRunning, lockDataFolder } from '../platform/instance-lock'
import { createLog } from '../platform/log'
import { createMediaFiles, type StorageName } from '../storage'
import { StorageFailure } from '../storage/storage'
import { storageNames } from '../store/file-place'
import { readOptions, UsageError } from './arguments'
import { requireDatabase } from './library'
import { counted, formatBytes, type Print } from './terminal'

export const mediaUsage = `castellan media move --to s3|folder    (moves downloaded files; if interrupted, run it again)`

const PRINT_EVERY_MS = 5 * SECOND

/**
 * Moves all media files to a storage, even while the server is running, and prints the progress. Returns whether all
 * files are there now. Throws `UsageError`, and `AlreadyRunning` while another process moves files.
 */
export async function runMediaCommand(args: readonly string[], config: Config, print: Print): Promise<boolean> {
  const to = parseMediaCommand(args)
  if (config.bucket === null)
    throw new UsageError(
      'The configuration names no bucket: set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY.',
    )
  requireDatabase(config.dataFolder)
  const unlock = lockMoves(config)
  const { store } = openDataFolder(config.dataFolder, config)
  try {
    const log = createLog('error', 'text', () => undefined)
    const files = createMediaFiles({ config, someKnownFiles: store.episodes.someFiles, elapsed: monotonicClock, log })
    const wrong = await files.bucket!.ask()
    if (wrong !== null) throw new UsageError(wrong)
    files.folder.requirePresent()
    const forgotten = createForgottenFiles({ store, files, log })
    const move = createMediaMove({ store, files, forgotten, reserveBytes: config.reserveBytes, log })
    const { files: count, bytes } = store.mediaCopies.totalIn(to === 's3' ? 'folder' : 's3')
    print(`${counted(count, 'file')} to move (${formatBytes(bytes)}).`)
    const moved = await move.run(to, createProgress(count, print))
    printEnd(moved, print)
    if (config.mediaStorage !== to) print(`New downloads are still stored elsewhere: set MEDIA_STORAGE=${to}.`)
    return moved.failures.length === 0
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error
    print(`${error.message}. Nothing is lost: run the command again to continue.`)
    return false
  } finally {
    store.close()
    unlock()
  }
}

/** Reads the arguments after `castellan media`. Throws `UsageError`. */
function parseMediaCommand(args: readonly string[]): StorageName {
  const { positionals, values } = readOptions(args, { to: { type: 'string' } }, mediaUsage)
  if (positionals.join(' ') !== 'move') throw new UsageError('media has one command: move', mediaUsage)
  const to = storageNames.find(name => name === values.to)
  if (!to) throw new UsageError(`--to is ${storageNames.toReversed().join(' or ')}`, mediaUsage)
  return to
}

function lockMoves({ dataFolder }: Config) {
  try {
    return lockDataFolder(join(dataFolder, MOVE_LOCK))
  } catch (error) {
    if (error instanceof AlreadyRunning) throw new AlreadyRunning('Another process is moving media files.')
    throw error
  }
}

/** Prints a line every few seconds. */
function createProgress(count: number, print: Print) {
  let printedAt = monotonicClock()
  return ({ files, bytes, failures }: Moved) => {
    if (monotonicClock() - printedAt < PRINT_EVERY_MS) return
    printedAt = monotonicClock()
    print(`${files + failures.length} of ${count} (${formatBytes(bytes)})`)
  }
}

function printEnd({ files, bytes, failures }: Moved, print: Print) {
  print(`Moved ${counted(files, 'file')} (${formatBytes(bytes)}).`)
  if (failures.length > 0) print(`${counted(failures.length, 'file')} could not be moved:`)
  for (const { path, reason } of failures) print(`  ${path}: ${reason}`)
}
