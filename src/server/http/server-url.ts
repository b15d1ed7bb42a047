import type { Config } from '../config'
import { isWithin } from '../outbound/address'

/** Where the caller finds this server, with a slash at the end: `https://pod.example/castellan/`. */
export function serverUrlOf(request: Request, peer: string | null, config: Config): string {
  if (config.serverUrl) return `${config.serverUrl}/`
  const url = new URL(request.url)
  const headers = isTrusted(peer, config) ? request.headers : new Headers()
  const forwarded = (name: string) => headers.get(`x-forwarded-${name}`)?.split(',')[0]?.trim() || null
  const protocol = /^https?$/.exec(forwarded('proto') ?? '')?.[0] ?? (config.tls ? 'https' : url.protocol.slice(0, -1))
  const host = /^[\w.:[\]-]+$/.exec(forwarded('host') ?? '')?.[0] ?? request.headers.get('host') ?? url.host
  return `${protocol}://${host}${prefixOf(request, peer, config)}/`
}

/** The path prefix that the browser sees: the proxy's word if it is trusted, else the configured one. */
export function prefixOf(request: Request, peer: string | null, config: Config): string {
  const forwarded = isTrusted(peer, config) ? request.headers.get('x-forwarded-prefix')?.split(',')[0]?.trim() : null
  return forwarded && /^(\/[\w.~-]+)+$/.test(forwarded) ? forwarded : config.prefix
}

/** No peer: a request made in memory, by this very process. */
export const isTrusted = (peer: string | null, config: Config) => peer === null || isWithin(peer, config.trustedProxies)
