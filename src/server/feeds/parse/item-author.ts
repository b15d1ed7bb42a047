import { keepSmall } from '../../platform/engine'
import { parseText } from './values'
import { attribute, child, children, text, textOf, type XmlNode } from './xml-node'

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

keepSmall(itemAuthor, otherAuthor)
