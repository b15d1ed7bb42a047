import type { ItunesResult, PodindexFeed } from '../../shared/api/directory'
import { SECOND, type Clock } from '../platform/clock'
import { OutboundError } from '../outbound/error'
import { fetchBytes } from '../outbound/fetch-bytes'
import type { Outbound } from '../outbound/request'
import { Problem } from '../platform/problem'

export type DirectoryAddresses = { itunes: string; podindex: string }
export const directoryAddresses: DirectoryAddresses = {
  itunes: 'https://itunes.apple.com',
  podindex: 'https://api.podcastindex.org/api/1.0',
}

export type FoundItunes = Omit<ItunesResult, 'subscribed' | 'podcastId'>
export type FoundPodindex = Omit<PodindexFeed, 'subscribed' | 'podcastId'>

type Needs = {
  outbound: Outbound
  now: Clock
  keys: Readonly<{ key: string; secret: string }> | null
  addresses?: DirectoryAddresses
}

const MAX_BYTES = 4 * 1024 * 1024
const MOST = 50

/**
 * Two directories of podcasts: iTunes and the Podcast Index. Their answers are read field by field: nothing is passed
 * on unseen. Each method throws `Problem` when the directory does not answer.
 */
export function createDirectories(needs: Needs) {
  return { ...createItunes(needs), ...createPodindex(needs) }
}
export type Directories = ReturnType<typeof createDirectories>

function createItunes({ outbound, addresses = directoryAddresses }: Needs) {
  const ask = async (path: string) =>
    listOf((await fetchJson(outbound, 'iTunes', `${addresses.itunes}${path}`))['results']).flatMap(readItunes)
  return {
    searchItunes(term: string): Promise<FoundItunes[]> {
      const query = new URLSearchParams({ media: 'podcast', entity: 'podcast', limit: String(MOST), term })
      return ask(`/search?${query}`)
    },
    /** The address of a feed, by its number in iTunes; null when there is none. */
    itunesFeed: async (id: number): Promise<string | null> =>
      (await ask(`/lookup?id=${id}&entity=podcast`))[0]?.feedUrl ?? null,
  }
}

/** Throws `podindex-not-configured` when the server has no key. */
function createPodindex({ outbound, now, keys, addresses = directoryAddresses }: Needs) {
  async function ask(path: string): Promise<Fields> {
    if (!keys) throw new Problem('podindex-not-configured', 'This server has no key for the Podcast Index')
    const date = String(Math.floor(now() / SECOND))
    const signature = new Bun.CryptoHasher('sha1').update(keys.key + keys.secret + date).digest('hex')
    return fetchJson(outbound, 'Podcast Index', `${addresses.podindex}${path}`, {
      'X-Auth-Date': date,
      'X-Auth-Key': keys.key,
      Authorization: signature,
    })
  }
  const feedsAt = async (path: string) => listOf((await ask(path))['feeds']).flatMap(readPodindex)

  return {
    searchPodindex: (term: string): Promise<FoundPodindex[]> =>
      feedsAt(`/search/byterm?${new URLSearchParams({ q: term, max: String(MOST) })}`),
    /** The address of a feed, by its number in the Podcast Index; null when there is none. */
    podindexFeed: async (id: number): Promise<string | null> =>
      readPodindex((await ask(`/podcasts/byfeedid?id=${id}`))['feed'])[0]?.url ?? null,
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

async function fetchJson(
  outbound: Outbound,
  directory: string,
  address: string,
  headers: Record<string, string> = {},
): Promise<Fields> {
  const host = new URL(address).hostname
  try {
    const body = await fetchBytes(outbound, address, {
      // The operator chose the directories, so they may lie on a private address.
      reach: { home: host },
      headers: { Accept: 'application/json', ...headers },
      timeoutMs: 15 * SECOND,
      maxBytes: MAX_BYTES,
      idleMs: 10 * SECOND,
      totalMs: 30 * SECOND,
    })
    return JSON.parse(new TextDecoder().decode(body)) as Fields
  } catch (error) {
    if (error instanceof OutboundError && error.code === 'timeout')
      throw new Problem('upstream-timeout', `${directory} took too long to answer`, { host })
    throw new Problem('directory-unreachable', `${directory} cannot be reached`, { directory })
  }
}

type Fields = Record<string, unknown>

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const integer = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)
const texts = (value: unknown): string[] => listOf(value).filter(item => typeof item === 'string')
const web = (value: unknown): string | null => (/^https?:\/\//i.test(text(value) ?? '') ? text(value) : null)

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
      feedUrl: web(found['feedUrl']),
      artworkUrl30: web(found['artworkUrl30']),
      artworkUrl60: web(found['artworkUrl60']),
      artworkUrl100: web(found['artworkUrl100']),
      artworkUrl600: web(found['artworkUrl600']),
      primaryGenreName: text(found['primaryGenreName']),
      genres: texts(found['genres']),
      genreIds: texts(found['genreIds']),
      releaseDate: text(found['releaseDate']),
      trackCount: integer(found['trackCount']),
      country: text(found['country']),
      trackViewUrl: web(found['trackViewUrl']),
    },
  ]
}

function readPodindex(value: unknown): FoundPodindex[] {
  const found = (value ?? {}) as Fields
  const [id, title, url] = [integer(found['id']), text(found['title']), web(found['url'])]
  if (id === null || title === null || url === null) return []
  const categories = Object.entries((found['categories'] ?? {}) as Fields)
  return [
    {
      id,
      podcastGuid: text(found['podcastGuid']),
      title,
      url,
      originalUrl: web(found['originalUrl']),
      link: web(found['link']),
      description: text(found['description']),
      author: text(found['author']),
      ownerName: text(found['ownerName']),
      image: web(found['image']),
      artwork: web(found['artwork']),
      lastUpdateTime: integer(found['lastUpdateTime']),
      explicit: found['explicit'] === true || found['explicit'] === 1,
      categories: Object.fromEntries(
        categories.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
      language: text(found['language']),
    },
  ]
}
