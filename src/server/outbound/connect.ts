import { OutboundError } from './error'
import { type Reach, wayThrough } from './reach'

const FIRST_ADDRESS_MS = 5000

export type PostBody = string | Uint8Array<ArrayBuffer>

type Connection = {
  url: URL
  headers: Record<string, string>
  signal: AbortSignal
  reach: Reach
  isPatient: boolean
  /** The body of a POST; null = GET. */
  body: PostBody | null
}

/**
 * Sends one request to the first of the addresses that answers; redirects are not followed. The connection is made to
 * an address that was checked, so that a second DNS answer can't redirect it.
 */
export async function connect(addresses: readonly string[], connection: Connection): Promise<Response> {
  const { url, signal, reach } = connection
  let failure: unknown
  for (const [index, address] of addresses.entries()) {
    try {
      return await connectTo(address, index < addresses.length - 1, connection)
    } catch (error) {
      if (signal.aborted) throw error
      failure = error
    }
  }
  // Users let in by ALLOWED_NETWORKS must not learn which ports are open there.
  const mayKnow = !reach.networksOnly
  throw new OutboundError(mayKnow && isClosed(failure) ? 'closed' : 'unreachable', url.hostname, { cause: failure })
}

async function connectTo(address: string, hasNext: boolean, { url, headers, signal, isPatient, body }: Connection) {
  const target = withoutCredentials(url)
  target.hostname = address.includes(':') ? `[${address}]` : address
  // An address that drops packets (IPv6 without a route, say) must not use up the time of the next one.
  const impatience = new AbortController()
  const timer = hasNext ? setTimeout(() => impatience.abort(), FIRST_ADDRESS_MS) : undefined
  const init = { headers, signal: AbortSignal.any([impatience.signal, signal]) }
  try {
    // Loads the modules of Node's client, which few hosts make necessary.
    if (isPatient) return await (await import('./patient')).fetchPatiently(target, init, url.hostname)
    return await fetchOnce(target, init, body, { proxy: false, tls: { serverName: url.hostname } })
  } finally {
    clearTimeout(timer)
  }
}

/** Sends one request through a proxy, which resolves the name; redirects are not followed. */
export async function connectThrough(proxy: string, connection: Connection): Promise<Response> {
  const { url, signal } = connection
  try {
    const response = await ask(proxy, connection)
    if (!isRefusal(response)) return response
    await response.body?.cancel()
    throw new OutboundError('proxy-refused', url.hostname, { status: response.status })
  } catch (error) {
    throw signal.aborted || error instanceof OutboundError ? error : failureOf(error, url.hostname)
  }
}

async function ask(proxy: string, { url, headers, signal, isPatient, body }: Connection): Promise<Response> {
  const target = withoutCredentials(url)
  const { address, headers: ours, way } = wayThrough(proxy)
  // The runtime's Node client can't use tunnels, so if an https body breaks off, only what `fetch` delivers is kept.
  if (isPatient && target.protocol === 'http:')
    return (await import('./patient')).fetchPatiently(
      new URL(address),
      { headers: { ...headers, ...ours }, signal },
      new URL(address).hostname,
      target.href,
    )
  return fetchOnce(target, { headers, signal }, body, way)
}

function fetchOnce(target: URL, init: RequestInit, body: PostBody | null, way: BunFetchRequestInit): Promise<Response> {
  return fetch(target, {
    ...init,
    ...(body !== null && { method: 'POST', body }),
    redirect: 'manual',
    decompress: false,
    ...way,
  } as RequestInit)
}

function withoutCredentials(url: URL): URL {
  const target = new URL(url)
  target.username = ''
  target.password = ''
  return target
}

/** Whether the proxy itself answered. For plain http answers other than 407, only Squid's mark shows that. */
const isRefusal = ({ status, headers }: Response) => status === 407 || (status === 403 && headers.has('x-squid-error'))

/** A certificate error is the host's, so the proxy reached it; all other errors happened before that. */
function failureOf(error: unknown, host: string): OutboundError {
  const { code, status } = error as { code?: unknown; status?: number }
  if (code === 'ERR_PROXY_TUNNEL' && status !== undefined)
    return new OutboundError(status >= 500 ? 'proxy-missed' : 'proxy-refused', host, { status, cause: error })
  return new OutboundError(isAway(code) ? 'proxy-away' : 'unreachable', host, { cause: error })
}

const awayCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])
const isAway = (code: unknown) => typeof code === 'string' && awayCodes.has(code)
const isClosed = (error: unknown) => (error as { code?: unknown }).code === 'ECONNRESET'
