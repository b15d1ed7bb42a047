import { keepSmall } from '../../platform/engine'
import { parseDate, readBothWays } from './dates'
import { typeByExtension } from './items'
import { mediaDuration, playableOf } from './items'
import { itemAuthor } from './items'
import { fullestMarkup } from './items'
import { itunesChannel, itunesItem } from './itunes'
import type { FormatReader, ParsedEnclosure, ParsedItem } from './parsed-feed'
import { pictureOf, plainPicture } from './pictures'
import { podcastIndexChannel, podcastIndexItem } from './podcast-index'
import { parseAddress, parseText, parseTitle, parseWhole } from './values'
import { attribute, child, children, markup, text, textOf, type XmlNode } from './xml-node'

/** Reads RSS 0.9x, 1.0 (RDF) and 2.0. In RSS 1.0, and in some feeds of 2.0, the items are next to the channel. */
export function readRss(root: XmlNode, address: string): FormatReader<XmlNode> {
  const channel = child(root, 'channel') ?? root
  const base = parseAddress(attribute(root, 'xml:base') ?? attribute(channel, 'xml:base'), address) ?? address
  const itunes = itunesChannel(channel, base)
  const index = podcastIndexChannel(channel, base)
  const categories = [...itunes.categories, ...children(channel, 'category').map(node => parseText(textOf(node)))]
  const keywords = text(channel, 'itunes:keywords')?.split(',').map(parseText) ?? []

  const feed = {
    title: parseTitle(text(channel, 'title', 'itunes:title', 'dc:title')) ?? '',
    link: linkOf(channel, base),
    summary: markup(channel, 'description', 'itunes:summary', 'content:encoded', 'itunes:subtitle') || null,
    author: itunes.author ?? parseText(text(channel, 'dc:creator', 'managingeditor', 'author', 'webmaster')),
    language: parseText(text(channel, 'language', 'dc:language'))?.toLowerCase() ?? null,
    keywords: [...new Set([...categories, ...keywords].filter(Boolean))].join(',') || null,
    explicit: itunes.explicit,
    serial: itunes.serial,
    imageUrl: itunes.imageUrl ?? channelImage(root, channel, base) ?? index.imageUrl,
    guid: index.guid,
    medium: index.medium,
    builtAt: parseDate(text(channel, 'lastbuilddate', 'pubdate', 'dc:date')),
    newFeedUrl: itunes.newFeedUrl ?? parseAddress(text(child(channel, 'redirect') ?? {}, 'newlocation'), base),
    ttlMinutes: parseWhole(text(channel, 'ttl')),
    complete: itunes.complete || index.complete,
    nextPage: atomLink(channel, 'next', base) ?? atomLink(channel, 'prev-archive', base),
    extras: { ...index.extras, ...itunes.extras },
  }
  const order = createDateOrder(feed.language)
  return {
    feed,
    readItem(item) {
      const { text, at } = dateOf(item)
      order.note(text)
      return parseItem(item, base, at, feed.author)
    },
    context: `${base}\n${feed.author}`,
    dependsOnOthers: order.isNumeric,
    settle: order.settle,
  }
}

function parseItem(item: XmlNode, feedBase: string, announcedAt: number | null, author: string | null): ParsedItem {
  const base = parseAddress(attribute(item, 'xml:base'), feedBase) ?? feedBase
  const itunes = itunesItem(item, base)
  const index = podcastIndexItem(item, base)
  const guid = child(item, 'guid')
  const guidText = textOf(guid) ?? attribute(item, 'rdf:about') ?? text(item, 'id', 'atom:id')
  const link = linkOf(item, base) ?? permalinkOf(guid, base)

  return {
    guid: guidText ? parseText(guidText) : null,
    title: parseTitle(text(item, 'title', 'itunes:title', 'media:title', 'dc:title')) ?? '',
    notes: fullest(item),
    link,
    enclosure: playableOf(item, base) ?? linkedMedia(link),
    imageUrl: itunes.imageUrl ?? pictureOf(item, base),
    announcedAt,
    duration: itunes.duration || mediaDuration(item),
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
    ...itemAuthor(item, author),
  }
}

keepSmall(parseItem, linkOf, atomLink, permalinkOf)

const dates = ['pubdate', 'dc:date', 'dc:issued', 'atom:published', 'published', 'atom:updated', 'updated', 'date']

/** The first of the dates that can be read, as it is written and as an instant. */
function dateOf(item: XmlNode): { text: string | null; at: number | null } {
  for (const name of dates) {
    const written = text(item, name)
    const at = parseDate(written)
    if (at !== null) return { text: written, at }
  }
  return { text: null, at: null }
}

/**
 * The guid as the address of the episode's page, unless `isPermaLink` denies it; a relative one only if it is declared.
 */
function permalinkOf(guid: XmlNode | undefined, base: string): string | null {
  const said = attribute(guid, 'ispermalink')?.toLowerCase()
  const isAbsolute = /^https?:/i.test(textOf(guid) ?? '')
  return said === 'true' || (isAbsolute && said !== 'false') ? parseAddress(textOf(guid), base) : null
}

const fullest = (item: XmlNode) =>
  fullestMarkup(item, [
    'content:encoded',
    'description',
    'itunes:summary',
    'summary',
    'media:description',
    'itunes:subtitle',
  ])

/** The link itself if it names a media file, as in home-made feeds. */
const linkedMedia = (link: string | null): ParsedEnclosure | null =>
  link && typeByExtension(link) ? { url: link, type: null, size: null } : null

/** The `link`, written as text or as Atom writes it. */
function linkOf(node: XmlNode, base: string): string | null {
  for (const link of children(node, 'link')) {
    const address = parseAddress(textOf(link), base)
    if (address) return address
  }
  return atomLink(node, 'alternate', base)
}

function atomLink(node: XmlNode, rel: string, base: string): string | null {
  const link = children(node, 'atom:link', 'link').find(
    candidate => (attribute(candidate, 'rel') ?? (attribute(candidate, 'href') ? 'alternate' : '')) === rel,
  )
  return parseAddress(attribute(link, 'href'), base)
}

function channelImage(root: XmlNode, channel: XmlNode, base: string): string | null {
  const picture = plainPicture(channel, base) ?? (channel === root ? null : plainPicture(root, base))
  if (picture) return picture
  return parseAddress(attribute(child(channel, 'media:thumbnail'), 'url'), base)
}

type Unsure = { place: number; dayFirst: number; monthFirst: number; hasHalf: boolean; isSlashed: boolean }

/** Weekdays from Sunday on, by their first three letters in the languages that write dates in this form. */
const weekdays = [
  'sun son dim dom',
  'mon lun seg',
  'tue die mar ter',
  'wed mit mer mie mié qua',
  'thu don jeu jue gio qui',
  'fri fre ven vie sex',
  'sat sam sab sáb',
]

/**
 * Decides whether `05/11/2026` is the fifth of November or the eleventh of May, for all items of a feed in the same
 * way: by a number above 12 or a weekday in any of its dates; failing these, the month comes first before AM and PM,
 * and between slashes in a feed in American English.
 */
function createDateOrder(language: string | null) {
  const isAmerican = /^en[-_]us\b/.test(language ?? '')
  const unsure: Unsure[] = []
  let count = 0
  let isNumeric = false
  /** Dates that can only be read with the day first, less those with the month first. */
  let evidence = 0

  return {
    /** Notes the date of the next item as its feed writes it. */
    note(raw: string | null) {
      const place = count++
      const found = raw === null ? null : readBothWays(raw)
      isNumeric = found !== null
      if (!found) return
      const { dayFirst, monthFirst, hasHalf, isSlashed } = found
      const days = weekdaysIn(raw!)
      const [isByDay, isByMonth] = [dayFirst, monthFirst].map(
        at => at !== null && (days.length === 0 || days.includes(new Date(at.day).getUTCDay())),
      )
      if (isByDay !== isByMonth) evidence += isByDay ? 1 : -1
      if (dayFirst && monthFirst)
        unsure.push({ place, dayFirst: dayFirst.at, monthFirst: monthFirst.at, hasHalf, isSlashed })
    },
    /** Whether the last date was in numbers whose order others decide. */
    isNumeric: () => isNumeric,
    /** Gives the items the dates that their feed means. */
    settle(items: readonly ParsedItem[]) {
      for (const { place, dayFirst, monthFirst, hasHalf, isSlashed } of unsure) {
        const item = items[place]
        const isMonthFirst = evidence < 0 || (evidence === 0 && (hasHalf || (isSlashed && isAmerican)))
        if (item) item.announcedAt = isMonthFirst ? monthFirst : dayFirst
      }
    },
  }
}

/** The days that the word before the digits may mean; none for a word that is not a weekday. */
function weekdaysIn(raw: string): number[] {
  const word = /^\p{L}{3}/u.exec(raw.trim())?.[0].toLowerCase()
  return word === undefined ? [] : weekdays.flatMap((names, day) => (names.split(' ').includes(word) ? [day] : []))
}
