import type { Server } from 'bun'
import type { Config } from '../../config'
import { isWithin, networkOf } from '../../outbound/address'

/** Where a request came from; looked up only when somebody wants to know. */
export type Peer = () => string | null

/**
 * Null for a request made in memory, by this very process. A connection that was reset has no address any more: it is
 * nobody we know, and never our own.
 */
export const peerOf =
  (request: Request, server: Server<unknown> | null): Peer =>
  () =>
    server ? (server.requestIP(request)?.address ?? '') : null

/** Where the caller finds this server, with a slash at the end: `https://pod.example/castellan/`. */
export function serverUrlOf(request: Request, peer: Peer, config: Config): string {
  if (config.serverUrl) return `${config.serverUrl}/`
  const ownProtocol = config.tls ? 'https' : 'http'
  const ownHost = request.headers.get('host') ?? new URL(request.url).host
  if (!isForwarded(request) || !isTrusted(peer, config)) return `${ownProtocol}://${ownHost}${config.prefix}/`
  const protocol = /^https?$/.exec(forwarded(request, 'proto') ?? '')?.[0] ?? ownProtocol
  const host = /^[\w.:[\]-]+$/.exec(forwarded(request, 'host') ?? '')?.[0] ?? ownHost
  return `${protocol}://${host}${prefixOf(request, peer, config)}/`
}

/** The path prefix that the browser sees: the proxy's word if it is trusted, else the configured one. */
export function prefixOf(request: Request, peer: Peer, config: Config): string {
  const prefix = forwarded(request, 'prefix')
  return prefix && /^(\/[\w.~-]+)+$/.test(prefix) && isTrusted(peer, config) ? prefix : config.prefix
}

const names = ['proto', 'host', 'prefix'] as const
const forwarded = (request: Request, name: (typeof names)[number]) =>
  request.headers.get(`x-forwarded-${name}`)?.split(',')[0]?.trim() || null
const isForwarded = (request: Request) => names.some(name => request.headers.has(`x-forwarded-${name}`))

/** Whether a peer is a proxy whose word counts; a request made in memory is our own. */
export function isTrusted(peer: Peer, config: Config): boolean {
  const address = peer()
  return address === null || isWithin(address, config.trustedProxies)
}

/**
 * Where a request comes from: the peer, or whom trusted proxies forward for. Without ports, and as a network of 64 bits
 * where it is IPv6: one customer has all the addresses of that.
 */
export function addressOf(request: Request, peer: Peer, config: Config): string {
  const direct = peer()
  const header = request.headers.get('x-forwarded-for')
  if (header === null || !isTrusted(peer, config)) return networkOf(direct ?? '') ?? 'unknown'
  const chain = header.split(',').map(part => part.trim())
  // The last that no trusted proxy of ours put there: what comes before it may be invented.
  const client = chain.findLast(address => !isWithin(withoutPort(address), config.trustedProxies)) ?? chain[0]!
  return networkOf(withoutPort(client)) ?? networkOf(direct ?? '') ?? 'unknown'
}

/** `1.2.3.4:5555` and `[2001:db8::1]:443` as some proxies write them. */
const withoutPort = (address: string) =>
  /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
