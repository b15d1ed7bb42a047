import type { ElsewhereLink } from '../../shared/api/directory'
import { OutboundError } from '../outbound/error'
import { fetchDocument, type Outbound } from '../outbound/request'
import { SECOND } from '../platform/clock'
import { Problem } from '../platform/problem'
import type { createDirectories, DirectoryAddresses } from './directories'
import { decodeHTML } from '../platform/markup'

/** The address of the feed that a link leads to, or the reason why it leads to none. */
export type Link = { feedUrl: string } | ElsewhereLink

/** The number of a podcast in a directory, or the address of its feed, as a link contains it; null = neither. */
type Id = { itunes: number; country?: string | undefined } | { podindex: number } | { feed: string } | null

type Service = {
  name: string
  hosts: RegExp
  /** The id that the link contains; without it, the page there is asked for the name of the podcast. */
  id?: (url: URL) => Id
  /** The explanation if the link leads to no feed. */
  why: ElsewhereLink['why']
  /** Finds the name of the podcast in the page, if the title isn't it. */
  words?: (page: PageWords, url: URL) => string | null
  /** Paths that are addresses of feeds themselves. */
  feeds?: RegExp
}

const numberIn = (pattern: RegExp, { pathname }: URL) => Number(pattern.exec(pathname)?.[1] ?? Number.NaN)

const itunes = (pattern: RegExp) => (url: URL) => {
  const id = numberIn(pattern, url)
  const country = /^\/([a-z]{2})\//.exec(url.pathname)?.[1]
  return Number.isSafeInteger(id) ? { itunes: id, country } : null
}
const podindex = (pattern: RegExp) => (url: URL) => {
  const id = numberIn(pattern, url)
  return Number.isSafeInteger(id) ? { podindex: id } : null
}
const feedIn = (text: string | null | undefined) => (text ? { feed: text } : null)
const fromBase64 = (text: string | null | undefined) =>
  feedIn(text && Buffer.from(text, 'base64url').toString('utf8').trim())

const isVideo = ({ hostname, pathname }: URL) => hostname === 'youtu.be' || /^\/(watch|shorts|live)\b/.test(pathname)

/** Services whose links people paste. A link that none of them knows is the address of a feed or of a web page. */
const services: readonly Service[] = [
  {
    name: 'Apple Podcasts',
    hosts: /^(?:embed\.)?(?:podcasts|itunes)\.apple\.com$/,
    id: itunes(/\/id(\d+)/),
    why: 'not-found',
  },
  {
    name: 'Pocket Casts',
    hosts: /^(?:pca\.st|(?:[a-z]+\.)?pocketcasts\.com)$/,
    id: itunes(/^\/itunes\/(\d+)/),
    why: 'by-name',
  },
  {
    name: 'Overcast',
    hosts: /^(?:www\.)?overcast\.fm$/,
    id: itunes(/^\/itunes(\d+)/),
    why: 'by-name',
    // "Episode — Podcast"
    words: ({ title }) => title?.split(' — ').at(-1) ?? null,
  },
  { name: 'Castro', hosts: /^castro\.fm$/, id: itunes(/^\/itunes\/(\d+)/), why: 'by-name' },
  { name: 'Castbox', hosts: /^(?:www\.)?castbox\.fm$/, id: itunes(/^\/vic\/(\d+)/), why: 'by-name' },
  { name: 'pod.link', hosts: /^(?:www\.)?pod\.link$/, id: itunes(/^\/(\d+)/), why: 'by-name' },
  { name: 'Goodpods', hosts: /^(?:www\.)?goodpods\.com$/, id: itunes(/^\/podcasts-aid\/(\d+)/), why: 'by-name' },
  { name: 'Podcast Index', hosts: /^(?:www\.)?podcastindex\.org$/, id: podindex(/^\/podcast\/(\d+)/), why: 'by-name' },
  { name: 'CurioCaster', hosts: /^(?:www\.)?curiocaster\.com$/, id: podindex(/^\/podcast\/pi(\d+)/), why: 'by-name' },
  { name: 'Fountain', hosts: /^(?:www\.)?fountain\.fm$/, id: podindex(/^\/show\/(\d+)$/), why: 'by-name' },
  {
    name: 'Podcast Addict',
    hosts: /^(?:www\.)?podcastaddict\.com$/,
    id: ({ pathname }) => feedIn(/^\/feed\/(.+)/.exec(decoded(pathname))?.[1]),
    why: 'by-name',
  },
  {
    name: 'Google Podcasts',
    hosts: /^podcasts\.google\.com$/,
    id: ({ pathname, searchParams }) => fromBase64(searchParams.get('feed') ?? /^\/feed\/([\w-]+)/.exec(pathname)?.[1]),
    why: 'not-found',
  },
  {
    name: 'AntennaPod',
    hosts: /^(?:www\.)?antennapod\.org$/,
    id: ({ searchParams }) => feedIn(searchParams.get('url')),
    why: 'not-found',
  },
  {
    name: 'Spotify',
    hosts: /^(?:(?:open|play)\.spotify\.com|spotify\.link)$/,
    why: 'no-feed',
    words: ({ title, description }, { pathname }) =>
      pathname.includes('/episode/')
        ? (/^Listen to this episode from (.+?) on Spotify/.exec(description ?? '')?.[1] ??
          /^(.+?) · Episode/.exec(description ?? '')?.[1] ??
          null)
        : title,
  },
  {
    name: 'YouTube',
    hosts: /^(?:(?:www\.|m\.|music\.)?youtube\.com|youtu\.be)$/,
    why: 'no-audio',
    words: ({ title, author }, url) => (isVideo(url) ? author : title),
    feeds: /^\/feeds\//,
  },
  { name: 'Amazon Music', hosts: /^music\.amazon\.[a-z.]+$/, why: 'no-feed' },
  { name: 'Deezer', hosts: /^(?:www\.)?deezer\.com$/, why: 'no-feed' },
]

type Needs = {
  outbound: Outbound
  directories: Pick<ReturnType<typeof createDirectories>, 'itunesPodcast' | 'podindexFeed'>
  hasPodindex: boolean
  addresses?: DirectoryAddresses
}

type FindLink = (address: string, signal?: AbortSignal) => Promise<Link | null>

/**
 * Returns a function that finds what is behind a link to another service; null for the address of anything else. It
 * throws the `Problem` of a directory that does not answer.
 */
export const createFindLink =
  (needs: Needs): FindLink =>
  async (address, signal) => {
    const url = new URL(address)
    const service = services.find(({ hosts }) => hosts.test(url.hostname))
    if (!service || service.feeds?.test(url.pathname)) return null
    const elsewhere = (why: ElsewhereLink['why'], words: string | null): Link => ({
      kind: 'elsewhere',
      service: service.name,
      why,
      words,
    })
    const id = service.id?.(url) ?? null
    if (id === null) return elsewhere(service.why, await wordsAt(needs, service, url, signal))
    if ('feed' in id) return URL.canParse(id.feed) ? { feedUrl: id.feed } : elsewhere('not-found', null)
    if ('itunes' in id) {
      const found = await needs.directories.itunesPodcast(id.itunes, id.country)
      return found?.feedUrl ? { feedUrl: found.feedUrl } : elsewhere('not-found', found?.trackName ?? nameIn(url))
    }
    if (!needs.hasPodindex) return elsewhere('needs-key', await wordsAt(needs, service, url, signal))
    const feedUrl = await needs.directories.podindexFeed(id.podindex)
    return feedUrl ? { feedUrl } : elsewhere('not-found', nameIn(url))
  }

const MAX_BYTES = 4 * 1024 * 1024

/** The name of the podcast on the page of a service, else in its address; null = neither has it. */
async function wordsAt({ outbound, addresses }: Needs, service: Service, url: URL, signal?: AbortSignal) {
  const base = addresses?.pages
  const address = base === undefined ? url.href : `${base}/${url.host}${url.pathname}${url.search}`
  try {
    const { body, url: end } = await fetchDocument(outbound, address, {
      reach: { home: base === undefined ? null : new URL(base).hostname },
      headers: { Accept: 'text/html', 'Accept-Language': 'en' },
      timeoutMs: 8 * SECOND,
      maxBytes: MAX_BYTES,
      idleMs: 5 * SECOND,
      totalMs: 10 * SECOND,
      signal,
    })
    const landed = base === undefined ? new URL(end) : new URL(`https://${end.slice(base.length + 1)}`)
    // Elsewhere is a page that asks for consent, or for a sign-in.
    if (!service.hosts.test(landed.hostname)) return nameIn(url)
    const page = wordsInPage(new TextDecoder().decode(body), serviceNames)
    return (service.words ? service.words(page, landed) : page.title) ?? nameIn(landed)
  } catch (error) {
    if (!(error instanceof OutboundError) && !(error instanceof Problem)) throw error
    return nameIn(url)
  }
}

const serviceNames = services.map(({ name }) => name)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The name of the podcast in an address such as `/channel/The-Fog-id123` or `/@TheFog`; null without one. */
function nameIn({ pathname }: URL): string | null {
  if (/\/(?:episodes?|watch|shorts)\b/.test(pathname)) return null
  const names = decoded(pathname)
    .split('/')
    .map(part => part.replace(/-id\d+$/, ''))
    .filter(part => /^@|\p{L}[-_ ]\p{L}/u.test(part) && !/^[\da-f]{8}-[\da-f]{4}-/i.test(part))
  return names.at(-1)?.replace(/^@/, '').replace(/[-_]+/g, ' ').trim().slice(0, MAX_WORDS) || null
}

const MAX_WORDS = 200

/** The names in the head of a web page; null = none. */
type PageWords = { title: string | null; description: string | null; author: string | null }

const MAX_TAGS = 2000
const MAX_TEXT = 300

/** Reads what a page says about itself, without the names of services at the ends of its title. */
function wordsInPage(html: string, services: readonly string[]): PageWords {
  const tags = (html.match(/<(?:meta|link)\b[^<>]{1,2000}>/gi) ?? []).slice(0, MAX_TAGS)
  const valueOf = (name: string) => {
    const wanted = new RegExp(`\\b(?:property|name|itemprop)\\s*=\\s*["']?${name}["'\\s/>]`, 'i')
    const tag = tags.find(text => wanted.test(text))
    const found = tag && /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)
    return cleaned(found ? (found[1] ?? found[2]) : undefined)
  }
  const title = valueOf('og:title') ?? cleaned(/<title\b[^<>]*>([^<]{1,2000})/i.exec(html)?.[1])
  return {
    title: title && withoutServices(title, services),
    description: valueOf('og:description') ?? valueOf('description'),
    author: cleaned(/<link\s+itemprop=["']name["']\s+content=["']([^"'<>]{1,300})/i.exec(html)?.[1]),
  }
}

const cleaned = (text: string | undefined) =>
  decodeHTML(text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT) || null

/** Takes "… | Podcast on Spotify" off a title; null if nothing remains. */
function withoutServices(title: string, services: readonly string[]): string | null {
  const names = services.map(name => name.toLowerCase())
  // With the separators between the parts.
  const parts = title.split(/(\s[|·•–—-]\s)/)
  const isNamed = (part = '') => names.some(name => part.toLowerCase().includes(name))
  while (isNamed(parts.at(-1)) && parts.length > 1) parts.splice(-2)
  while (names.includes(parts[0]!.toLowerCase())) parts.splice(0, 2, ...(parts.length > 1 ? [] : ['']))
  return parts.join('').trim() || null
}
