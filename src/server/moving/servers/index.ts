import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OutboundError } from '../../outbound/error'
import type { Credentials } from '../../outbound/credentials'
import type { Outbound } from '../../outbound/request'
import { createRecordWriter, recordHead, type RecordWriter } from '../lines'
import type { FileFinder } from '../files/find-file'
import { MoveRefused } from '../item'
import { objectOf } from '../sources/source'
import { ask, movedAway, TOTAL_MS, type Server, unreached } from './ask'
import { copyAudiobookshelf } from './audiobookshelf'
import { copyCastellan, headersOf, signInToCastellan, createFileFetcher } from './castellan'
import { copyGpodder, copyNextcloud, favouritesOf } from './gpodder'
import type { ServerName } from '../needs'

/** A server, and the credentials of a person there. */
export type ServerLogin = Credentials & {
  address: string
  /** Whether the caller may name an address in the server's own network. */
  isAdmin: boolean
  /** The API to use, of those that the server has; null = the best. */
  from?: string | null
}

type CopyRecords = (server: Server, login: Credentials, records: RecordWriter) => Promise<void>

/** `copy` writes everything of a person to a path, and returns the server at which they are signed in, for files. */
type Kind = { name: ServerName; copy: (server: Server, login: Credentials, path: string) => Promise<Server | null> }

const castellan: Kind = {
  name: 'castellan',
  async copy(plain, login, path) {
    const server = await signInToCastellan(plain, login)
    await copyCastellan(server, path)
    return server
  },
}
const audiobookshelf = ofRecords('audiobookshelf-server', copyAudiobookshelf)
/** Its library is that of the house: only what the person favours is theirs. */
const castellanAsAudiobookshelf = ofRecords('audiobookshelf-server', async (server, login, records) =>
  copyAudiobookshelf(server, login, records, await favouritesOf(server, login)),
)
const gpodder = ofRecords('gpodder-server', copyGpodder)
const nextcloud = ofRecords('gpodder-server', copyNextcloud)

function ofRecords(name: ServerName, copy: CopyRecords): Kind {
  return {
    name,
    async copy(server, login, path) {
      writeFileSync(path, `${recordHead(name)}\n`, { mode: 0o600 })
      const records = createRecordWriter(path)
      await copy(server, login, records)
      await records.flush()
      return null
    },
  }
}

/**
 * Writes everything that a person has on a server into one file, which is read like that of any program. The
 * credentials are not stored. Returns the login with which the server sends the person's files; null if it can't.
 * Throws `MoveRefused`.
 */
export async function copyServer(
  outbound: Outbound,
  { from = null, ...login }: ServerLogin,
  path: string,
  stopping: AbortSignal,
): Promise<ServerLogin | null> {
  const signal = AbortSignal.any([AbortSignal.timeout(TOTAL_MS), stopping])
  const { kinds, server } = await recognise(await reachServer(outbound, login, signal))
  const kind = from === null ? kinds[0]! : kinds.find(({ name }) => name === from)
  if (!kind)
    throw new MoveRefused('move-other-program', `This is not a server for --from ${from}`, { program: String(from) })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const sender = await kind.copy(server, login, path)
  return sender && { ...login, address: sender.base }
}

/** The server at an address, before anybody signs in there. Throws `MoveRefused`. */
async function reachServer(outbound: Outbound, { address, isAdmin }: ServerLogin, signal: AbortSignal) {
  const base = requireBase(address)
  const reach = await outbound.reachOf(base, isAdmin).catch((error: unknown) => {
    throw error instanceof OutboundError ? unreached(error) : error
  })
  return { outbound, reach, base, headers: {}, signal }
}

/** Stands for the files that another Castellan says it has. */
export const promisedFiles: FileFinder = {
  find: async ({ remote, size }) =>
    remote && size !== null
      ? { path: '', size, dev: 0, ino: 0, media: { type: 'audio/mpeg', extension: '.mp3' } }
      : { reason: 'not-sent' },
}

/** Finds the files of a person by fetching them from another Castellan into a folder; none if that can't be reached. */
export async function openFetcher(
  outbound: Outbound,
  login: ServerLogin,
  { folder, reserveBytes, signal }: { folder: string; reserveBytes: number; signal: AbortSignal },
): Promise<FileFinder> {
  const server = await reachServer(outbound, login, signal).catch((error: unknown) => {
    if (error instanceof MoveRefused) return null
    throw error
  })
  if (!server) return { find: async () => ({ reason: 'not-sent' }) }
  return createFileFetcher({ ...server, headers: headersOf(login) }, folder, reserveBytes)
}

/** Throws `MoveRefused` for an address that isn't http or https, or contains a password. */
function requireBase(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) throw badAddress('The address of a server begins with https://')
  if (url.username !== '' || url.password !== '') throw badAddress('Give the address without a user name and password')
  const path = url.pathname
  return url.origin + (path.endsWith('/') ? path.slice(0, -1) : path)
}

const badAddress = (message: string) => new MoveRefused('move-server-address', message)

/** Finds out what APIs a server has, the best first, without signing in, and where it redirects. */
async function recognise(server: Server): Promise<{ kinds: readonly Kind[]; server: Server }> {
  const status = await ask(server, '/status')
  const moved = followed(server, status.url, '/status')
  const isLikeAudiobookshelf = objectOf(status.value).app === 'audiobookshelf'
  if (await isCastellan(moved)) return { kinds: [castellan, gpodder, castellanAsAudiobookshelf], server: moved }
  if (isLikeAudiobookshelf) return { kinds: [audiobookshelf], server: moved }
  const nextcloudStatus = objectOf((await ask(moved, '/status.php')).value)
  return { kinds: ['installed' in nextcloudStatus ? nextcloud : gpodder], server: moved }
}

/** PodFetch answers the same call without these members. */
async function isCastellan(server: Server): Promise<boolean> {
  const config = objectOf((await ask(server, '/api/v1/sys/config')).value)
  return [config.podcastSync, config.appSignIn, config.publicClips].every(member => typeof member === 'boolean')
}

/** The server at the address that it redirects to. Throws `MoveRefused` if that is another host. */
function followed(server: Server, url: string, path: string): Server {
  if (new URL(url).hostname !== new URL(server.base).hostname)
    throw movedAway(new URL(server.base).host, new URL(url).host)
  return url.startsWith('https:') && url.endsWith(path) ? { ...server, base: url.slice(0, -path.length) } : server
}
