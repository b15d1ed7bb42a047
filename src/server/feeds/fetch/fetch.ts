import { type Clock, DAY, SECOND } from '../../platform/clock'
import { readAvailable } from '../../outbound/body'
import type { GivenCredentials } from '../../outbound/credentials'
import { OutboundError } from '../../outbound/error'
import type { Reach } from '../../outbound/reach'
import type { Hop, Outbound } from '../../outbound/request'
import { expectedFeed } from '../parse/not-a-feed'
import { freshFor, parseRetryAfter } from '../schedule'

export type FeedRequest = {
  address: string
  reach: Reach
  credentials?: GivenCredentials | null
  userAgent?: string | undefined
  /** The validators and the digest of the last body; without validators the whole feed is requested. */
  validators: { etag: string | null; lastModified: string | null; digest: string | null } | null
  signal?: AbortSignal
}

export type FetchedBody = {
  /** Empty once it has been read: it moves to the second thread. */
  body: Uint8Array<ArrayBuffer>
  /** The connection ended before the body did: there are no validators, and missing items prove nothing. */
  isCut: boolean
  contentType: string
  contentEncoding: string
  url: string
  /** The address that the feed has moved to for good, if every redirect on the way was a permanent one. */
  movedTo: string | null
  etag: string | null
  lastModified: string | null
  digest: string | null
  freshForMs: number
}

export type FetchFailure = {
  code:
    | 'feed-unreachable'
    | 'feed-closed'
    | 'feed-redirects'
    | 'feed-challenge'
    | 'feed-gone'
    | 'feed-needs-credentials'
    | 'feed-refused'
    | 'address-not-allowed'
    | 'too-large-upstream'
    | 'upstream-timeout'
    | 'proxy-failed'
    | 'not-a-feed'
  message: string
  /** The type of what was received instead of a feed; only with `not-a-feed`. */
  type?: string
  status: number | null
  host: string
  retryAfterMs: number | null
}

export type FetchOutcome =
  /** `movedTo`: the same bytes, at an address that every redirect on the way calls permanent. */
  | { kind: 'unchanged'; freshForMs: number; movedTo: string | null }
  | { kind: 'body'; fetched: FetchedBody }
  | { kind: 'failed'; failure: FetchFailure }

export type FeedLimits = { maxBytes: number; headersMs: number; idleMs: number; totalMs: number }
export const feedLimits: FeedLimits = {
  maxBytes: 64 * 1024 * 1024,
  headersMs: 30 * SECOND,
  idleMs: 30 * SECOND,
  totalMs: 120 * SECOND,
}

type FetchNeeds = { outbound: Outbound; now: Clock; limits?: FeedLimits }

/**
 * Sends one conditional, bounded request for a feed. If the body breaks off, it sends the request again and keeps the
 * longer part. Throws only when `signal` aborts it.
 */
export async function fetchFeed(needs: FetchNeeds, request: FeedRequest): Promise<FetchOutcome> {
  const { signal } = request
  try {
    const first = await send(needs, request, false)
    if (first.kind !== 'body' || !first.fetched.isCut) return first
    const again = await send(needs, request, true).catch(error => {
      if (signal?.aborted || !(error instanceof OutboundError)) throw error
      return null
    })
    const isMore = again?.kind === 'body' && again.fetched.body.byteLength >= first.fetched.body.byteLength
    const fuller = again && isMore ? again : first
    if (fuller.kind === 'body' && fuller.fetched.body.byteLength === 0)
      throw new OutboundError('unreachable', URL.parse(fuller.fetched.url)?.host ?? '')
    return fuller
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof OutboundError)
      return { kind: 'failed', failure: failureOfError(error, URL.parse(request.address)?.host ?? '') }
    throw error
  }
}

async function send(
  { outbound, now, limits = feedLimits }: FetchNeeds,
  { address, reach, credentials, userAgent, validators, signal }: FeedRequest,
  isPatient: boolean,
): Promise<FetchOutcome> {
  const host = URL.parse(address)?.host ?? ''
  const conditions = conditionsOf(validators, now())
  const { response, url, hops } = await outbound.get(address, {
    reach,
    credentials,
    userAgent,
    signal,
    isPatient,
    timeoutMs: limits.headersMs,
    headers: {
      Accept: 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.8',
      'Accept-Encoding': 'gzip, br, deflate',
      ...conditions,
    },
  })
  if (response.status === 304) {
    await response.body?.cancel()
    if (Object.keys(conditions).length === 0) return { kind: 'failed', failure: unaskedFor(host) }
    return { kind: 'unchanged', freshForMs: freshFor(response.headers), movedTo: null }
  }
  if (!response.ok) {
    await response.body?.cancel()
    return { kind: 'failed', failure: failureOf(response, host, now()) }
  }
  const refused = refusedType(response.headers.get('content-type') ?? '')
  if (refused) {
    await response.body?.cancel()
    return { kind: 'failed', failure: notAFeed(refused, response.status, host) }
  }
  const { body, isCut } = await readAvailable(response, { ...limits, host })
  signal?.throwIfAborted()
  const digest = Bun.hash.xxHash3(body).toString(36)
  if (digest === validators?.digest)
    return { kind: 'unchanged', freshForMs: freshFor(response.headers), movedTo: movedTo(url, hops) }
  return { kind: 'body', fetched: describe(response, { body, isCut, digest, url, hops }, now()) }
}

function describe(
  response: Response,
  {
    body,
    isCut,
    digest,
    url,
    hops,
  }: Pick<FetchedBody, 'body' | 'isCut' | 'url'> & { digest: string; hops: readonly Hop[] },
  now: number,
): FetchedBody {
  const headers = response.headers
  // If a host says that its answers are stale at once, its validators can't be trusted.
  const mayReuse = !isCut && headers.get('expires') !== '0'
  const lastModified = headers.get('last-modified')?.trim() || null
  const answeredAt = Date.parse(headers.get('date') ?? '') || now
  return {
    body,
    isCut,
    contentType: headers.get('content-type') ?? '',
    contentEncoding: headers.get('content-encoding') ?? '',
    url,
    movedTo: movedTo(url, hops),
    etag: mayReuse ? headers.get('etag')?.trim() || null : null,
    lastModified: mayReuse && !isAfter(lastModified, answeredAt) ? lastModified : null,
    digest: isCut ? null : digest,
    freshForMs: freshFor(headers),
  }
}

const movedTo = (url: string, hops: readonly Hop[]) =>
  hops.length > 0 && hops.every(hop => hop.status === 301 || hop.status === 308) ? url : null

function conditionsOf(validators: FeedRequest['validators'], now: number): Record<string, string> {
  const { etag = null, lastModified = null } = validators ?? {}
  return {
    ...(etag && { 'If-None-Match': etag }),
    ...(lastModified && !isAfter(lastModified, now) && { 'If-Modified-Since': lastModified }),
  }
}

/**
 * Whether a date is later than the answer that gave it: a host that compares dates would call the feed unchanged until
 * then.
 */
const isAfter = (date: string | null, instant: number) => Date.parse(date ?? '') > instant

const unaskedFor = (host: string): FetchFailure => ({
  code: 'feed-unreachable',
  message: 'The host answered 304 (unchanged) to a request for the whole feed',
  status: 304,
  host,
  retryAfterMs: null,
})

/** The kind of a content type that no feed has, so that a film isn't fetched completely. */
const refusedType = (type: string) =>
  /^(audio|video|image)\//i.test(type) ? 'media' : /application\/pdf/i.test(type) ? 'pdf' : null

const notAFeed = (type: string, status: number, host: string): FetchFailure => ({
  code: 'not-a-feed',
  message: expectedFeed(type),
  type,
  status,
  host,
  retryAfterMs: null,
})

/** Advice for a 403, which hosts answer to programs that they don't know and to wrong passwords. */
export const refusedAdvice =
  ". Enter a browser's name, such as Mozilla/5.0, as the User-Agent in the podcast's settings, or check its user name and password."

function failureOf(response: Response, host: string, now: number): FetchFailure {
  const { status } = response
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now)
  const common = { status, host, retryAfterMs, message: `The host answered ${status}` }
  if (status === 404 || status === 410) return { ...common, code: 'feed-gone' }
  if (response.headers.get('cf-mitigated') === 'challenge')
    return { ...common, code: 'feed-challenge', message: `${host} lets browsers in only; it answered with a challenge` }
  if (status === 401) return { ...common, code: 'feed-needs-credentials' }
  if (status === 403) return { ...common, code: 'feed-refused', message: `The host answered 403${refusedAdvice}` }
  return { ...common, code: 'feed-unreachable' }
}

const outboundCodes = {
  'address-not-allowed': 'address-not-allowed',
  unreachable: 'feed-unreachable',
  closed: 'feed-closed',
  'too-many-redirects': 'feed-redirects',
  timeout: 'upstream-timeout',
  'too-large': 'too-large-upstream',
  'bad-status': 'feed-unreachable',
  'proxy-away': 'proxy-failed',
  'proxy-refused': 'proxy-failed',
  'proxy-silent': 'proxy-failed',
  'proxy-missed': 'feed-unreachable',
} as const

const failureOfError = ({ code, message, host }: OutboundError, fallback: string): FetchFailure => ({
  code: outboundCodes[code],
  message: code === 'too-large' ? 'The feed is larger than 64 MB' : message,
  status: null,
  host: host || fallback,
  retryAfterMs: null,
})

/** Time after which a whole body is fetched again, in case a host's validators are wrong. */
export const WHOLE_AGAIN_MS = 7 * DAY
