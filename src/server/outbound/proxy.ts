import ipaddr from 'ipaddr.js'
import type { Config } from '../config'
import { isWithin, kindOfAddress } from './address'
import { basicAuthorization, splitCredentials } from './credentials'

// Why: docs/internals/decisions/0038

export type ProxyNeeds = Pick<Config, 'allowedNetworks' | 'proxies'>

/** Top-level names of local networks (RFC 6761, 6762, 8375; ICANN's `internal`), which no proxy is asked for. */
const localNames = new Set(['localhost', 'localdomain', 'local', 'lan', 'internal', 'arpa'])

/**
 * The proxy for an address; null = it is reached directly. Private addresses, names of local networks,
 * `ALLOWED_NETWORKS` and `NO_PROXY` are: a proxy would resolve and reach what was not checked.
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

/** The options with which a request takes its way, whatever the environment says. */
export function wayFor(needs: ProxyNeeds, url: URL): BunFetchRequestInit {
  const proxy = proxyFor(needs, url)
  return proxy === null ? { proxy: false as unknown as string } : wayThrough(proxy).way
}

/** The way through a proxy, with its address and the headers that are for it alone. */
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
