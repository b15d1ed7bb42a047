/** The parts of a private feed's address. */
type PrivateFeed = {
  /** Everything before `rss/`, with a slash at its end. */
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

/** File extension for an address of our media. Some players go by it; the response names the real type. */
export const mediaExtension = (type: string | null) =>
  extensions[type ?? ''] ?? (type?.startsWith('video/') ? 'mp4' : 'mp3')

const feedPath = /^(.*)\/rss(?:\/apiKey\/([^/]+))?(?:\/((?:tag|playlist)\/[^/]+|[^/]+))?\/*$/
const mediaPath = /\/media\/([0-9a-f]{8}-[0-9a-f-]{27})(?:\.\w+)?$/i

/** Reads an address that has the shape of a private feed's; whether it is one of ours, the library knows. */
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
