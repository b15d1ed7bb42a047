import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { mergeForeignLog } from '../store/foreign-database'
import { MoveRefused, tooLarge, tooMany } from './item'

export type Copying = {
  path: string
  folder: string
  /** The path of an OPML list that belongs to the file; null = none. */
  list: string | null
  /** Whether the path is that of another copy of ours, whose folder has everything that belongs to it. */
  isCopy: boolean
}

/**
 * Copies a file, and what belongs to it, into a folder of a move; returns the path of the copy. Throws `MoveRefused`.
 */
export function copyFor({ path, folder, list, isCopy }: Copying): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (isCopy) linkAll(dirname(path), folder)
  else copySource(path, folder)
  if (list !== null) copyList(list, folder)
  return join(folder, COPY)
}

/** Links all files, which nobody changes, or copies those of a file system without links. */
function linkAll(from: string, to: string) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      mkdirSync(target, { mode: 0o700 })
      linkAll(source, target)
    } else {
      try {
        linkSync(source, target)
      } catch {
        copyFileSync(source, target)
      }
    }
  }
}

/** Room for two million episodes with their notes. */
export const MAX_BYTES = 8 * 1024 ** 3
const SQLITE = 'SQLite format 3\0'
const TRIES = 5
export const COPY = 'source'
export const MAX_LIST = 64 * 1024 * 1024

/**
 * Copies a file into our own folder, as `source`, with the log that is next to a database, and whatever else
 * belongs to it: the program may be running. Throws `MoveRefused` and `ForeignDatabaseError`.
 */
function copySource(path: string, folder: string) {
  const before = statSync(path, { throwIfNoEntry: false })
  if (!before) throw noFile(`There is no ${path}`, path)
  if (!before.isFile()) throw noFile(`${path} is not a file. Name the file itself.`, path)
  if (before.size > MAX_BYTES) throw tooLarge(`${path} has ${before.size} bytes, more than ${MAX_BYTES}`, MAX_BYTES)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, COPY)
  copyAtRest(path, copy)
  copyBeside(path, folder)
  if (isSqlite(copy)) mergeLog(copy)
}

const noFile = (message: string, path: string) => new MoveRefused('move-no-file', message, { path })

/** Writes our own text as the source. */
export function keepSource(folder: string, text: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, COPY), text, { mode: 0o600 })
}

/** Copies the list of feeds that belongs to a file. Throws `MoveRefused`. */
function copyList(path: string, folder: string) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) throw noFile(`There is no list ${path}`, path)
  if (stat.size > MAX_LIST) throw tooLarge(`${path} has ${stat.size} bytes, more than ${MAX_LIST}`, MAX_LIST)
  copyFileSync(path, listOf(join(folder, COPY)))
  chmodSync(listOf(join(folder, COPY)), 0o600)
}

/** The end of a journal that names another one: https://sqlite.org/fileformat2.html#the_rollback_journal */
const NAMES_ANOTHER = 'd9d505f920a163d7'

/**
 * Moves the log or journal next to a copied database into it. Throws `MoveRefused` and `ForeignDatabaseError`, also for
 * a journal that names a file: SQLite reads and may delete that one.
 */
export function mergeLog(copy: string) {
  const journal = `${copy}-journal`
  const size = statSync(journal, { throwIfNoEntry: false })?.size ?? 0
  if (size >= NAMES_ANOTHER.length && bytesAt(journal, size - 8, 8).toString('hex') === NAMES_ANOTHER)
    throw new MoveRefused(
      'move-in-use',
      'The program was stopped while it wrote several databases at once. Start and stop it again.',
    )
  mergeForeignLog(copy)
}

/** The path of the list that is next to a copy. */
export const listOf = (copy: string) => `${copy}-list`

export const isSqlite = (path: string) => beginningOf(path, SQLITE.length) === SQLITE

/** The files next to a database that is in use: pages that are not in it yet, or those that it had before. */
export const logs = ['-wal', '-journal']

/** Copies all files; again, where one of them changed in the meantime. */
function copyAtRest(path: string, copy: string) {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = stateOf(path)
    copyFileSync(path, copy)
    for (const log of logs) copyLog(path + log, copy + log)
    for (const file of ['', ...logs]) if (existsSync(copy + file)) chmodSync(copy + file, 0o600)
    if (stateOf(path) === before) return
  }
  throw new MoveRefused('move-in-use', `${path} changes all the time. Stop the program that writes to it.`)
}

function copyLog(path: string, copy: string) {
  rmSync(copy, { force: true })
  const log = statSync(path, { throwIfNoEntry: false })
  if (log?.isFile() && log.size > 0 && log.size <= MAX_BYTES) copyFileSync(path, copy)
}

const stateOf = (path: string) =>
  ['', ...logs]
    .map(file => statSync(path + file, { throwIfNoEntry: false }))
    .map(stat => (stat ? `${stat.size} ${stat.mtimeMs}` : 'none'))
    .join(' ')

/** The first bytes of a file as text. */
export const beginningOf = (path: string, length: number) => bytesAt(path, 0, length).toString('utf8')

/** Reads bytes of a file, fewer at its end. Nothing stays open: the thread that reads may be ended at any time. */
export function bytesAt(path: string, offset: number, length: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
  } finally {
    closeSync(file)
  }
}

const MAX_BESIDE = 5000
const MAX_BESIDE_BYTES = 256 * 1024 ** 2
/** The folder of the copies. */
const BESIDE = 'beside'
/** Folders with more of what a program knows, by the name of the file that is next to them. */
const folders: Record<string, string> = { '.castgetrc': '.castget' }

/** Copies the files that belong to a file, into our own folder next to its copy. Throws `MoveRefused`. */
function copyBeside(path: string, folder: string) {
  const name = folders[basename(path)]
  if (name === undefined) return
  const from = join(dirname(path), name)
  if (!lstatSync(from, { throwIfNoEntry: false })?.isDirectory()) return
  const files = readdirSync(from)
    .map(file => ({ file, stat: lstatSync(join(from, file), { throwIfNoEntry: false }) }))
    .filter(({ stat }) => stat?.isFile())
  const bytes = files.reduce((total, { stat }) => total + stat!.size, 0)
  if (files.length > MAX_BESIDE || bytes > MAX_BESIDE_BYTES)
    throw tooMany(`${from} has ${files.length} files of ${bytes} bytes, more than can be read`, MAX_BESIDE)
  mkdirSync(join(folder, BESIDE), { mode: 0o700 })
  for (const { file } of files) copyFileSync(join(from, file), join(folder, BESIDE, file))
}

/** The copy of a file that was next to the one at `path`, or null. */
export function findBeside(path: string, name: string): string | null {
  const copy = join(dirname(path), BESIDE, name)
  return basename(name) === name && lstatSync(copy, { throwIfNoEntry: false })?.isFile() ? copy : null
}
