import type { Server } from 'bun'
import type { Config } from '../../config'
import { isWithin, networkOf } from '../../outbound/address'

/** A request and the server that received it; `server` is null for a request made in memory, by tests. */
export type IncomingRequest = { request: Request; server: Server<unknown> | null }

/** Reads the IP address that a request came from; costs a system call. Null for a request made in memory. */
export type Peer = () => string | null

/** The peer of a request. A connection that was reset has no address any more; it gets '', which no rule trusts. */
export const peerOf =
  (request: Request, server: Server<unknown> | null): Peer =>
  () =>
    server ? (server.requestIP(request)?.address ?? '') : null

/** The server's address as the caller sees it, with a trailing slash: `https://pod.example/castellan/`. */
export function serverUrlOf(request: Request, peer: Peer, config: Config): string {
  if (config.serverUrl) return `${config.serverUrl}/`
  const ownProtocol = config.tls ? 'https' : 'http'
  const ownHost = request.headers.get('host') ?? new URL(request.url).host
  if (!isForwarded(request) || !isTrusted(peer, config)) return `${ownProtocol}://${ownHost}${config.prefix}/`
  const protocol = /^https?$/.exec(forwarded(request, 'proto') ?? '')?.[0] ?? ownProtocol
  const host = /^[\w.:[\]-]+$/.exec(forwarded(request, 'host') ?? '')?.[0] ?? ownHost
  return `${protocol}://${host}${prefixOf(request, peer, config)}/`
}

/** The path prefix that the browser sees: the one that a trusted proxy names, else the configured one. */
export function prefixOf(request: Request, peer: Peer, config: Config): string {
  const prefix = forwarded(request, 'prefix')
  return prefix && /^(\/[\w.~-]+)+$/.test(prefix) && isTrusted(peer, config) ? prefix : config.prefix
}

const names = ['proto', 'host', 'prefix'] as const
const forwarded = (request: Request, name: (typeof names)[number]) =>
  request.headers.get(`x-forwarded-${name}`)?.split(',')[0]?.trim() || null
const isForwarded = (request: Request) => names.some(name => request.headers.has(`x-forwarded-${name}`))

/** Whether the forwarding headers of a peer count: it is a configured proxy, or the request was made in memory. */
export function isTrusted(peer: Peer, config: Config): boolean {
  const address = peer()
  return address === null || isWithin(address, config.trustedProxies)
}

/**
 * The client's address: the peer's, or the one that trusted proxies forward for. Without a port; an IPv6 address is
 * reduced to its /64 network, because one customer has all addresses of such a network.
 */
export function addressOf(request: Request, peer: Peer, config: Config): string {
  const direct = peer()
  const header = request.headers.get('x-forwarded-for')
  if (header === null || !isTrusted(peer, config)) return networkOf(direct ?? '') ?? 'unknown'
  const chain = header.split(',').map(part => part.trim())
  // The client may invent everything before the last entry that is no proxy of ours.
  const client = chain.findLast(address => !isWithin(withoutPort(address), config.trustedProxies)) ?? chain[0]!
  return networkOf(withoutPort(client)) ?? networkOf(direct ?? '') ?? 'unknown'
}

/** Drops the port that some proxies add: `1.2.3.4:5555`, `[2001:db8::1]:443`. */
const withoutPort = (address: string) =>
  /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
