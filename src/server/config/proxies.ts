import { parseNetwork, readText, type Network, type Reader } from './reader'

/** A host that is reached without a proxy, with its subdomains. `port` null = every port. */
type DirectHost = Readonly<{ name: string; port: string | null }>

/** The proxies for http and https addresses, with their credentials; null = none. */
export type Proxies = Readonly<{
  http: string | null
  https: string | null
  /** The places that are reached without a proxy. */
  direct: Readonly<{ everything: boolean; networks: readonly Network[]; hosts: readonly DirectHost[] }>
}>

/** Reads the proxies of everything that is fetched, and those of podcasts, for which `PROXY` takes precedence. */
export function readProxies(reader: Reader): { proxies: Proxies; podcastProxies: Proxies } {
  const direct = readDirect(reader)
  const proxies = { http: readProxy(reader, 'HTTP_PROXY'), https: readProxy(reader, 'HTTPS_PROXY'), direct }
  const proxy = readProxy(reader, 'PROXY')
  return { proxies, podcastProxies: proxy === null ? proxies : { http: proxy, https: proxy, direct } }
}

const readEither = (reader: Reader, name: string) => readText(reader, name.toLowerCase()) || readText(reader, name)

function readProxy(reader: Reader, name: string): string | null {
  const text = readEither(reader, name)
  if (text === '') return null
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href
  // The value is not repeated: it may hold a password.
  reader.mistakes.push(`${name} is not a proxy: expected an address such as http://proxy.example:3128`)
  return null
}

function readDirect(reader: Reader): Proxies['direct'] {
  const entries = readEither(reader, 'NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const networks = entries.flatMap(entry => {
    const network = parseNetwork(entry.replace(/[[\]]/g, ''))
    return network ? [network] : []
  })
  return { everything: entries.includes('*'), networks, hosts: entries.map(readHost) }
}

function readHost(entry: string): DirectHost {
  const name = entry.replace(/^\*?\./, '')
  const colon = name.lastIndexOf(':')
  const port = colon === -1 ? '' : name.slice(colon + 1)
  return /^\d{1,5}$/.test(port) ? { name: name.slice(0, colon), port } : { name, port: null }
}
