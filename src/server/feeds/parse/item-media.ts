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
  const own = children(item, 'enclosure', 'enc:enclosure').map(node => ({
    address: first(node, 'url', 'enc:url', 'rdf:resource', 'resource', 'href'),
    node,
  }))
  const links = children(item, 'link', 'atom:link')
    .filter(link => attribute(link, 'rel')?.toLowerCase() === 'enclosure')
    .map(node => ({ address: attribute(node, 'href'), node }))
  return [...own, ...links].flatMap(({ address, node }) => {
    const url = parseAddress(address, base)
    const type = first(node, 'type', 'enc:type')?.toLowerCase() ?? null
    return url ? [{ url, type, size: parseSize(first(node, 'length', 'enc:length')) }] : []
  })
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

const contentsOf = (item: XmlNode) =>
  [item, ...children(item, 'media:group')].flatMap(node => children(node, 'media:content'))

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
