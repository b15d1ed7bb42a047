import { hostname } from 'node:os'
import type { Config } from '../../config'
import { kindOfAddress } from '../../outbound/address'
import { Problem } from '../../platform/problem'

// Why: docs/internals/decisions/0053

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

const MAX_REMEMBERED = 100

/**
 * Refuses requests that another site makes a browser send: changes and sockets with a foreign Origin; in open mode also
 * a Host that is not ours, because DNS rebinding makes Origin and Host agree.
 */
export function createGuard(config: Config) {
  // The same few hosts come with every request.
  const verdicts = new Map<string, boolean>()
  function isOurs(host: string): boolean {
    const verdict = verdicts.get(host) ?? isOurName(host, config)
    if (verdicts.size >= MAX_REMEMBERED) verdicts.clear()
    verdicts.set(host, verdict)
    return verdict
  }

  return {
    /** Two `Host` headers arrive joined by a comma: a proxy in front may have read the other one (RFC 9112, 3.2). */
    requireOneHost(request: Request) {
      if (request.headers.get('host')?.includes(','))
        throw new Problem('bad-request', 'The request has more than one Host header')
    },
    requireOurHost(request: Request, serverUrl: string) {
      if (!config.isOpen) return
      const host = hostOf(serverUrl)
      if (!isOurs(request.headers.get('host') ?? host) || !isOurs(host)) throw crossSite()
    },
    requireOurPage,
  }
}

function requireOurPage(request: Request, serverUrl: string) {
  const isChange = !safeMethods.has(request.method)
  const isSocket = request.headers.get('upgrade')?.toLowerCase() === 'websocket'
  if (!isChange && !isSocket) return
  if (isChange && request.headers.get('sec-fetch-site') === 'cross-site') throw crossSite()
  const origin = request.headers.get('origin')
  if (origin && URL.parse(origin)?.host !== hostOf(serverUrl)) throw crossSite()
}

/**
 * Whether the browser says that one of our pages sends a request: the cookie carries no other request to the API. A
 * change needs a proof; reading is distinguished from pages of others, also those of another port, which our cookie
 * reaches. Over plain http browsers may say nothing at all: there our pages' own header proves it, which a page of
 * others cannot send, since no preflight allows it.
 */
export function comesFromOurPage(request: Request, serverUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  if (site !== null && site !== 'same-origin' && site !== 'none') return false
  if (origin !== null) return URL.parse(origin)?.host === hostOf(serverUrl)
  return safeMethods.has(request.method) || site === 'same-origin' || request.headers.has('x-requested-with')
}

const hostOf = (serverUrl: string) => serverUrl.split('/', 3)[2]!

const crossSite = () => new Problem('cross-site', 'The request comes from another site')

/** Whether a host is an IP address or a name of this machine; DNS rebinding needs another name. */
function isOurName(host: string, config: Config): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  const bare = name.replace(/^\[|\]$/g, '')
  if (kindOfAddress(bare) !== 'never' || /^[\d.]+$|:/.test(bare)) return true
  const own = hostname().toLowerCase()
  const configured = config.serverUrl ? new URL(config.serverUrl).hostname : null
  return [own, `${own}.local`, 'localhost', configured].includes(name) || name.endsWith('.localhost')
}
