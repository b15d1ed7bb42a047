import { keepSmall } from '../../platform/engine'
import { chooseEnclosure, typeByExtension } from './enclosure'
import { formsAsEnclosures, formsOf } from './forms'
import type { ParsedEnclosure } from './parsed-feed'
import { parseAddress, parseDuration, parseSize } from './values'
import { attribute, children, type XmlNode } from './xml-node'

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

keepSmall(playableOf, enclosuresOf, mediaOf)
