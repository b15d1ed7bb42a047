import { keepSmall } from '../../platform/engine'
import { parseDate } from './dates'
import { mediaDuration, playableOf } from './items'
import { itemAuthor } from './items'
import { fullestMarkup } from './items'
import { itunesChannel, itunesItem } from './itunes'
import type { FormatReader, ParsedItem } from './parsed-feed'
import { pictureOf } from './pictures'
import { podcastIndexChannel, podcastIndexItem } from './podcast-index'
import { parseAddress, parseText, parseTitle } from './values'
import { attribute, children, markup, text, textOf, type XmlNode } from './xml-node'

/** Reads Atom 1.0 (RFC 4287) and 0.3, with or without a prefix. */
export function readAtom(root: XmlNode, address: string): FormatReader<XmlNode> {
  const base = parseAddress(attribute(root, 'xml:base'), address) ?? address
  const itunes = itunesChannel(root, base)
  const index = podcastIndexChannel(root, base)
  const author = children(root, 'author', 'atom:author')[0]
  const categories = [
    ...itunes.categories,
    ...children(root, 'category', 'atom:category').map(node => parseText(attribute(node, 'term'))),
  ]
  const feed = {
    title: parseTitle(text(root, 'title', 'atom:title')) ?? '',
    link: link(root, 'alternate', base),
    summary: markup(root, 'subtitle', 'atom:subtitle', 'tagline', 'itunes:summary') || null,
    author: (author && parseText(text(author, 'name', 'atom:name'))) ?? itunes.author,
    language: attribute(root, 'xml:lang')?.toLowerCase() ?? null,
    keywords: [...new Set(categories.filter(Boolean))].join(',') || null,
    explicit: itunes.explicit,
    serial: itunes.serial,
    imageUrl:
      itunes.imageUrl ?? parseAddress(text(root, 'logo', 'atom:logo', 'icon', 'atom:icon'), base) ?? index.imageUrl,
    guid: index.guid,
    medium: index.medium,
    builtAt: parseDate(text(root, 'updated', 'atom:updated', 'modified')),
    newFeedUrl: itunes.newFeedUrl,
    ttlMinutes: null,
    complete: itunes.complete || index.complete,
    nextPage: link(root, 'next', base) ?? link(root, 'prev-archive', base),
    extras: index.extras,
  }
  const context = `${base}\n${feed.author}`
  return { feed, context, readItem: entry => ({ ...parseEntry(entry, base), ...itemAuthor(entry, feed.author) }) }
}

keepSmall(parseEntry)
function parseEntry(entry: XmlNode, feedBase: string): ParsedItem {
  const base = parseAddress(attribute(entry, 'xml:base'), feedBase) ?? feedBase
  const itunes = itunesItem(entry, base)
  const index = podcastIndexItem(entry, base)
  return {
    guid: parseText(text(entry, 'id', 'atom:id')),
    title: parseTitle(text(entry, 'title', 'atom:title')) ?? '',
    notes: fullestMarkup(
      entry,
      ['content:encoded', 'summary', 'atom:summary', 'description', 'itunes:summary'],
      contentOf(entry),
    ),
    link: link(entry, 'alternate', base),
    enclosure: playableOf(entry, base),
    imageUrl: itunes.imageUrl ?? pictureOf(entry, base),
    announcedAt: parseDate(
      text(entry, 'published', 'atom:published', 'issued', 'created', 'updated', 'atom:updated', 'modified'),
    ),
    duration: itunes.duration || mediaDuration(entry),
    season: index.season ?? itunes.season,
    number: index.number ?? itunes.number,
    type: itunes.type,
    explicit: itunes.explicit,
    chaptersUrl: index.chaptersUrl,
    transcripts: index.transcripts,
    ...(index.chapters && { chapters: index.chapters }),
    persons: index.persons,
    soundbites: index.soundbites,
    location: index.location,
    value: index.value,
    ...(index.social && { social: index.social }),
    ...(index.tags && { tags: index.tags }),
    ...(index.forms && { forms: index.forms }),
  }
}

/** The content of an entry: `xhtml` is markup as it is, the rest was escaped once. Linked content is not fetched. */
function contentOf(entry: XmlNode): string {
  const content = children(entry, 'content', 'atom:content').find(node => textOf(node) !== null)
  if (!content) return ''
  if (attribute(content, 'type')?.toLowerCase().includes('xhtml')) return textOf(content) ?? ''
  return markup({ content }, 'content')
}

const links = (node: XmlNode, rel: string) =>
  children(node, 'link', 'atom:link').filter(candidate => (attribute(candidate, 'rel') ?? 'alternate') === rel)

function link(node: XmlNode, rel: string, base: string): string | null {
  const found = links(node, rel)
  const page = found.find(candidate => /html/.test(attribute(candidate, 'type') ?? 'html')) ?? found[0]
  return parseAddress(attribute(page, 'href'), base)
}
