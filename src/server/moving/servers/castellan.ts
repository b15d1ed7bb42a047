import { mkdirSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isKey } from '../../accounts/keys'
import { chunksOf } from '../../outbound/body'
import { basicAuthorization, type Credentials } from '../../outbound/credentials'
import { OutboundError } from '../../outbound/error'
import { MINUTE } from '../../platform/clock'
import { nameKey } from '../../store/users'
import { MAX_BYTES } from '../copy-source'
import { type FileItem, MoveRefused } from '../item'
import { objectOf, text } from '../sources/source'
import { ask, requireValue, type Server } from './ask'

/** Bytes of the disk that are left free. */
const LEFT_FREE = 1024 ** 3
/** An archive without files is compressed text. */
const ARCHIVE = '/api/v1/users/me/everything.zip'

/** Signs in with an API key in place of the password, or with the password. Throws `MoveRefused`. */
export async function signInToCastellan(plain: Server, { user, password }: Credentials): Promise<Server> {
  const key = password.replace(/\s/g, '').toLowerCase()
  const authorization = isKey(key) ? `Bearer ${key}` : basicAuthorization({ user, password })
  const server = { ...plain, headers: { Authorization: authorization } }
  const { status, value } = await ask(server, '/api/v1/users/me')
  const { host } = new URL(plain.base)
  if (status === 401)
    throw new MoveRefused(`${host} refuses this user name or password. Use an API key of the account.`)
  const name = text(objectOf(requireValue(server, '/api/v1/users/me', status, value)).username)
  if (name !== null && nameKey(name) !== nameKey(user))
    throw new MoveRefused(`${host} knows this as ${name}, not as ${user}. Give that name.`)
  return server
}

/** Saves the archive of everything of the person who is signed in. Throws `MoveRefused`. */
export const copyCastellan = (server: Server, path: string) => save(server, ARCHIVE, path, MAX_BYTES)

/**
 * Fetches the files of a person's archive into a folder, under the paths that the items name; a file that the other
 * server cannot send is left out. Throws `MoveRefused` if the disk has no room.
 */
export async function fetchFiles(server: Server, items: AsyncIterable<FileItem>, folder: string) {
  for await (const { path, size, remote } of items) {
    const target = placeIn(folder, path)
    if (target === null || !remote || size === null) continue
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    await save(server, `/media/${encodeURIComponent(remote)}`, target, size).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error
    })
  }
}

/** The place of a file below a folder; null for a path that leads out of it, or that no disk can have. */
function placeIn(folder: string, path: string): string | null {
  const parts = path.split('/')
  // oxlint-disable-next-line no-control-regex
  const isSafe = (part: string) =>
    /^[^.\\:\u0000-\u001f][^\\:\u0000-\u001f]*$/.test(part) && Buffer.byteLength(part) <= 255
  return parts.length <= 10 && parts.every(isSafe) ? join(folder, ...parts) : null
}

/** A file that the other server does not have, or cannot send whole. */
class Unavailable extends MoveRefused {}

/** Saves an answer of at most so many bytes. Throws `MoveRefused`. */
async function save({ outbound, reach, base, headers }: Server, path: string, target: string, maxBytes: number) {
  const { host, hostname } = new URL(base)
  try {
    // Gigabytes may take any time, as long as some of them arrive.
    const { response } = await outbound.get(base + path, { reach, timeoutMs: MINUTE, privateHeaders: headers })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Unavailable(`${host} answered ${response.status} to ${path}`)
    }
    const file = await open(target, 'wx', 0o600)
    try {
      let free = await freeBytes(target)
      for await (const chunk of chunksOf(response, { maxBytes, idleMs: MINUTE, host: hostname })) {
        free -= chunk.byteLength
        if (free < LEFT_FREE) throw new MoveRefused('The disk has no room for what the other server sends')
        await file.writeFile(chunk)
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof OutboundError) throw new Unavailable(`${error.host}: ${error.message}`)
    throw error
  }
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path))
  return bavail * bsize
}
