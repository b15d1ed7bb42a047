import { open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isKey } from '../../accounts/keys'
import { chunksOf } from '../../outbound/body'
import { basicAuthorization, type Credentials } from '../../outbound/credentials'
import { OutboundError } from '../../outbound/error'
import { MINUTE } from '../../platform/clock'
import { nameKey } from '../../store/users'
import { MAX_BYTES } from '../copy-source'
import { MoveRefused } from '../item'
import { objectOf, text } from '../sources/source'
import { ask, requireValue, type Server } from './ask'

/** Bytes of the disk that are left free. */
const LEFT_FREE = 1024 ** 3
/** An archive without files is compressed text. */
const ARCHIVE = '/api/v1/users/me/everything.zip'

/** Signs in with an API key in place of the password, or with the password. Throws `MoveRefused`. */
export async function signInToCastellan(plain: Server, { user, password }: Credentials): Promise<Server> {
  const server = { ...plain, headers: headersOf({ user, password }) }
  const { status, value } = await ask(server, '/api/v1/users/me')
  const { host } = new URL(plain.base)
  if (status === 401)
    throw new MoveRefused(`${host} refuses this user name or password. Use an API key of the account.`)
  const name = text(objectOf(requireValue(server, '/api/v1/users/me', status, value)).username)
  if (name !== null && nameKey(name) !== nameKey(user))
    throw new MoveRefused(`${host} knows this as ${name}, not as ${user}. Give that name.`)
  return server
}

/** The headers of calls to a Castellan, with an API key or the password. */
export function headersOf({ user, password }: Credentials) {
  const key = password.replace(/\s/g, '').toLowerCase()
  return { Authorization: isKey(key) ? `Bearer ${key}` : basicAuthorization({ user, password }) }
}

/** Saves the archive of everything of the person who is signed in. Throws `MoveRefused`. */
export const copyCastellan = (server: Server, path: string) => save(server, ARCHIVE, path, MAX_BYTES)

/** Saves an answer of at most so many bytes. Throws `MoveRefused`. */
async function save(
  { outbound, reach, base, headers, signal }: Server,
  path: string,
  target: string,
  maxBytes: number,
) {
  const { host, hostname } = new URL(base)
  try {
    // Gigabytes may take any time, as long as some of them arrive.
    const { response } = await outbound.get(base + path, { reach, signal, timeoutMs: MINUTE, privateHeaders: headers })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new MoveRefused(`${host} answered ${response.status} to ${path}. Try again later.`)
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
    if (error instanceof OutboundError) throw new MoveRefused(`${error.host}: ${error.message}`)
    throw error
  }
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path))
  return bavail * bsize
}
