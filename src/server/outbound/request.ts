import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config'
import { describeError } from '../platform/log'
import { userAgent } from '../platform/version'
import { isWithin, kindOfAddress } from './address'
import { ownAddresses } from './own-addresses'
import { fetchPatiently } from './patient'

export type OutboundCode =
  | 'address-not-allowed'
  | 'unreachable'
  /** The host took the connection and ended it without an answer. */
  | 'closed'
  | 'too-many-redirects'
  | 'timeout'
  | 'too-large'

/** A request that led nowhere. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  constructor(
    readonly code: OutboundCode,
    readonly host: string,
    cause?: unknown,
  ) {
    super(`${code}: ${host}`, { cause })
  }
}

/**
 * How far a request may reach. Without a home: public addresses only. A feed on a private address has its own
 * host as its home, and may also reach ALLOWED_NETWORKS; never the reverse, from a public feed into a private network.
 * `networksOnly`: ALLOWED_NETWORKS is why it may, so its home counts only where it lies in them, whatever its name
 * stands for tomorrow.
 */
export type Reach = { home: string | null; networksOnly?: boolean }
export const publicOnly: Reach = { home: null }

export type Credentials = { user: string; password: string }

export type Outgoing = {
  reach: Reach
  headers?: Record<string, string>
  userAgent?: string | undefined
  /** Sent to the origin of the first address only. */
  credentials?: Credentials | null | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds until the headers must be here; default 30,000. */
  timeoutMs?: number
  /** Of a body that breaks off, every byte that came is handed on. Slower; default no. */
  isPatient?: boolean
}

export type Hop = { status: number; url: string }
export type Incoming = {
  response: Response
  /** The address that answered. */
  url: string
  /** The redirects on the way, in order. */
  hops: readonly Hop[]
}

export type Outbound = ReturnType<typeof createOutbound>
type OutboundConfig = Pick<Config, 'allowedNetworks' | 'serverUrl' | 'port'>

/** The addresses of a name, as text. */
export type Resolve = (name: string) => Promise<string[]>
const addressesByName: Resolve = async name => (await lookup(name, { all: true })).map(entry => entry.address)

const MAX_REDIRECTS = 10
const loopback = [ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')]
const FIRST_ADDRESS_MS = 5000
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * The one way out to the network. Only http(s); at every hop the name is resolved, the addresses are checked, and the
 * connection goes to an address that passed, so that a second DNS answer cannot lead elsewhere. Requests carry nothing
 * of whoever caused them: no cookie, no authorization, no forwarded-for.
 */
export function createOutbound(config: OutboundConfig, resolve: Resolve = addressesByName) {
  const { allowedNetworks } = config
  const own = config.serverUrl === null ? null : new URL(config.serverUrl).origin

  async function addressesOf(hostname: string): Promise<string[]> {
    const bare = hostname.replace(/^\[|\]$/g, '')
    if (kindOfAddress(bare) !== 'never' || /^[\d.]+$|:/.test(bare)) return [bare]
    return resolve(bare).catch(error => {
      throw new OutboundError('unreachable', hostname, error)
    })
  }

  async function isAllowed(address: string, hostname: string, { home, networksOnly }: Reach): Promise<boolean> {
    const kind = kindOfAddress(address)
    if (kind !== 'private') return kind === 'public'
    if (home === null) return false
    if (isWithin(address, allowedNetworks)) return true
    if (networksOnly) return false
    return hostname === home || (await addressesOf(home)).includes(address)
  }

  /** This very server: what it gives its users is no feed, and what it asks itself would look like a proxy's word. */
  const isOurselves = (url: URL, address: string) =>
    url.origin === own ||
    (Number(url.port || (url.protocol === 'https:' ? 443 : 80)) === config.port && isOurs(address))

  /** The addresses of a host that this request may connect to, at least one. */
  async function checkedAddresses(url: URL, reach: Reach): Promise<string[]> {
    const addresses = await addressesOf(url.hostname)
    const verdicts = await Promise.all(addresses.map(address => isAllowed(address, url.hostname, reach)))
    const allowed = addresses.filter((address, index) => verdicts[index] && !isOurselves(url, address))
    if (allowed.length === 0) throw new OutboundError('address-not-allowed', url.hostname)
    return allowed
  }

  async function connect(
    url: URL,
    addresses: readonly string[],
    { reach, isPatient = false }: Pick<Outgoing, 'reach' | 'isPatient'>,
    init: RequestInit,
  ): Promise<Response> {
    let failure: unknown
    for (const [index, address] of addresses.entries()) {
      const target = new URL(url)
      target.hostname = address.includes(':') ? `[${address}]` : address
      target.username = ''
      target.password = ''
      // An address that swallows packets (IPv6 without a route, say) must not use up the time of the next one.
      const impatience = new AbortController()
      const timer = index < addresses.length - 1 ? setTimeout(() => impatience.abort(), FIRST_ADDRESS_MS) : undefined
      try {
        const signal = AbortSignal.any([impatience.signal, ...(init.signal ? [init.signal] : [])])
        if (isPatient) return await fetchPatiently(target, { ...init, signal }, url.hostname)
        return await fetch(target, {
          ...init,
          signal,
          redirect: 'manual',
          proxy: false,
          decompress: false,
          tls: { serverName: url.hostname },
        } as RequestInit)
      } catch (error) {
        if (init.signal?.aborted) throw error
        failure = error
      } finally {
        clearTimeout(timer)
      }
    }
    // Users let in by ALLOWED_NETWORKS must not learn which ports are open there.
    const mayKnow = !reach.networksOnly
    throw new OutboundError(mayKnow && isClosed(failure) ? 'closed' : 'unreachable', url.hostname, failure)
  }

  return {
    /**
     * Whether this feed lies on a private address, and may: added by an admin, or within ALLOWED_NETWORKS.
     * Throws `address-not-allowed` otherwise.
     */
    async reachOf(address: string, isAdmin: boolean): Promise<Reach> {
      const url = requireWebAddress(address)
      const addresses = await addressesOf(url.hostname)
      const kinds = addresses.map(kindOfAddress)
      if (kinds.every(kind => kind === 'public')) return publicOnly
      const isEntitled = addresses.every(
        (found, index) => kinds[index] === 'private' && (isAdmin || isWithin(found, allowedNetworks)),
      )
      if (!isEntitled) throw new OutboundError('address-not-allowed', url.hostname)
      return { home: url.hostname, ...(!isAdmin && { networksOnly: true }) }
    },

    /** GET, following redirects. Throws `OutboundError`, or the reason of an aborted signal. */
    async get(address: string, outgoing: Outgoing): Promise<Incoming> {
      const { reach, headers = {}, credentials, signal, timeoutMs = 30_000 } = outgoing
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), timeoutMs)
      const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
      const hops: Hop[] = []
      let url = requireWebAddress(address)
      const origin = url.origin
      try {
        for (;;) {
          const addresses = await checkedAddresses(url, reach)
          const response = await connect(url, addresses, outgoing, {
            headers: {
              'User-Agent': outgoing.userAgent ?? userAgent,
              ...headers,
              ...(credentials && url.origin === origin && { Authorization: basic(credentials) }),
              Host: url.host,
            },
            signal: either,
          })
          const location = response.headers.get('location')
          if (!redirects.has(response.status) || !location) return { response, url: url.href, hops }
          await response.body?.cancel()
          hops.push({ status: response.status, url: url.href })
          if (hops.length > MAX_REDIRECTS) throw new OutboundError('too-many-redirects', url.hostname)
          url = requireWebAddress(location, url)
        }
      } catch (error) {
        if (error instanceof OutboundError) throw error
        if (signal?.aborted) throw signal.reason
        if (deadline.signal.aborted) throw new OutboundError('timeout', url.hostname, error)
        throw new OutboundError('unreachable', url.hostname, describeError(error))
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const isClosed = (error: unknown) => (error as { code?: unknown }).code === 'ECONNRESET'

/** Whether an address is one of this machine. */
const isOurs = (address: string) => isWithin(address, loopback) || ownAddresses().includes(address)

function requireWebAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new OutboundError('address-not-allowed', url?.protocol ?? '')
}

/** UTF-8, as RFC 7617 has it. */
const basic = ({ user, password }: Credentials) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Takes `user:password@` out of an address. */
export function splitCredentials(address: string): { address: string; credentials: Credentials | null } {
  const url = URL.parse(address)
  if (!url || (url.username === '' && url.password === '')) return { address, credentials: null }
  const credentials = { user: decoded(url.username), password: decoded(url.password) }
  url.username = ''
  url.password = ''
  return { address: url.href, credentials }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
