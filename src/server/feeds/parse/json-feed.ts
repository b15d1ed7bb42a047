import { escapeText } from 'entities/escape'
import { parseDate } from './dates'
import { chooseEnclosure } from './items'
import { otherAuthor } from './items'
import type { FormatReader, ParsedItem } from './parsed-feed'
import { parseAddress, parseText, parseTitle } from './values'

type Json = Record<string, unknown>

// https://www.jsonfeed.org/version/1.1/ ; every field may be missing or of the wrong type.
const string = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
/** A number, or NaN: converting any other value could overflow on deeply nested lists. */
const number = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
const list = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((one): one is Json => typeof one === 'object' && one !== null) : []

export const isJsonFeed = (json: unknown): json is Json =>
  typeof json === 'object' &&
  json !== null &&
  /jsonfeed\.org\/version|^1(\.\d)?$/.test(string((json as Json).version) ?? '') &&
  Array.isArray((json as Json).items)

export function readJsonFeed(head: Json, base: string): FormatReader<Json> {
  const feed = {
    title: parseTitle(string(head.title)) ?? '',
    link: parseAddress(string(head.home_page_url), base),
    summary: string(head.description),
    author: authorOf(head),
    language: string(head.language)?.toLowerCase() ?? null,
    keywords: null,
    explicit: false,
    serial: false,
    imageUrl: parseAddress(string(head.icon), base) ?? parseAddress(string(head.favicon), base),
    guid: null,
    medium: null,
    builtAt: null,
    newFeedUrl: null,
    ttlMinutes: null,
    complete: head.expired === true,
    nextPage: parseAddress(string(head.next_url), base),
    extras: { funding: [], persons: [], podroll: [] },
  }
  const context = `${base}\n${feed.author}`
  return {
    feed,
    context,
    readItem: item => ({ ...parseItem(item, base), ...otherAuthor(authorOf(item), feed.author) }),
  }
}

/** The first author, of a feed or an item. */
const authorOf = ({ authors, author }: Json) => {
  const [first = list([author])[0]] = list(authors)
  return first ? parseText(string(first.name)) : null
}

function parseItem(item: Json, base: string): ParsedItem {
  const attachments = list(item.attachments).flatMap(attachment => {
    const url = parseAddress(string(attachment.url), base)
    const size = number(attachment.size_in_bytes)
    const seconds = number(attachment.duration_in_seconds)
    return url
      ? [
          {
            url,
            type: string(attachment.mime_type)?.toLowerCase() ?? null,
            size: size > 0 && size <= Number.MAX_SAFE_INTEGER ? Math.floor(size) : null,
            seconds,
          },
        ]
      : []
  })
  const chosen = chooseEnclosure(attachments)
  const seconds = attachments.find(attachment => attachment.url === chosen?.url)?.seconds ?? 0
  return {
    guid: parseText(string(item.id)),
    title: parseTitle(string(item.title)) ?? '',
    notes: string(item.content_html) ?? escapeText(string(item.content_text) ?? string(item.summary) ?? ''),
    link: parseAddress(string(item.url) ?? string(item.external_url), base),
    enclosure: chosen && { url: chosen.url, type: chosen.type, size: chosen.size },
    imageUrl: parseAddress(string(item.image) ?? string(item.banner_image), base),
    announcedAt: parseDate(string(item.date_published) ?? string(item.date_modified)),
    duration: seconds > 0 && seconds < 10_000_000 ? Math.floor(seconds) : 0,
    season: null,
    number: null,
    type: 'full',
    explicit: null,
    chaptersUrl: null,
    transcripts: [],
    persons: [],
    soundbites: [],
    location: null,
  }
}
