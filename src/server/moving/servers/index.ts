import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OutboundError } from '../../outbound/error'
import type { Credentials } from '../../outbound/credentials'
import type { Outbound } from '../../outbound/request'
import { createRecordWriter, recordHead, type RecordWriter } from '../lines'
import { MoveRefused } from '../item'
import { objectOf } from '../sources/source'
import { ask, TOTAL_MS, type Server } from './ask'
import { copyAudiobookshelf } from './audiobookshelf'
import { copyGpodder, copyNextcloud } from './gpodder'

/** A server, and the credentials of a person there. */
export type ServerLogin = Credentials & {
  address: string
  /** Whether the caller may name an address in the server's own network. */
  isAdmin: boolean
}

type Copy = (server: Server, login: Credentials, records: RecordWriter) => Promise<void>
type Kind = { source: string; copy: Copy }

const audiobookshelf: Kind = { source: 'audiobookshelf-server', copy: copyAudiobookshelf }
const gpodder: Kind = { source: 'gpodder-server', copy: copyGpodder }
const nextcloud: Kind = { source: 'gpodder-server', copy: copyNextcloud }

/**
 * Writes everything that a person has on a server into one file, which is read like that of any program. The
 * credentials are not stored. Throws `MoveRefused`.
 */
export async function copyServer(
  outbound: Outbound,
  { address, isAdmin, user, password }: ServerLogin,
  from: string | null,
  path: string,
) {
  const base = requireBase(address)
  const signal = AbortSignal.timeout(TOTAL_MS)
  const reach = await outbound.reachOf(base, isAdmin).catch((error: unknown) => {
    throw error instanceof OutboundError ? new MoveRefused(`${error.host}: ${error.message}`) : error
  })
  const { kind, server } = await recognise({ outbound, reach, base, headers: {}, signal })
  if (from !== null && from !== kind.source) throw new MoveRefused(`This is not a server for --from ${from}`)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, `${recordHead(kind.source)}\n`, { mode: 0o600 })
  const records = createRecordWriter(path)
  await kind.copy(server, { user, password }, records)
  await records.flush()
}

/** Throws `MoveRefused` for an address that isn't http or https, or contains a password. */
function requireBase(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) throw new MoveRefused('The address of a server begins with https://')
  if (url.username !== '' || url.password !== '')
    throw new MoveRefused('Give the address without a user name and password')
  const path = url.pathname
  return url.origin + (path.endsWith('/') ? path.slice(0, -1) : path)
}

/** Finds out what kind of server it is, without signing in, and where it redirects. */
async function recognise(server: Server): Promise<{ kind: Kind; server: Server }> {
  const status = await ask(server, '/status')
  const moved = followed(server, status.url, '/status')
  if (objectOf(status.value).app === 'audiobookshelf') return { kind: audiobookshelf, server: moved }
  const nextcloudStatus = objectOf((await ask(moved, '/status.php')).value)
  return { kind: 'installed' in nextcloudStatus ? nextcloud : gpodder, server: moved }
}

/** The server at the address that it redirects to. Throws `MoveRefused` if that is another host. */
function followed(server: Server, url: string, path: string): Server {
  if (new URL(url).hostname !== new URL(server.base).hostname)
    throw new MoveRefused(`The server redirects to ${new URL(url).host}. Give that address.`)
  return url.startsWith('https:') && url.endsWith(path) ? { ...server, base: url.slice(0, -path.length) } : server
}
