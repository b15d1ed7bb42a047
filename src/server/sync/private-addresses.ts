/** An address of one of our private feeds, taken apart. */
export type PrivateFeed = {
  /** Up to the `/rss/`, with a slash at its end. */
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

/** How a player knows what it gets: decoration, the type is in the answer. */
export const mediaExtension = (type: string | null) =>
  extensions[type ?? ''] ?? (type?.startsWith('video/') ? 'mp4' : 'mp3')

const feedPath = /^(.*)\/rss(?:\/apiKey\/([^/]+))?(?:\/((?:tag|playlist)\/[^/]+|[^/]+))?\/*$/
const mediaPath = /\/media\/([0-9a-f]{8}-[0-9a-f-]{27})(?:\.\w+)?$/i

/** What has the shape of a private feed's address; whether it is one of ours, the library knows. */
export function readPrivateFeed(address: string): PrivateFeed | null {
  const url = URL.parse(address)
  const match = feedPath.exec(url?.pathname ?? '')
  if (!url || !match) return null
  const [, path = '', key, of = ''] = match
  return { base: `${url.origin}${path}/`, key: key ?? url.searchParams.get('apiKey'), of }
}

/** The `episode_id` in an address of our media, at whatever host; it is random, so nobody else has it. */
export const readPrivateMedia = (address: string): string | null =>
  mediaPath.exec(URL.parse(address)?.pathname ?? '')?.[1]?.toLowerCase() ?? null

/** Where private feeds find an episode; apps that go by addresses need the same in what they are told of it. */
export const privateMedia = (base: string, key: string | null, eid: string, type: string | null) =>
  `${base}media/${eid}.${mediaExtension(type)}${key === null ? '' : `?apiKey=${key}`}`

/** The same feed with another key, where it has one. */
export function withKey(address: string, key: string): string {
  const known = readPrivateFeed(address)?.key
  return known ? address.replace(known, key) : address
}
