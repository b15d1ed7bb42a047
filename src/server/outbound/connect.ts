import { OutboundError } from './error'
import type { Reach } from './reach'

const FIRST_ADDRESS_MS = 5000

type Connection = {
  url: URL
  /** The checked addresses of its host. */
  addresses: readonly string[]
  headers: Record<string, string>
  signal: AbortSignal
  reach: Reach
  isPatient: boolean
}

/**
 * Sends one GET to the first of the addresses that answers; redirects are not followed. The connection goes to an
 * address that was checked, so that a second DNS answer cannot lead elsewhere.
 */
export async function connect(connection: Connection): Promise<Response> {
  const { url, addresses, signal, reach } = connection
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

async function connectTo(address: string, hasNext: boolean, { url, headers, signal, isPatient }: Connection) {
  const target = new URL(url)
  target.hostname = address.includes(':') ? `[${address}]` : address
  target.username = ''
  target.password = ''
  // An address that swallows packets (IPv6 without a route, say) must not use up the time of the next one.
  const impatience = new AbortController()
  const timer = hasNext ? setTimeout(() => impatience.abort(), FIRST_ADDRESS_MS) : undefined
  const init = { headers, signal: AbortSignal.any([impatience.signal, signal]) }
  try {
    // Loads the modules of Node's client, which few hosts make necessary.
    if (isPatient) return await (await import('./patient')).fetchPatiently(target, init, url.hostname)
    return await fetch(target, {
      ...init,
      redirect: 'manual',
      proxy: false,
      decompress: false,
      tls: { serverName: url.hostname },
    } as RequestInit)
  } finally {
    clearTimeout(timer)
  }
}

const isClosed = (error: unknown) => (error as { code?: unknown }).code === 'ECONNRESET'
