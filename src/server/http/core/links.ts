import type { Person } from '../../../shared/api/podcast-tags'
import type { Server } from 'bun'
import type { Config } from '../../config'
import { isWithin, networkOf } from '../../outbound/address'

/** The addresses and keys that one caller is given. */
export type Links = {
  /** Address of the server, with a trailing slash: `https://pod.example/castellan/`. */
  base: string
  /** Key that lets this caller open media and covers without a header; null if a cookie does, or in open mode. */
  key: string | null
  /** Key of the user's private feeds, which are read without a cookie; null in open mode. */
  feedKey: string | null
}

/** The address of one of our paths, with the key that this caller needs. */
export function mediaLink({ base, key }: Links, path: string): string {
  if (key === null) return `${base}${path}`
  return `${base}${path}${path.includes('?') ? '&' : '?'}apiKey=${key}`
}

/** The id of an episode in the name of its media: `{eid}.mp3`. */
export const episodeOfMedia = (file: string) => file.replace(/\.\w{1,5}$/, '')

/** The address of a cover; a known `digest` adds a version, which lets browsers cache the picture for ever. */
export const coverLink = (links: Links, kind: 'podcasts' | 'episodes', uuid: string, digest: string | null) =>
  mediaLink(links, `covers/${kind}/${uuid}${digest ? `?v=${digest.slice(0, 12)}` : ''}`)

/**
 * Replaces the pictures of people by ours of the same: a third party would learn who looks. `of`: `podcasts/{uuid}` or
 * `episodes/{uuid}`.
 */
export const linkPortraits = (persons: readonly Person[], of: string, links: Links): Person[] =>
  persons.map((person, place) =>
    person.img ? { ...person, img: portraitLink(links, `${of}/persons/${place}`) } : person,
  )

export const portraitLink = (links: Links, path: string) => mediaLink(links, `covers/${path}?size=128`)

/** The address of a private feed: a podcast's uuid, `favorites`, `tag/…` or `playlist/…`. */
export const feedLink = ({ base, feedKey }: Links, path: string) =>
  feedKey === null ? `${base}rss/${path}` : `${base}rss/apiKey/${feedKey}/${path}`

/** Removes a user name and password from an address: they are the server's, not the caller's. */
export function withoutUserInfo(address: string): string {
  // Read for every episode of a list, and hardly one has them.
  const url = address.includes('@') ? URL.parse(address) : null
  if (!url || (url.username === '' && url.password === '')) return address
  url.username = ''
  url.password = ''
  return url.href
}

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
