/**
 * Normalises an address that an app sends: trimmed, scheme and host in lower case. Null if it can't be the address of a
 * feed or file.
 */
export function readAddress(given: string): string | null {
  const text = given.trim()
  if (text.length < 8 || text.length > 4096) return null
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(text)
    ? text.replace(/^(feed|itpc|itms):(\/\/)?(?=https?:)/i, '').replace(/^(feed|itpc|itms):(\/\/)?/i, 'http://')
    : `http://${text}`
  const url = URL.parse(withScheme)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || !url.hostname) return null
  // Only parts that mean the same in every spelling are normalised: a private feed's token stays as it is.
  return withScheme
    .replace(/^[a-z]+:\/\/[^/?#]*/i, origin =>
      origin.replace(
        /^([a-z]+:\/\/)([^@]*@)?(.*)$/i,
        (_, scheme: string, user = '', host: string) => scheme.toLowerCase() + user + host.toLowerCase(),
      ),
    )
    .replace(/^(https?:\/\/[^/?#]+)$/, '$1/')
}

/**
 * Key of an address, the same for every spelling: ignores scheme, default port, trailing slash, percent-encoding,
 * credentials.
 */
export function addressKey(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  const path = url.pathname.replace(/\/$/, '')
  return `${url.hostname}${url.port && url.port !== '80' && url.port !== '443' ? `:${url.port}` : ''}${decoded(path)}${decoded(url.search)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The parts of a private feed's address. */
type PrivateFeed = {
  /** Everything before `rss/`, with a slash at the end. */
  base: string
  key: string | null
  /** The uuid of a podcast, `''` for everything, or `favorites`, `tag/…`, `playlist/…`. */
  of: string
}

const extensions: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'video/mp4': 'mp4',
}

/** File extension for an address of our media. Some players rely on it; the response names the real type. */
export const mediaExtension = (type: string | null) =>
  extensions[type ?? ''] ?? (type?.startsWith('video/') ? 'mp4' : 'mp3')

const feedPath = /^(.*)\/rss(?:\/apiKey\/([^/]+))?(?:\/((?:tag|playlist)\/[^/]+|[^/]+))?\/*$/
const mediaPath = /\/media\/([0-9a-f]{8}-[0-9a-f-]{27})(?:\.\w+)?$/i

/** Reads an address that has the form of a private feed's; only the library knows whether it is one of ours. */
export function readPrivateFeed(address: string): PrivateFeed | null {
  const url = URL.parse(address)
  const match = feedPath.exec(url?.pathname ?? '')
  if (!url || !match) return null
  const [, path = '', key, of = ''] = match
  return { base: `${url.origin}${path}/`, key: key ?? url.searchParams.get('apiKey'), of }
}

/** Finds the `episode_id` in an address of our media. The host does not matter: the id is random, so it is ours. */
export const readPrivateMedia = (address: string): string | null =>
  mediaPath.exec(URL.parse(address)?.pathname ?? '')?.[1]?.toLowerCase() ?? null

/** Address of an episode in private feeds, and in every report about it: apps recognise episodes by their address. */
export const privateMedia = (base: string, key: string | null, eid: string, type: string | null) =>
  `${base}media/${eid}.${mediaExtension(type)}${key === null ? '' : `?apiKey=${key}`}`

/** Replaces the key in an address, if it has one. */
export function withKey(address: string, key: string): string {
  const known = readPrivateFeed(address)?.key
  return known ? address.replace(known, key) : address
}
