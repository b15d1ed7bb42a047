import { chooseEnclosure, typeByExtension } from './enclosure'
import type { ParsedEnclosure } from './parsed-feed'
import { alternateEnclosures } from './podcast-index'
import { parseAddress, parseSize } from './values'
import { attribute, children, type XmlNode } from './xml-node'

/**
 * What there is to play of an item of RSS or Atom: its enclosures and media, else another form of the same
 * (`podcast:alternateEnclosure`), else nothing.
 */
export const playableOf = (item: XmlNode, base: string): ParsedEnclosure | null =>
  chooseEnclosure([...enclosuresOf(item, base), ...mediaOf(item, base)]) ??
  chooseEnclosure(alternateEnclosures(item, base))

/** As RSS 2.0, RSS 1.0 (https://web.resource.org/rss/1.0/modules/enclosure/) and Atom write them. */
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

/** Media RSS, https://www.rssboard.org/media-rss: a page or a picture may stand there as well as a sound. */
function mediaOf(item: XmlNode, base: string): ParsedEnclosure[] {
  return [item, ...children(item, 'media:group')]
    .flatMap(node => children(node, 'media:content'))
    .flatMap(node => {
      const url = parseAddress(attribute(node, 'url'), base)
      const medium = attribute(node, 'medium')?.toLowerCase() ?? null
      const type = attribute(node, 'type')?.toLowerCase() ?? (medium && `${medium}/*`)
      if (!url || (medium && medium !== 'audio' && medium !== 'video') || !(type ?? typeByExtension(url))) return []
      return [{ url, type, size: parseSize(attribute(node, 'filesize')) }]
    })
}

function first(node: XmlNode, ...names: string[]): string | null {
  for (const name of names) {
    const value = attribute(node, name)
    if (value !== null) return value
  }
  return null
}
