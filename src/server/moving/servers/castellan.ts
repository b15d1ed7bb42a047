import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isKey } from '../../accounts/keys'
import { chunksOf } from '../../outbound/body'
import { basicAuthorization, type Credentials } from '../../outbound/credentials'
import { OutboundError } from '../../outbound/error'
import { MINUTE, SECOND } from '../../platform/clock'
import { nameKey } from '../../store/users'
import { MAX_BYTES } from '../copy-source'
import { MoveRefused } from '../item'
import { objectOf, text, bytes } from '../sources/source'
import { ask, badAnswer, requireValue, type Server, unreached } from './ask'
import { freeBytes } from '../../storage/folder'
import { type FileFinder, inspectFile, type Unfit } from '../files/find-file'
import { isFull } from '../files/put-in-place'

/** Bytes of the disk that are left free. */
const LEFT_FREE = 1024 ** 3
const ARCHIVE = '/api/v1/users/me/everything.zip'

/** Signs in with an API key in place of the password, or with the password. Throws `MoveRefused`. */
export async function signInToCastellan(plain: Server, { user, password }: Credentials): Promise<Server> {
  const server = { ...plain, headers: headersOf({ user, password }) }
  const { status, value } = await ask(server, '/api/v1/users/me')
  const { host } = new URL(plain.base)
  if (status === 401)
    throw new MoveRefused(
      'move-server-refused',
      `${host} refuses this user name or password. Use an API key of the account.`,
      { host },
    )
  const name = text(objectOf(requireValue(server, '/api/v1/users/me', status, value)).username)
  if (name !== null && nameKey(name) !== nameKey(user))
    throw new MoveRefused('move-server-name', `${host} knows this as ${name}, not as ${user}. Give that name.`, {
      host,
      name,
    })
  return server
}

/** The headers of calls to a Castellan, with an API key or the password. */
export function headersOf({ user, password }: Credentials) {
  const key = password.replace(/\s/g, '').toLowerCase()
  return { Authorization: isKey(key) ? `Bearer ${key}` : basicAuthorization({ user, password }) }
}

/** Saves the archive of everything of the person who is signed in. Throws `MoveRefused`. */
export async function copyCastellan({ outbound, reach, base, headers, signal }: Server, target: string) {
  const { hostname } = new URL(base)
  try {
    // Gigabytes may take any time, as long as some of them arrive.
    const { response } = await outbound.get(base + ARCHIVE, {
      reach,
      signal,
      timeoutMs: MINUTE,
      privateHeaders: headers,
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw badAnswer(
        { base },
        `answered ${response.status} to ${ARCHIVE}. Try again later.`,
        `${response.status} ${ARCHIVE}`,
      )
    }
    const file = await open(target, 'wx', 0o600)
    try {
      let free = await freeBytes(dirname(target))
      for await (const chunk of chunksOf(response, { maxBytes: MAX_BYTES, idleMs: MINUTE, host: hostname })) {
        free -= chunk.byteLength
        if (free < LEFT_FREE) throw new MoveRefused('disk-full', 'The disk has no room for what the other server sends')
        await file.writeFile(chunk)
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof OutboundError) throw unreached(error)
    throw error
  }
}

/** The file that is being fetched, and a note of how much of it is surely on the disk. */
const PART = 'part'
const NOTE = 'part.json'
/** Bytes between two notes. */
const NOTED_EVERY = 8 * 1024 ** 2
/** Bytes that a failed attempt has to add to be followed by the next one at once. */
const WORTHWHILE = 256 * 1024
const PAUSES_MS = [SECOND, 5 * SECOND]
/** A file may take half an hour, and longer only if it is larger than what arrives in that at 16 KB/s. */
const PATIENCE_MS = 30 * MINUTE
const MIN_BYTES_A_SECOND = 16 * 1024

type Wanted = { remote: string; size: number }
/** A file of which `synced` bytes are on the disk; `etag`: by which the server knows the same file again. */
type Note = Wanted & { etag: string; synced: number }

/**
 * Fetches the files of a person from another Castellan into a folder, one at a time. A connection that breaks, or a
 * process that is killed, costs no more than the bytes since the last note. A file is as long as the archive says, or is
 * left out. Throws only when the signal of the server aborts.
 */
export function createFileFetcher(server: Server, folder: string, reserveBytes: number): FileFinder {
  // A server that is gone isn't waited for again and again.
  let isAway = false
  return {
    async find({ remote, size }) {
      if (!remote || size === null || size <= 0) return { reason: 'not-sent' }
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const seconds = size / MIN_BYTES_A_SECOND
      const signal = AbortSignal.any([server.signal, AbortSignal.timeout(PATIENCE_MS + seconds * SECOND)])
      const reason = await fetchPatiently({ ...server, signal }, folder, { remote, size }, reserveBytes, isAway)
      if (server.signal.aborted) throw server.signal.reason
      isAway = reason === 'away'
      if (reason !== null) return { reason: reason === 'away' ? 'not-sent' : reason }
      const root = await realpath(folder)
      return inspectFile(root, join(root, PART), size)
    },
  }
}

type Failure = Unfit['reason'] | 'away'

/** Fetches a file, in several attempts if need be; null = it is complete. */
async function fetchPatiently(
  server: Server,
  folder: string,
  wanted: Wanted,
  reserveBytes: number,
  isAway: boolean,
): Promise<Failure | null> {
  const pauses = isAway ? [] : [...PAUSES_MS]
  for (;;) {
    const known = noteIn(folder, wanted)
    const held = known?.synced ?? 0
    if (held === wanted.size) return null
    if ((await freeBytes(folder)) - (wanted.size - held) < reserveBytes) return 'disk-full'
    try {
      await fetchRest(server, folder, wanted, known)
    } catch (error) {
      if (error instanceof Refused) return 'not-sent'
      if (isFull(error)) return 'disk-full'
      if (!(error instanceof OutboundError) && !server.signal.aborted) throw error
      const gained = (noteIn(folder, wanted)?.synced ?? 0) - held
      const ms = gained >= WORTHWHILE ? 0 : pauses.shift()
      if (server.signal.aborted || ms === undefined) return 'away'
      await pause(ms, undefined, { signal: server.signal }).catch(() => undefined)
    }
  }
}

/** The server answers, but refuses this file or sends another one. */
class Refused extends Error {}

/** Fetches the missing rest of a file. Throws `Refused`, `OutboundError`, and the disk's errors. */
async function fetchRest(server: Server, folder: string, wanted: Wanted, known: Note | null) {
  const { outbound, reach, base, headers, signal } = server
  const { hostname } = new URL(base)
  const { response } = await outbound.get(`${base}/media/${encodeURIComponent(wanted.remote)}`, {
    reach,
    signal,
    timeoutMs: MINUTE,
    headers: {
      'Accept-Encoding': 'identity',
      ...(known && { Range: `bytes=${known.synced}-`, 'If-Range': known.etag }),
    },
    privateHeaders: headers,
  })
  const start = startOf(response, wanted, known)
  if (typeof start !== 'number') {
    await response.body?.cancel()
    throw start === 'busy' ? new OutboundError('bad-status', hostname, { status: response.status }) : new Refused()
  }
  const etag = response.headers.get('etag') ?? ''
  const path = join(folder, PART)
  // The last file may have been linked into the library, which must not be written to.
  if (start === 0) rmSync(path, { force: true })
  const file = await open(path, start === 0 ? 'wx' : 'r+', 0o600)
  let [at, synced] = [start, start]
  const note = async () => {
    await file.sync()
    synced = at
    keepNote(folder, { ...wanted, etag: etag || (known?.etag ?? ''), synced })
  }
  try {
    if (start > 0) await file.truncate(start)
    for await (const chunk of chunksOf(response, { maxBytes: wanted.size - start, idleMs: MINUTE, host: hostname })) {
      await file.write(chunk, 0, chunk.byteLength, at)
      at += chunk.byteLength
      if (at - synced >= NOTED_EVERY) await note()
    }
  } catch (error) {
    if (error instanceof OutboundError && error.code === 'too-large') throw new Refused()
    throw error
  } finally {
    if (at > synced) await note()
    await file.close()
  }
  if (at < wanted.size) throw new OutboundError('unreachable', hostname)
}

/** The byte at which an answer begins; `busy`: the server may send it later, `other`: it has no such file. */
function startOf({ status, headers }: Response, { size }: Wanted, known: Note | null): number | 'busy' | 'other' {
  if (status === 429 || status >= 500) return 'busy'
  if (status === 200) {
    const length = headers.get('content-length')
    return length === null || Number(length) === size ? 0 : 'other'
  }
  const isRest = status === 206 && headers.get('content-range') === `bytes ${known?.synced}-${size - 1}/${size}`
  return known && isRest ? known.synced : 'other'
}

/** The note of this file; null = no part of it can be continued. */
function noteIn(folder: string, { remote, size }: Wanted): Note | null {
  try {
    const note = objectOf(JSON.parse(readFileSync(join(folder, NOTE), 'utf8')))
    const [etag, synced] = [text(note['etag']), bytes(note['synced'])]
    if (note['remote'] !== remote || note['size'] !== size || synced === null || synced > size) return null
    if (statSync(join(folder, PART)).size < synced) return null
    // Without a strong ETag a file that is not whole can't be continued.
    const isStrong = etag !== null && /^"[^"]*"$/.test(etag)
    return isStrong || synced === size ? { remote, size, etag: etag ?? '', synced } : null
  } catch {
    return null
  }
}

function keepNote(folder: string, note: Note) {
  const path = join(folder, NOTE)
  writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
