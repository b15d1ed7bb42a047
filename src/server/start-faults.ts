import { accessSync, closeSync, constants, mkdirSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Config } from './config'

/** Something outside keeps the server from starting; the message says what, and what to do. */
export class StartFault extends Error {
  override name = 'StartFault'
}

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? 'unknown'
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Creates a folder if there is none. Throws `StartFault` for one that cannot be written to. */
export function ensureWritable(variable: string, folder: string) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = codeOf(error)
    const advice = adviceOnFolder[code] ?? 'Make the user that runs Castellan its owner, or choose another folder'
    throw new StartFault(`${variable} is ${folder}, which cannot be written to (${code}). ${advice}.`)
  }
}

const aFile = 'There is a file where a folder should be: move it, or choose another folder'
const noRoom = 'Its disk is full: make room on it'
const adviceOnFolder: Readonly<Record<string, string>> = {
  EEXIST: aFile,
  ENOTDIR: aFile,
  EROFS: 'Its disk is read-only: mount it for writing, or choose another folder',
  ENOSPC: noRoom,
  EDQUOT: noRoom,
}

/**
 * The number of files that it must be possible to open. With fewer, the server would start and then fail here and
 * there.
 */
const MIN_FILES = 64

/** Throws an error of the system if this process may not open enough files. */
export function requireFiles() {
  const files: number[] = []
  try {
    while (files.length < MIN_FILES) files.push(openSync(devNull, 'r'))
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** Throws `StartFault` for files of TLS that cannot be read. */
export function requireTlsFiles({ tls }: Pick<Config, 'tls'>) {
  if (!tls) return
  for (const [variable, path] of [
    ['TLS_CERT', tls.cert],
    ['TLS_KEY', tls.key],
  ] as const) {
    try {
      readFileSync(path)
    } catch (error) {
      throw new StartFault(
        `${variable} is ${path}, which cannot be read (${codeOf(error)}). Name a PEM file that the user that runs Castellan may read.`,
      )
    }
  }
}

/** Explains why the server cannot listen. */
export function explainListening(
  error: unknown,
  { host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>,
): StartFault {
  const [code, message] = [codeOf(error), messageOf(error)]
  if (code === 'EADDRINUSE')
    return new StartFault(`Port ${port} is in use. Stop the program that uses it, or set PORT to another port.`)
  if (code === 'EACCES' || /permission denied/i.test(message))
    return new StartFault(
      `PORT is ${port}, which only root may use here. Set PORT to one from 1024 on, such as 8000, with a proxy in front of it.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOENT' || code === 'ENOTFOUND')
    return new StartFault(
      `HOST is ${host}, which is not an address of this machine (${code}). Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
    )
  if (tls && /SSL|PEM|X509|certificate|key/i.test(message))
    return new StartFault(`TLS_CERT and TLS_KEY are not a certificate and its key in PEM (${message}).`)
  return new StartFault(explainFault(error))
}

const room = 'The disk of the data folder is full. Make room on it, then start again'
const owner = 'Make the user that runs Castellan the owner of everything in it'
const refusedFile =
  'A file or folder cannot be read or written. Make the user that runs Castellan the owner of everything in its folders'
/** Refusals of the system by their code, each with what to do. */
const faults: Readonly<Record<string, string>> = {
  SQLITE_FULL: room,
  ENOSPC: room,
  EDQUOT: room,
  SQLITE_READONLY: 'The data folder cannot be written to. Mount its disk for writing, or correct its permissions',
  EROFS: 'The data folder cannot be written to. Mount its disk for writing, or choose another DATA_DIRECTORY',
  // SQLite reports both in the same way.
  SQLITE_CANTOPEN:
    `A file of the data folder cannot be opened. ${owner}, and let it open at least 1024 files ` +
    '(ulimit -n, LimitNOFILE= of a unit)',
  SQLITE_IOERR:
    'The disk of the data folder does not read or write as it should. Examine it, and the log of the system',
  EACCES: refusedFile,
  EPERM: refusedFile,
  EIO: 'The disk of the data folder does not read or write as it should. Examine it, and the log of the system',
  EMFILE: 'Castellan may open too few files. Raise the limit (ulimit -n, LimitNOFILE= of a unit), at least to 1024',
  ENFILE: 'The system has too many files open. Stop other programs, or raise its limit (sysctl fs.file-max)',
  ENOTDIR: 'A file stands where a folder should be. Move it, or choose another folder',
  EISDIR: 'A folder stands where a file should be. Move it',
}

/** Whether the system refused a file, and not SQLite. */
export const isRefusedFile = (error: unknown): boolean => /^(EACCES|EPERM|EISDIR|ENOTDIR|EIO)$/.test(codeOf(error))

/** Explains an unexpected error in one line; `LOG_LEVEL=debug` prints its stack. */
export function explainFault(error: unknown): string {
  const code = codeOf(error)
  const known = Object.entries(faults).find(([name]) => code === name || code.startsWith(`${name}_`))
  const cause = messageOf(error)
  return known
    ? `${known[1]} (${cause}).`
    : `Castellan stopped: ${cause}. Set LOG_LEVEL=debug in the environment to see where.`
}
