import { SECOND } from '../platform/clock'
import { userAgent } from '../platform/version'
import { readBody, withoutEncoding } from './body'
import { connect, connectThrough, type PostBody } from './connect'
import { basicAuthorization, type GivenCredentials, mayCarry, securedAddress } from './credentials'
import { MAX_REDIRECTS, OutboundError } from './error'
import { checkedAddresses, proxyOf, type Reach, type ReachNeeds, reachOf, type Resolve, resolveByDns } from './reach'

type Outgoing = {
  reach: Reach
  headers?: Record<string, string>
  userAgent?: string | undefined
  /** Sent to the address that they were given for and to others that `mayCarry` allows, on every hop. */
  credentials?: GivenCredentials | null | undefined
  /** A token or a cookie, sent to the first address and to others that `mayCarry` allows. */
  privateHeaders?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Milliseconds within which the headers must arrive; default 30,000. */
  timeoutMs?: number
  /** Passes on every byte even if the body breaks off. Slower; default no. */
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

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * The one way out to the network. Only http(s); at every hop the name is resolved, the addresses are checked, and the
 * connection is made to an address that passed. A proxy resolves names itself: through it, only names are checked.
 * Requests carry nothing of the user who caused them, no cookie, no authorization, no forwarded-for, except what the
 * caller gives as credentials or private headers. Cookies that a redirect sets are returned to their host on the hops
 * that follow, and end with the request.
 */
export function createOutbound(config: ReachNeeds['config'], resolve: Resolve = resolveByDns) {
  const needs = { config, resolve }
  return {
    /**
     * Returns how far a feed at this address may reach: a private address is for admins and for ALLOWED_NETWORKS.
     * Throws `address-not-allowed` otherwise.
     */
    reachOf: async (address: string, isAdmin: boolean): Promise<Reach> =>
      reachOf(needs, requireWebAddress(address), isAdmin),
    /** GET, following redirects. Throws `OutboundError`, or the reason of an aborted signal. */
    get: (address: string, outgoing: Outgoing): Promise<Incoming> => send(needs, address, outgoing, null),
    /**
     * POST of a text or of bytes. A redirect is returned as it is: credentials are sent to no other address. Throws
     * `OutboundError`, or the reason of an aborted signal.
     */
    post: (address: string, body: PostBody, outgoing: Outgoing): Promise<Incoming> =>
      send(needs, address, outgoing, body),
  }
}

/** `body` null = GET. */
async function send(needs: ReachNeeds, address: string, outgoing: Outgoing, body: PostBody | null): Promise<Incoming> {
  const { signal, timeoutMs = 30 * SECOND } = outgoing
  const first = requireWebAddress(address)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
  let url = first
  try {
    const hops: Hop[] = []
    const cookies = createCookieJar()
    for (;;) {
      const response = await request(needs, url, {
        ...outgoing,
        first: first.href,
        signal: either,
        body,
        cookie: cookies.headerFor(url),
      })
      const location = body === null ? nextAddress(response, url, outgoing) : null
      if (!location) return { response, url: url.href, hops }
      await response.body?.cancel()
      cookies.keep(url, response.headers)
      hops.push({ status: response.status, url: url.href })
      if (hops.length > MAX_REDIRECTS) throw new OutboundError('too-many-redirects', url.hostname)
      url = requireWebAddress(location, url)
    }
  } catch (error) {
    if (error instanceof OutboundError) throw error
    if (signal?.aborted) throw signal.reason
    const late = proxyOf(needs, url, outgoing.reach) === null ? 'timeout' : 'proxy-silent'
    throw new OutboundError(deadline.signal.aborted ? late : 'unreachable', url.hostname, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** The address that an answer leads to, if any. If a host wants the password over http, the request uses https. */
function nextAddress({ status, headers }: Response, { href }: URL, { credentials }: Outgoing): string | null {
  if (redirects.has(status)) return headers.get('location')
  return status === 401 && credentials?.givenFor ? securedAddress(credentials.givenFor, href) : null
}

/** `cookie`: what earlier hops set; '' = nothing. */
type Hopping = Outgoing & { first: string; cookie: string; signal: AbortSignal; body: PostBody | null }

/** One hop: checks the addresses of the host and connects to one of them, or to the proxy. */
async function request(needs: ReachNeeds, url: URL, hopping: Hopping) {
  const { reach, headers, credentials, privateHeaders, isPatient = false, first, signal, body, cookie } = hopping
  const own = mayCarry(first, url.href) ? privateHeaders : undefined
  const sentCookies = [own?.Cookie, cookie].filter(Boolean).join('; ')
  const proxy = proxyOf(needs, url, reach)
  const connection = {
    url,
    headers: {
      'User-Agent': hopping.userAgent ?? userAgent,
      ...headers,
      ...(credentials &&
        mayCarry(credentials.givenFor ?? first, url.href) && { Authorization: basicAuthorization(credentials) }),
      ...own,
      ...(sentCookies && { Cookie: sentCookies }),
      Host: url.host,
    },
    signal,
    reach,
    isPatient,
    body,
  }
  if (proxy !== null) return connectThrough(proxy, connection)
  return connect(await unlessAborted(checkedAddresses(needs, url, reach), signal), connection)
}

/**
 * Settles as `work` does, or rejects when the signal aborts: looking up a name can take seconds and cannot be stopped.
 */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

function requireWebAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new OutboundError('address-not-allowed', url?.protocol ?? '')
}

type Cookie = { name: string; value: string; domain: string; isHostOnly: boolean; path: string; isSecure: boolean }

const MAX_COOKIES = 50
const MAX_CHARACTERS = 4096
/** A cookie that expires before this is a deletion, if the answer has no date. */
const LONG_AGO = Date.UTC(2000, 0)

/**
 * Keeps the cookies of one chain of redirects (RFC 6265) and forgets them with it. Each is returned to the host, path
 * and scheme that it was set for. At most 50 of 4,096 characters.
 */
export function createCookieJar() {
  let cookies: Cookie[] = []
  return {
    /** Keeps what an answer from `url` sets. */
    keep(url: URL, headers: Headers) {
      const answeredAt = Date.parse(headers.get('date') ?? '') || LONG_AGO
      for (const text of headers.getSetCookie()) {
        const found = text.length > MAX_CHARACTERS ? null : parseCookie(text, url, answeredAt)
        if (!found) continue
        const { cookie, isOver } = found
        cookies = cookies.filter(other => !isSame(cookie, other))
        if (!isOver && cookies.length < MAX_COOKIES) cookies.push(cookie)
      }
    },
    /** The `Cookie` header for `url`; '' = none. */
    headerFor: (url: URL) =>
      cookies
        .filter(cookie => isFor(cookie, url))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  }
}

const isSame = (one: Cookie, other: Cookie) =>
  one.name === other.name && one.domain === other.domain && one.path === other.path

const isWithinDomain = (hostname: string, domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)

function isFor({ domain, isHostOnly, path, isSecure }: Cookie, { hostname, pathname, protocol }: URL): boolean {
  if (isHostOnly ? hostname !== domain : !isWithinDomain(hostname, domain)) return false
  if (isSecure && protocol !== 'https:') return false
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

/** `isOver`: the cookie deletes one that was set before. Null for what is not a cookie, or one for another host. */
function parseCookie(text: string, url: URL, now: number): { cookie: Cookie; isOver: boolean } | null {
  const [pair = '', ...rest] = text.split(';')
  const at = pair.indexOf('=')
  const name = pair.slice(0, at).trim()
  const value = pair.slice(at + 1).trim()
  if (at < 1 || name === '' || !/^[\x20-\x7e]*$/.test(name + value)) return null
  const attributes = new Map(rest.map(part => splitAttribute(part)))
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? ''
  // A top-level name would reach every host below it.
  if (domain !== '' && domain !== url.hostname && !(domain.includes('.') && url.hostname.endsWith(`.${domain}`)))
    return null
  const path = attributes.get('path') ?? ''
  const cookie = {
    name,
    value,
    domain: domain || url.hostname,
    isHostOnly: domain === '',
    path: path.startsWith('/') ? path : url.pathname.slice(0, Math.max(url.pathname.lastIndexOf('/'), 1)),
    isSecure: attributes.has('secure'),
  }
  return { cookie, isOver: isOver(now, attributes.get('max-age'), attributes.get('expires')) }
}

function splitAttribute(part: string): [string, string] {
  const [name = '', ...value] = part.split('=')
  return [name.trim().toLowerCase(), value.join('=').trim()]
}

const isOver = (now: number, maxAge = '', expires = '') =>
  /^-?\d+$/.test(maxAge) ? Number(maxAge) <= 0 : Date.parse(expires) < now

type Limits = {
  maxBytes: number
  /** The longest pause between two chunks of the body; default 20,000. */
  idleMs?: number
  /** The time for the whole body; default 60,000. */
  totalMs?: number
}

/** Fetches a whole body, bounded in bytes and time. Throws `OutboundError`, also for a status other than success. */
export const fetchBytes = async (outbound: Outbound, address: string, options: Outgoing & Limits) =>
  (await fetchDocument(outbound, address, options)).body

/** The same, with the address that answered and the `Content-Type` that the host sent; '' = none. */
export async function fetchDocument(outbound: Outbound, address: string, options: Outgoing & Limits) {
  const { maxBytes, idleMs = 20 * SECOND, totalMs = 60 * SECOND, ...outgoing } = options
  const { response, url } = await outbound.get(address, outgoing)
  const host = new URL(url).hostname
  if (!response.ok) {
    await response.body?.cancel()
    throw new OutboundError('bad-status', host, { status: response.status })
  }
  const body = await readBody(await withoutEncoding(response, host), { maxBytes, idleMs, totalMs, host })
  return { body, url, contentType: response.headers.get('content-type') ?? '' }
}
