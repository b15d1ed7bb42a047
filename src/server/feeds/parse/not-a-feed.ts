import { parseAddress } from './values'

const kinds: Record<string, string> = {
  empty: 'an empty answer',
  html: 'an HTML page',
  login: 'a login page',
  challenge: 'a page that checks for browsers',
  pdf: 'a PDF file',
  media: 'a media file',
  text: 'plain text',
  opml: 'an OPML file',
  xml: 'another kind of XML',
  json: 'another kind of JSON',
}

/** Says what was received instead of a feed, by the type of a `NotAFeed`. */
export const expectedFeed = (type: string) => `Expected a feed, got ${kinds[type] ?? type}`

export const looksLikePage = (text: string) =>
  /^\s*(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i.test(
    text
      .slice(0, 8192)
      .replace(/^<\?xml[^>]*>/, '')
      .replace(/<!--[\s\S]*?(-->|$)/g, ''),
  )

export function kindOfPage(text: string): string {
  const head = text.slice(0, 100_000)
  if (/cf-mitigated|challenge-platform|just a moment|captcha/i.test(head)) return 'challenge'
  return /<input[^<>]+type=["']?password/i.test(head) ? 'login' : 'html'
}

export function kindOfBinary(text: string): string {
  if (text.startsWith('%PDF')) return 'pdf'
  if (/^(ID3|OggS|fLaC|RIFF)/.test(text) || text.slice(4, 8) === 'ftyp') return 'media'
  return 'text'
}

const MAX_ALTERNATES = 10

/** The feeds that a web page names, the likeliest first, those of comments last. */
export function alternatesOf(html: string, address: string): string[] {
  const links = (html.match(/<link\b[^<>]*>/gi) ?? [])
    .slice(0, 1000)
    .map(link => link.slice(0, 5000))
    .filter(link => /\balternate/i.test(link) && /application\/(rss|atom|feed)\+?(xml|json)/i.test(link))
    .flatMap(link => {
      const found = /href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'\s>]+))/i.exec(link)
      const url = parseAddress(found?.[1] ?? found?.[2] ?? found?.[3], address)
      return url ? { url, rank: rankOf(link) } : []
    })
    .sort((one, other) => one.rank - other.rank)
  return [...new Set(links.map(({ url }) => url))].slice(0, MAX_ALTERNATES)
}

/** Names of comment feeds, in the languages of common blog systems. */
const comments = /\b(comments?|kommentare?|comentarios|commentaires|komentarze|kommentarer|reacties|replies)\b/i

const rankOf = (link: string) => (comments.test(link) ? 2 : /podcast/i.test(link) ? 0 : 1)
