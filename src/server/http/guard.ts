import { hostname } from 'node:os'
import type { Config } from '../config'
import { kindOfAddress } from '../outbound/address'
import { Problem } from '../problem'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what another site makes a browser do: changing calls and sockets with a foreign Origin. In open mode also a
 * Host that is some other name than ours, since DNS rebinding makes Origin and Host agree.
 */
export function guardRequest(request: Request, serverUrl: string, config: Config) {
  const host = new URL(serverUrl).host
  if (!isOurName(request.headers.get('host'), config) || !isOurName(host, config)) throw crossSite()
  const isChange = !safeMethods.has(request.method)
  const isSocket = request.headers.get('upgrade')?.toLowerCase() === 'websocket'
  if (!isChange && !isSocket) return
  if (isChange && request.headers.get('sec-fetch-site') === 'cross-site') throw crossSite()
  const origin = request.headers.get('origin')
  if (origin && URL.parse(origin)?.host !== host) throw crossSite()
}

const crossSite = () => new Problem('cross-site', 'This request comes from another site')

function isOurName(host: string | null, config: Config): boolean {
  if (!host) return true
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  const bare = name.replace(/^\[|\]$/g, '')
  if (kindOfAddress(bare) !== 'never' || /^[\d.]+$|:/.test(bare)) return true
  const own = hostname().toLowerCase()
  const configured = config.serverUrl ? new URL(config.serverUrl).hostname : null
  return [own, `${own}.local`, 'localhost', configured].includes(name) || name.endsWith('.localhost')
}
