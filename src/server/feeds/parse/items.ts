import { extname } from 'node:path'
import { keepSmall } from '../../platform/engine'
import { formsAsEnclosures, formsOf } from './forms'
import { textOf as visibleText } from './notes-text'
import type { ParsedEnclosure } from './parsed-feed'
import { parseAddress, parseDuration, parseSize, parseText } from './values'
import { attribute, child, children, markupOf, text, textOf, type XmlNode } from './xml-node'

// What the items of RSS and Atom have in common: their files, authors and notes.

const typesByExtension: Record<string, string> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  m4b: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
}

/** Returns the media type of a URL by the extension in its path; null if that says nothing. */
export function typeByExtension(address: string): string | null {
  return typesByExtension[extensionOf(address)] ?? null
}

/** Returns the media type of a file on the disk by its extension; null if that says nothing. */
export const typeOfFile = (path: string): string | null =>
  typesByExtension[extname(path).slice(1).toLowerCase()] ?? null

const extensionOf = (address: string) =>
  /^[a-z]+:\/\/[^/?#]+\/[^?#]*\.([a-z0-9]{1,7})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? ''

/** Extensions of files that cannot be played, and of playlists: a stream (HLS, DASH) is no file that could be kept. */
const unplayable = new Set(
  'jpg jpeg png gif webp avif svg ico bmp tif tiff heic pdf epub mobi doc docx odt rtf txt md htm html xhtml php3 xml json zip gz rar 7z m3u m3u8 mpd pls asx srt vtt torrent'.split(
    ' ',
  ),
)
const lists = /mpegurl|dash\+xml|scpls|x-ms-asf/
/** Sites whose addresses lead to a page with a player, not to a file. */
const pages = /^https?:\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|dailymotion\.com)[:/]/i
/** Types that say nothing about the content. */
const vague = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/force-download',
  'application/x-download',
  'application/download',
  'application/x-force-download',
])
/** Types of audio, with those that are not registered but common. */
const audio = /^(audio($|\/)|application\/(x-)?(ogg|mp3|mpeg3?|mp4a?|m4a|flac|wav)$|mpe?g3?$|mp3$)/
const video = /^video($|\/)/

/**
 * Chooses what to play: audio before video, common formats first, else the feed's order; never pictures or documents.
 */
export function chooseEnclosure<E extends ParsedEnclosure>(candidates: readonly E[]): E | null {
  let best: E | null = null
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const rank = rankOf(candidate)
    if (rank === null || rank >= least) continue
    best = candidate
    least = rank
  }
  return best
}

function rankOf({ url, type }: ParsedEnclosure): number | null {
  const said = type?.toLowerCase().split(';')[0]?.trim() ?? ''
  const extension = extensionOf(url)
  if (lists.test(said) || extension === 'm3u8' || extension === 'mpd' || pages.test(url)) return null
  const isMedia = audio.test(said) || video.test(said)
  if (!isMedia && unplayable.has(extension)) return null
  const effective = isMedia ? said : (typesByExtension[extension] ?? said)
  if (/^audio\/(x-)?(mpeg|mp3|mp4|m4a|x-m4a|aac|mp4a-latm)/.test(effective)) return 0
  if (audio.test(effective)) return 1
  if (video.test(effective)) return 2
  return effective === '' || vague.has(effective) ? 3 : null
}

/**
 * The file to play of an item of RSS or Atom: an enclosure or media element, else an alternate form
 * (`podcast:alternateEnclosure`), else null.
 */
export const playableOf = (item: XmlNode, base: string): ParsedEnclosure | null =>
  chooseEnclosure([...enclosuresOf(item, base), ...mediaOf(item, base)]) ??
  chooseEnclosure(formsAsEnclosures(formsOf(item, base).forms ?? []))

/** Enclosures as RSS 2.0, RSS 1.0 (https://web.resource.org/rss/1.0/modules/enclosure/) and Atom write them. */
function enclosuresOf(item: XmlNode, base: string): ParsedEnclosure[] {
  const found: ParsedEnclosure[] = []
  const add = (node: XmlNode, address: string | null) => {
    const url = parseAddress(address, base)
    if (!url) return
    const type = first(node, 'type', 'enc:type')?.toLowerCase() ?? null
    found.push({ url, type, size: parseSize(first(node, 'length', 'enc:length')) })
  }
  for (const node of children(item, 'enclosure', 'enc:enclosure'))
    add(node, first(node, 'url', 'enc:url', 'rdf:resource', 'resource', 'href'))
  for (const link of children(item, 'link', 'atom:link'))
    if (attribute(link, 'rel')?.toLowerCase() === 'enclosure') add(link, attribute(link, 'href'))
  return found
}

/** Media RSS, https://www.rssboard.org/media-rss: an element may be a page or a picture as well as sound. */
function mediaOf(item: XmlNode, base: string): ParsedEnclosure[] {
  return contentsOf(item).flatMap(node => {
    const url = parseAddress(attribute(node, 'url'), base)
    const medium = attribute(node, 'medium')?.toLowerCase() ?? null
    const type = attribute(node, 'type')?.toLowerCase() ?? (medium && `${medium}/*`)
    if (!url || (medium && medium !== 'audio' && medium !== 'video') || !(type ?? typeByExtension(url))) return []
    return [{ url, type, size: parseSize(attribute(node, 'filesize')) }]
  })
}

function contentsOf(item: XmlNode): readonly XmlNode[] {
  const groups = children(item, 'media:group')
  const own = children(item, 'media:content')
  return groups.length === 0 ? own : [...own, ...groups.flatMap(node => children(node, 'media:content'))]
}

/** The seconds of the item's media elements, 0 = unknown. */
export function mediaDuration(item: XmlNode): number {
  for (const node of contentsOf(item)) {
    const seconds = parseDuration(attribute(node, 'duration'))
    if (seconds > 0) return seconds
  }
  return 0
}

function first(node: XmlNode, ...names: string[]): string | null {
  for (const name of names) {
    const value = attribute(node, name)
    if (value !== null) return value
  }
  return null
}

keepSmall(playableOf, enclosuresOf, mediaOf, contentsOf)

const MAX_LENGTH = 500

/**
 * The author of an item where it is not that of the feed. `itunes:author` settles it: the `dc:creator` of a blog is
 * the one who pressed the button.
 */
export function itemAuthor(item: XmlNode, ofFeed: string | null): { author?: string } {
  const said = text(item, 'itunes:author', 'googleplay:author')
  return otherAuthor(said ?? text(child(item, 'atom:author') ?? {}, 'name', 'atom:name') ?? plainAuthor(item), ofFeed)
}

/** The author unless it is that of the feed, or an address instead of a name. */
export function otherAuthor(said: string | null, ofFeed: string | null): { author?: string } {
  const name = nameIn(parseText(said))
  return name === null || isSame(name, ofFeed) ? {} : { author: name.slice(0, MAX_LENGTH) }
}

/** The author in elements that are not about podcasts. */
function plainAuthor(item: XmlNode): string | null {
  const author = child(item, 'author')
  return text(author ?? {}, 'name') ?? textOf(author) ?? text(item, 'dc:creator') ?? creditedAuthor(item)
}

/** The author among the people of Media RSS. */
function creditedAuthor(item: XmlNode): string | null {
  const credit = children(item, 'media:credit').find(one => attribute(one, 'role')?.toLowerCase() === 'author')
  return textOf(credit)
}

/** RSS has the address of a mailbox, with the name behind it in brackets: `mara@example.com (Mara Field)`. */
function nameIn(said: string | null): string | null {
  if (!said?.includes('@')) return said
  if (isMailbox(said)) return null
  const open = said.endsWith(')') ? said.indexOf('(') : said.endsWith('>') ? said.lastIndexOf('<') : -1
  if (open === -1) return said
  const [before, inside] = [said.slice(0, open).trim(), said.slice(open + 1, -1).trim()]
  if (isMailbox(before)) return inside || null
  return isMailbox(inside) ? before || null : said
}

const isMailbox = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)

const isSame = (one: string, other: string | null) => other !== null && folded(one) === folded(nameIn(other) ?? other)

const folded = (name: string) => name.normalize('NFKC').toLowerCase()

keepSmall(itemAuthor, otherAuthor, plainAuthor)

// A text is fuller if it has this many characters more, and either half as many again as the other, or the other as its
// beginning and a tenth more.
const MORE = 20
const MUCH_MORE = 0.5
const A_LITTLE = 0.1

/**
 * The fullest text of these elements, which are listed from the richest kind to the poorest; `richest` precedes them.
 * The richer kind wins unless a later one is clearly fuller: some feeds put a teaser into `description` and the notes
 * into `itunes:summary`.
 */
export function fullestMarkup(item: XmlNode, names: readonly string[], richest = ''): string {
  let fullest = richest
  /** The element that it was read from, the approximate number of characters that it shows, and the characters. */
  let source: string | null = null
  let length: number | null = null
  let shown: string | null = null
  for (const one of children(item, ...names)) {
    const raw = textOf(one)
    if (raw === null || raw === source) continue
    if (fullest === '') {
      fullest = markupOf(raw)
      source = raw
      continue
    }
    length ??= lengthShown(fullest)
    // Most feeds repeat their notes without the tags. That can be seen before the text is decoded.
    if (raw.length <= length) continue
    const html = markupOf(raw)
    if (lengthShown(html) <= length) continue
    // Done once per text: an item may have ten thousand of them.
    shown ??= visibleText(fullest)
    const text = visibleText(html)
    if (!isFuller(text, shown)) continue
    fullest = html
    source = raw
    length = null
    shown = text
  }
  return fullest
}

function isFuller(text: string, shorter: string): boolean {
  const beginning = shorter.replace(/\[?(?:…|\.{3})\]?$/, '')
  if (beginning === '') return true
  const isCut = beginning !== shorter && text.length > shorter.length
  const more = text.length - beginning.length
  if (!isCut && more < MORE) return false
  return (
    more > beginning.length * MUCH_MORE || ((isCut || more > beginning.length * A_LITTLE) && text.startsWith(beginning))
  )
}

/** The approximate number of characters outside of tags: entities and spaces are counted as they are written. */
function lengthShown(html: string): number {
  let length = 0
  for (let at = 0; at < html.length;) {
    const tag = html.indexOf('<', at)
    length += (tag === -1 ? html.length : tag) - at
    const end = tag === -1 ? -1 : html.indexOf('>', tag)
    if (end === -1) break
    at = end + 1
  }
  return length
}
