import { keepSmall } from '../../platform/engine'
import { attribute, child, children, text, textOf, type XmlNode } from './xml-node'
import { parseAddress, parseDuration, parseExplicit, parseNumber, parseSeason, parseText } from './values'

/** The address of the cover: in `href` as Apple defines it, in `url`, or as text. */
function itunesImage(node: XmlNode, base: string): string | null {
  const image = child(node, 'itunes:image') ?? child(node, 'googleplay:image')
  return parseAddress(attribute(image, 'href') ?? attribute(image, 'url') ?? textOf(image), base)
}

const ratings = ['itunes:explicit', 'googleplay:explicit', 'media:rating', 'media:adult'] as const

export function itunesChannel(channel: XmlNode, base: string) {
  const owner = child(channel, 'itunes:owner')
  return {
    author: parseText(text(channel, 'itunes:author')) ?? (owner ? parseText(text(owner, 'itunes:name')) : null),
    explicit: parseExplicit(text(channel, ...ratings)) ?? false,
    serial: text(channel, 'itunes:type')?.toLowerCase() === 'serial',
    imageUrl: itunesImage(channel, base),
    newFeedUrl: parseAddress(text(channel, 'itunes:new-feed-url'), base),
    categories: categoriesOf(channel),
    extras: { categories: categoryTree(channel), ...(owner && { owner: ownerOf(owner) }) },
    complete: text(channel, 'itunes:complete')?.toLowerCase() === 'yes',
  }
}

const ownerOf = (owner: XmlNode) => ({
  name: parseText(text(owner, 'itunes:name')),
  email: parseText(text(owner, 'itunes:email')),
})

const nameOf = (category: XmlNode) => parseText(attribute(category, 'text') ?? textOf(category))

/** Categories, each followed by its subcategories: `['Arts', 'Books']`. */
const categoryTree = (channel: XmlNode): string[][] =>
  children(channel, 'itunes:category').flatMap(category => {
    const name = nameOf(category)
    return name ? [[name, ...children(category, 'itunes:category').flatMap(below => nameOf(below) ?? [])]] : []
  })

function categoriesOf(node: XmlNode): string[] {
  return children(node, 'itunes:category').flatMap(category => {
    const name = nameOf(category)
    return [...(name ? [name] : []), ...categoriesOf(category)]
  })
}

const episodeTypes = { full: 'full', trailer: 'trailer', bonus: 'bonus' } as const

export function itunesItem(item: XmlNode, base: string) {
  const type = text(item, 'itunes:episodetype')?.toLowerCase() as keyof typeof episodeTypes | undefined
  return {
    duration: parseDuration(text(item, 'itunes:duration')),
    season: parseSeason(text(item, 'itunes:season')),
    number: parseNumber(text(item, 'itunes:episode')),
    type: (type && episodeTypes[type]) || ('full' as const),
    explicit: parseExplicit(text(item, ...ratings)),
    imageUrl: itunesImage(item, base),
  }
}

keepSmall(itunesItem, itunesImage)
