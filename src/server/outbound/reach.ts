import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config'
import { isWithin, kindOfAddress } from './address'
import { basicAuthorization, splitCredentials } from './credentials'
import { OutboundError } from './error'

/**
 * The reach of a request. Without a home: public addresses only. A feed on a private address has its own host as its
 * home, and may also reach ALLOWED_NETWORKS; never the reverse, from a public feed into a private network.
 * `networksOnly`: the feed was allowed because of ALLOWED_NETWORKS, so its home counts only while its address is in
 * them.
 */
export type Reach = { home: string | null; networksOnly?: boolean }
export const publicOnly: Reach = { home: null }

/** Resolves a name to its addresses, as text. */
export type Resolve = (name: string) => Promise<string[]>
export const resolveByDns: Resolve = async name => (await lookup(name, { all: true })).map(({ address }) => address)

export type ReachNeeds = { config: Pick<Config, 'serverUrl' | 'port'> & ProxyNeeds; resolve: Resolve }

const loopback = [ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')]

/**
 * The proxy that a request takes; null = none. A feed that must stay within ALLOWED_NETWORKS is checked here.
 */
export function proxyOf({ config }: ReachNeeds, url: URL, { home, networksOnly = false }: Reach): string | null {
  const proxy = networksOnly && url.hostname === home ? null : proxyFor(config, url)
  if (proxy !== null && isOwnOrigin(config, url)) throw new OutboundError('address-not-allowed', url.hostname)
  return proxy
}

/** The addresses of a host that a request may connect to, at least one. Throws `address-not-allowed`. */
export async function checkedAddresses(needs: ReachNeeds, url: URL, reach: Reach): Promise<string[]> {
  const addresses = await addressesOf(needs, url.hostname)
  const verdicts = await Promise.all(addresses.map(address => isAllowed(needs, address, url.hostname, reach)))
  const allowed = addresses.filter((address, index) => verdicts[index] && !isThisServer(needs, url, address))
  if (allowed.length === 0) throw new OutboundError('address-not-allowed', url.hostname)
  return allowed
}

/** The reach of a feed at this address, depending on whether an admin added it. Throws `address-not-allowed`. */
export async function reachOf(needs: ReachNeeds, url: URL, isAdmin: boolean): Promise<Reach> {
  if (proxyFor(needs.config, url) !== null) return publicOnly
  const addresses = await addressesOf(needs, url.hostname)
  const kinds = addresses.map(kindOfAddress)
  if (kinds.every(kind => kind === 'public')) return publicOnly
  const isEntitled = addresses.every(
    (address, index) => kinds[index] === 'private' && (isAdmin || isWithin(address, needs.config.allowedNetworks)),
  )
  if (!isEntitled) throw new OutboundError('address-not-allowed', url.hostname)
  return { home: url.hostname, ...(!isAdmin && { networksOnly: true }) }
}

async function addressesOf({ resolve }: ReachNeeds, hostname: string): Promise<string[]> {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (kindOfAddress(bare) !== 'never' || /^[\d.]+$|:/.test(bare)) return [bare]
  return resolve(bare).catch(cause => {
    throw new OutboundError('unreachable', hostname, { cause })
  })
}

async function isAllowed(needs: ReachNeeds, address: string, hostname: string, reach: Reach): Promise<boolean> {
  const kind = kindOfAddress(address)
  if (kind !== 'private') return kind === 'public'
  if (reach.home === null) return false
  if (isWithin(address, needs.config.allowedNetworks)) return true
  if (reach.networksOnly) return false
  return hostname === reach.home || (await addressesOf(needs, reach.home)).includes(address)
}

/** Whether an address is our own. The server must not call itself: its own call would look like one from the proxy. */
function isThisServer({ config }: ReachNeeds, url: URL, address: string): boolean {
  if (isOwnOrigin(config, url)) return true
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  return port === config.port && isOnThisMachine(address)
}

const isOwnOrigin = ({ serverUrl }: ReachNeeds['config'], url: URL) =>
  serverUrl !== null && url.origin === new URL(serverUrl).origin

const isOnThisMachine = (address: string) => isWithin(address, loopback) || ownAddresses().includes(address)

/** The addresses of this machine; none if the system does not say, as in a sandbox without netlink. */
export function ownAddresses(read: () => ReturnType<typeof networkInterfaces> = networkInterfaces): string[] {
  try {
    return Object.values(read()).flatMap(found => found?.map(({ address }) => address) ?? [])
  } catch {
    return []
  }
}

// Why: docs/internals/decisions/0038

export type ProxyNeeds = Pick<Config, 'allowedNetworks' | 'proxies'>

/** Top-level names of local networks (RFC 6761, 6762, 8375; ICANN's `internal`), which no proxy is asked for. */
const localNames = new Set(['localhost', 'localdomain', 'local', 'lan', 'internal', 'arpa'])

/**
 * The proxy for an address; null = it is reached directly. Private addresses, names of local networks,
 * `ALLOWED_NETWORKS` and `NO_PROXY` are reached directly: a proxy would resolve and reach what was not checked.
 */
export function proxyFor({ proxies, allowedNetworks }: ProxyNeeds, url: URL): string | null {
  const proxy = url.protocol === 'https:' ? proxies.https : proxies.http
  if (proxy === null || proxies.direct.everything) return null
  const name = url.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  const isLocal = ipaddr.isValid(name)
    ? kindOfAddress(name) !== 'public' || isWithin(name, [...allowedNetworks, ...proxies.direct.networks])
    : isLocalName(name)
  return isLocal || isException(proxies.direct.hosts, name, portOf(url)) ? null : proxy
}

/** The options that make a request use this way, whatever the environment says. */
export function wayFor(needs: ProxyNeeds, url: URL): BunFetchRequestInit {
  const proxy = proxyFor(needs, url)
  return proxy === null ? { proxy: false as unknown as string } : wayThrough(proxy).way
}

/** The way through a proxy, with its address and the headers that are only for it. */
export function wayThrough(proxy: string) {
  const { address, credentials } = splitCredentials(proxy)
  const headers: Record<string, string> = credentials ? { 'Proxy-Authorization': basicAuthorization(credentials) } : {}
  const way: BunFetchRequestInit = { proxy: { url: address, headers, respectNoProxy: false } }
  return { address, headers, way }
}

const isLocalName = (name: string) => !name.includes('.') || localNames.has(name.slice(name.lastIndexOf('.') + 1))

const isException = (hosts: ProxyNeeds['proxies']['direct']['hosts'], name: string, port: string) =>
  hosts.some(
    host => (host.port === null || host.port === port) && (name === host.name || name.endsWith(`.${host.name}`)),
  )

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')
