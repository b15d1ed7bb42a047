/** A host's name as a segment of a path. The names of files that prefixes have in theirs end in a digit. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,18}(?::\d{1,5})?$/i
const MOST_LEARNED = 5000

/**
 * The host that an address leads to past the services that count downloads: these have the rest of the address in their
 * path, again and again. `https://dts.podtrac.com/redirect.mp3/pdst.fm/e/traffic.megaphone.fm/A.mp3` is of
 * traffic.megaphone.fm.
 */
export function hostBehindPrefixes(address: string): string {
  const url = URL.parse(address)
  if (!url) return ''
  // Most addresses have no prefix, and a queue may be long.
  const { pathname } = url
  if (!pathname.includes('%') && pathname.lastIndexOf('/') < pathname.indexOf('.')) return url.host
  const folders = decoded(pathname).split('/').slice(0, -1)
  return folders.findLast(folder => HOST.test(folder))?.toLowerCase() ?? url.host
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export type Delivery = ReturnType<typeof createDelivery>

/** Knows which hosts really deliver the files of podcasts, by the redirects of earlier downloads. */
export function createDelivery() {
  const learned = new Map<string, string>()
  return {
    /** The host that delivered the last file from such an address, else the one behind its prefixes. */
    hostOf(podcastId: number, address: string): string {
      const host = hostBehindPrefixes(address)
      return learned.get(`${podcastId} ${host}`) ?? host
    },
    learn(podcastId: number, address: string, host: string) {
      const key = `${podcastId} ${hostBehindPrefixes(address)}`
      learned.delete(key)
      learned.set(key, host)
      if (learned.size > MOST_LEARNED) learned.delete(learned.keys().next().value!)
    },
  }
}
