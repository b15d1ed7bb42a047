import type { ItunesResult, PodindexFeed } from '../../shared/api/directory'
import { type Clock, SECOND } from '../platform/clock'
import { isOfProxy, OutboundError } from '../outbound/error'
import { fetchBytes, type Outbound } from '../outbound/request'
import { Problem } from '../platform/problem'

/** `pages`: a test's host, which serves each service's page as `/host/path`; absent = the services themselves. */
export type DirectoryAddresses = { itunes: string; podindex: string; pages?: string }
export const directoryAddresses: DirectoryAddresses = {
  itunes: 'https://itunes.apple.com',
  podindex: 'https://api.podcastindex.org/api/1.0',
}

type FoundItunes = Omit<ItunesResult, 'subscribed' | 'podcastId'>
type FoundPodindex = Omit<PodindexFeed, 'subscribed' | 'podcastId'>

type Needs = {
  outbound: Outbound
  now: Clock
  keys: Readonly<{ key: string; secret: string }> | null
  addresses?: DirectoryAddresses
}

const MAX_BYTES = 4 * 1024 * 1024
const MAX_RESULTS = 50

/**
 * Two directories of podcasts: iTunes and the Podcast Index. Responses are validated field by field; unknown fields are
 * dropped. Each method throws `upstream-timeout` or `directory-unreachable` when a directory gives no usable answer.
 */
export function createDirectories(needs: Needs) {
  return { ...createItunes(needs), ...createPodindex(needs) }
}

/** Finds podcasts in iTunes. */
function createItunes({ outbound, addresses = directoryAddresses }: Needs) {
  const fetchFields = (path: string) => fetchJson(outbound, 'iTunes', `${addresses.itunes}${path}`)
  const fetchResults = async (path: string) => listOf((await fetchFields(path))['results']).flatMap(readItunes)
  return {
    /** Lists the most popular podcasts of a country, by its code of two letters, that have a public feed. */
    async itunesPopular(country: string, limit: number): Promise<(FoundItunes & { isExplicit: boolean })[]> {
      const { feed } = await fetchFields(`/${country}/rss/toppodcasts/limit=${limit}/json`)
      const ids = listOf((feed as Fields | undefined)?.['entry']).flatMap(readChartId)
      if (ids.length === 0) return []
      const query = new URLSearchParams({ id: ids.join(','), entity: 'podcast', country })
      return listOf((await fetchFields(`/lookup?${query}`))['results']).flatMap(value =>
        readItunes(value)
          .filter(({ feedUrl }) => feedUrl !== null)
          .map(found => ({ ...found, isExplicit: (value as Fields)['trackExplicitness'] === 'explicit' })),
      )
    },
    searchItunes(term: string): Promise<FoundItunes[]> {
      const query = new URLSearchParams({ media: 'podcast', entity: 'podcast', limit: String(MAX_RESULTS), term })
      return fetchResults(`/search?${query}`)
    },
    /** Finds a podcast by its iTunes id; null when there is none. Some are listed in one country only. */
    itunesPodcast: async (id: number, country?: string): Promise<FoundItunes | null> =>
      (await fetchResults(`/lookup?id=${id}&entity=podcast${country ? `&country=${country}` : ''}`))[0] ?? null,
  }
}

/** Finds podcasts in the Podcast Index. Each method throws `podindex-not-configured` when the server has no key. */
function createPodindex({ outbound, now, keys, addresses = directoryAddresses }: Needs) {
  async function fetchFields(path: string): Promise<Fields> {
    if (!keys) throw new Problem('podindex-not-configured', 'This server has no key for the Podcast Index')
    const date = String(Math.floor(now() / SECOND))
    const signature = new Bun.CryptoHasher('sha1').update(keys.key + keys.secret + date).digest('hex')
    return fetchJson(outbound, 'Podcast Index', `${addresses.podindex}${path}`, {
      'X-Auth-Date': date,
      'X-Auth-Key': keys.key,
      Authorization: signature,
    })
  }
  const feedsAt = async (path: string) => listOf((await fetchFields(path))['feeds']).flatMap(readPodindex)

  return {
    searchPodindex: (term: string): Promise<FoundPodindex[]> =>
      feedsAt(`/search/byterm?${new URLSearchParams({ q: term, max: String(MAX_RESULTS) })}`),
    /** Finds a feed's URL by its Podcast Index id; null when there is none. */
    podindexFeed: async (id: number): Promise<string | null> =>
      readPodindex((await fetchFields(`/podcasts/byfeedid?id=${id}`))['feed'])[0]?.url ?? null,
    /** Finds a feed by its publisher's guid; null when there is none. */
    podindexByGuid: async (guid: string): Promise<FoundPodindex | null> =>
      readPodindex((await fetchFields(`/podcasts/byguid?${new URLSearchParams({ guid })}`))['feed'])[0] ?? null,
    trending({ limit, language, category }: TrendingQuery): Promise<FoundPodindex[]> {
      const query = new URLSearchParams({
        max: String(limit),
        ...(language && { lang: language }),
        ...(category && { cat: category }),
      })
      return feedsAt(`/podcasts/trending?${query}`)
    },
  }
}

type TrendingQuery = { limit: number; language?: string | undefined; category?: string | undefined }

/** Fetches a JSON object from a directory. Throws `upstream-timeout`, `proxy-failed` and `directory-unreachable`. */
async function fetchJson(
  outbound: Outbound,
  directory: string,
  address: string,
  headers: Record<string, string> = {},
): Promise<Fields> {
  const host = new URL(address).hostname
  try {
    const body = await fetchBytes(outbound, address, {
      // The operator chose the directories, so they may be on a private network.
      reach: { home: host },
      headers: { Accept: 'application/json', ...headers },
      timeoutMs: 15 * SECOND,
      maxBytes: MAX_BYTES,
      idleMs: 10 * SECOND,
      totalMs: 30 * SECOND,
    })
    const answer: unknown = JSON.parse(new TextDecoder().decode(body))
    if (!isObject(answer)) throw new TypeError('Expected a JSON object')
    return answer
  } catch (error) {
    const code = error instanceof OutboundError ? error.code : null
    if (code === 'timeout') throw new Problem('upstream-timeout', `${directory} took too long to answer`, { host })
    if (error instanceof OutboundError && isOfProxy(error.code))
      throw new Problem('proxy-failed', error.message, { host })
    const isUnreachable = code === 'unreachable' || code === 'address-not-allowed'
    const reason = isUnreachable ? 'cannot be reached' : 'gave no usable answer'
    throw new Problem('directory-unreachable', `${directory} ${reason}`, { directory })
  }
}

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const integer = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)
const strings = (value: unknown): string[] => listOf(value).filter(item => typeof item === 'string')
const httpUrl = (value: unknown): string | null => (/^https?:\/\//i.test(text(value) ?? '') ? text(value) : null)

/** Reads the number of a podcast in a chart of iTunes, whose JSON is written like XML. */
function readChartId(value: unknown): string[] {
  const { attributes } = ((value as Fields | null)?.['id'] ?? {}) as { attributes?: Fields }
  const id = text(attributes?.['im:id'])
  return id !== null && /^\d{1,15}$/.test(id) ? [id] : []
}

/** Reads one result; an empty list for one without an id or a name. */
function readItunes(value: unknown): FoundItunes[] {
  const found = (value ?? {}) as Fields
  const id = integer(found['trackId']) ?? integer(found['collectionId'])
  const name = text(found['trackName']) ?? text(found['collectionName'])
  if (id === null || name === null) return []
  return [
    {
      collectionId: integer(found['collectionId']) ?? id,
      trackId: id,
      collectionName: text(found['collectionName']) ?? name,
      trackName: name,
      artistName: text(found['artistName']) ?? '',
      feedUrl: httpUrl(found['feedUrl']),
      artworkUrl30: httpUrl(found['artworkUrl30']),
      artworkUrl60: httpUrl(found['artworkUrl60']),
      artworkUrl100: httpUrl(found['artworkUrl100']),
      artworkUrl600: httpUrl(found['artworkUrl600']),
      primaryGenreName: text(found['primaryGenreName']),
      genres: strings(found['genres']),
      genreIds: strings(found['genreIds']),
      releaseDate: text(found['releaseDate']),
      trackCount: integer(found['trackCount']),
      country: text(found['country']),
      trackViewUrl: httpUrl(found['trackViewUrl']),
    },
  ]
}

/** Reads one feed; an empty list for one without an id, a title or a URL. */
function readPodindex(value: unknown): FoundPodindex[] {
  const found = (value ?? {}) as Fields
  const [id, title, url] = [integer(found['id']), text(found['title']), httpUrl(found['url'])]
  if (id === null || title === null || url === null) return []
  const categories = Object.entries((found['categories'] ?? {}) as Fields)
  return [
    {
      id,
      podcastGuid: text(found['podcastGuid']),
      title,
      url,
      originalUrl: httpUrl(found['originalUrl']),
      link: httpUrl(found['link']),
      description: text(found['description']),
      author: text(found['author']),
      ownerName: text(found['ownerName']),
      image: httpUrl(found['image']),
      artwork: httpUrl(found['artwork']),
      lastUpdateTime: integer(found['lastUpdateTime']),
      explicit: found['explicit'] === true || found['explicit'] === 1,
      categories: Object.fromEntries(
        categories.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
      language: text(found['language']),
    },
  ]
}
