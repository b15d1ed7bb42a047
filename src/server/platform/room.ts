import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Publish } from './events'
import { codeOf, describeError, isFullDisk, type Log } from './log'

export const BALLAST_FILE = 'castellan.ballast'
const UNFINISHED_FILE = `${BALLAST_FILE}.new`
const MEGABYTE = 1_000_000
/** Room for the lock, the log of the database and the changes that make more room. */
export const BALLAST_BYTES = 8 * MEGABYTE
/** Below this many free bytes, apart from the ballast, a disk is full: not even a start would succeed. */
const MIN_BYTES = MEGABYTE
/**
 * Free bytes, apart from the ballast, above which a full disk counts as usable again: with a single limit it would
 * flap.
 */
const ENOUGH_BYTES = 16 * MEGABYTE

/** Free bytes on the disk of a folder. Throws if the folder can't be reached. */
export type MeasureFree = (folder: string) => number

const measureDisk: MeasureFree = folder => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Whether the disk of a data folder is full. `free`: bytes; null = the folder can't be reached. */
export type RoomState = { isFull: boolean; free: number | null }

/** Measures the disk of a data folder; room for a ballast that was deleted counts as used. */
export function measureRoom(folder: string, measure: MeasureFree = measureDisk): RoomState {
  try {
    const free = measure(folder)
    return { isFull: free < MIN_BYTES + (hasBallast(folder) ? 0 : BALLAST_BYTES), free }
  } catch {
    return { isFull: false, free: null }
  }
}

/** Whether the ballast of a data folder is there. */
export const hasBallast = (folder: string): boolean => existsSync(join(folder, BALLAST_FILE))

/** Deletes the ballast, or the part of it that a killed process had written. Returns whether there was one. */
function giveUpBallast(folder: string): boolean {
  const given = [BALLAST_FILE, UNFINISHED_FILE].map(name => join(folder, name)).filter(path => existsSync(path))
  for (const path of given) rmSync(path, { force: true })
  return given.length > 0
}

/** Runs the first step of a start that writes; on a full disk it deletes the ballast and runs the step again. */
export function withBallast<T>(folder: string, step: () => T, measure: MeasureFree = measureDisk): T {
  if (measureRoom(folder, measure).isFull) giveUpBallast(folder)
  try {
    return step()
  } catch (error) {
    // A quota may be used up although the disk isn't. SQLite then says that writing failed, but not why.
    if (!(isFullDisk(error) || /^SQLITE_IOERR_(WRITE|SHMSIZE)$/.test(codeOf(error)))) throw error
    if (!giveUpBallast(folder)) throw error
    return step()
  }
}

export type Room = ReturnType<typeof createRoom>
type Needs = { folder: string; publish: Publish; log: Log; checkpoint: () => void; measure?: MeasureFree | undefined }

/**
 * Watches the disk of the data folder. While there is room, it keeps a file as ballast there. On a full disk it deletes
 * that file, so that people can sign in and delete something. Work that needs room waits.
 */
export function createRoom({ folder, publish, log, checkpoint, measure = measureDisk }: Needs) {
  let state = measureRoom(folder, measure)
  if (state.isFull) sayFull()

  function sayFull() {
    log.error('The disk of the data folder is full: people can listen, and delete files to make room', {
      folder,
      free: state.free,
    })
  }

  function become(isFull: boolean) {
    const isNew = isFull !== state.isFull
    state = { ...state, isFull }
    if (!isNew) return
    if (isFull) sayFull()
    else log.info('There is room on the disk of the data folder again', { folder, free: state.free })
    publish({ type: 'roomChanged', ...state, folder })
  }

  /** A checkpoint lets the log of the database be reused; otherwise it would grow and use up the room. */
  function saveRoom() {
    try {
      checkpoint()
    } catch (error) {
      log.debug('The log of the database could not be checkpointed', { error: describeError(error) })
    }
  }

  return {
    /** Whether the disk was full when it was last measured. */
    isFull: () => state.isFull,
    current: (): Readonly<RoomState> & { folder: string } => ({ ...state, folder }),
    /** Measures the disk, and keeps or makes the ballast. */
    check() {
      const now = measureRoom(folder, measure)
      const wasFull = state.isFull
      state = { ...now, isFull: wasFull }
      if (now.free === null) return
      const needed = ENOUGH_BYTES + (hasBallast(folder) ? 0 : BALLAST_BYTES)
      if (now.isFull) become(true)
      else if (now.free >= needed) become(!keepBallast(folder, log))
      if (state.isFull) saveRoom()
    },
    /**
     * Deletes the ballast on a full disk for a change that must succeed: one by somebody who is signed in, never by a
     * stranger.
     */
    makeRoom() {
      if (state.isFull && giveUpBallast(folder)) log.warn('Deleted the ballast to make room', { folder })
    },
  }
}

/** Makes the ballast if there is none. Returns whether it is there. */
function keepBallast(folder: string, log: Log): boolean {
  if (hasBallast(folder)) return true
  const unfinished = join(folder, UNFINISHED_FILE)
  try {
    writeBallast(unfinished)
    renameSync(unfinished, join(folder, BALLAST_FILE))
    return true
  } catch (error) {
    rmSync(unfinished, { force: true })
    log.debug('The ballast could not be written', { error: describeError(error) })
    return !isFullDisk(error)
  }
}

/** Writes bytes that no file system can compress. */
function writeBallast(path: string) {
  const file = openSync(path, 'w', 0o600)
  try {
    const part = Buffer.alloc(MEGABYTE)
    for (let written = 0; written < BALLAST_BYTES;) written += writeSync(file, fillRandomly(part))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Web Crypto gives at most 64 KB at once. */
function fillRandomly(bytes: Buffer<ArrayBuffer>) {
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}
