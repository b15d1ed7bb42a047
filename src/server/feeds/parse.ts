import { parseAtom } from './atom'
import { isJsonFeed, parseJsonFeed } from './json-feed'
import { NotAFeed, type ParsedFeed } from './parsed-feed'
import { parseRss } from './rss'
import { parseAddress } from './values'
import { parseXml, type XmlDocument } from './xml'

/** Text of any format to a feed. Throws `NotAFeed`, with a word for what it is instead. Pure. */
export function parseFeed(text: string, address: string): { feed: ParsedFeed; warnings: string[] } {
  if (text === '') throw new NotAFeed('empty')
  if (text.startsWith('{') || text.startsWith('[')) return { feed: parseJson(text, address), warnings: [] }
  if (looksLikePage(text)) throw new NotAFeed(kindOfPage(text), alternatesOf(text, address))
  const document = text.startsWith('<') ? parseXml(text) : null
  if (!document) throw new NotAFeed(kindOfBinary(text))
  return { feed: parseDocument(document, address), warnings: document.warnings }
}

function parseDocument({ root, rootName }: XmlDocument, address: string): ParsedFeed {
  const name = rootName.slice(rootName.indexOf(':') + 1)
  if (name === 'rss' || name === 'rdf' || name === 'channel') return parseRss(root, address)
  if (name === 'feed') return parseAtom(root, address)
  throw new NotAFeed(name === 'opml' ? 'opml' : 'xml')
}

function parseJson(text: string, address: string): ParsedFeed {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new NotAFeed('json')
  }
  if (!isJsonFeed(json)) throw new NotAFeed('json')
  return parseJsonFeed(json, address)
}

const looksLikePage = (text: string) =>
  /^\s*(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i.test(
    text
      .slice(0, 8192)
      .replace(/^<\?xml[^>]*>/, '')
      .replace(/<!--[\s\S]*?(-->|$)/g, ''),
  )

function kindOfPage(text: string): string {
  const head = text.slice(0, 100_000)
  if (/cf-mitigated|challenge-platform|just a moment|captcha/i.test(head)) return 'challenge'
  return /<input[^<>]+type=["']?password/i.test(head) ? 'login' : 'html'
}

function kindOfBinary(text: string): string {
  if (text.startsWith('%PDF')) return 'pdf'
  if (/^(ID3|OggS|fLaC|RIFF)/.test(text) || text.slice(4, 8) === 'ftyp') return 'media'
  return 'text'
}

/** Feeds that a web page names, for an error that says what to try. */
function alternatesOf(html: string, address: string): string[] {
  const links = html.slice(0, 500_000).match(/<link\b[^<>]*>/gi) ?? []
  return links
    .filter(link => /rel=["']?alternate/i.test(link) && /application\/(rss|atom|feed)\+?(xml|json)/i.test(link))
    .flatMap(link => parseAddress(/href=["']?([^"'\s>]+)/i.exec(link)?.[1], address) ?? [])
    .slice(0, 10)
}
