import { decodeHTMLStrict as decodeHTML } from 'entities'
import { XMLParser } from 'fast-xml-parser'
import { MAX_ITEMS } from './parsed-feed'

/** An element: its children by name (lower case, prefixes made canonical), its attributes under `@name`, its `#text`. */
export type XmlNode = { [name: string]: XmlValue }
type XmlValue = string | XmlNode | (string | XmlNode)[]

export type XmlDocument = { root: XmlNode; rootName: string; warnings: string[] }

// Elements whose content is kept as it stands: it may be markup, escaped or not, balanced or not.
const markupElements = [
  'description',
  'content:encoded',
  'itunes:summary',
  'summary',
  'content',
  'media:description',
  'xhtml:body',
]

const canonicalPrefixes: readonly [RegExp, string][] = [
  [/itunes\.(apple\.)?com\/dtds\/podcast/i, 'itunes'],
  [/podcastindex\.org\/namespace|podcast-namespace/i, 'podcast'],
  [/purl\.org\/rss\/1\.0\/modules\/content/i, 'content'],
  [/purl\.org\/dc\/(elements|terms)/i, 'dc'],
  [/search\.yahoo\.com\/mrss/i, 'media'],
  [/w3\.org\/2005\/atom|purl\.org\/atom\/ns/i, 'atom'],
  [/podlove\.org\/simple-chapters/i, 'psc'],
  [/w3\.org\/1999\/02\/22-rdf-syntax-ns/i, 'rdf'],
  [/google\.com\/schemas\/play-podcasts/i, 'googleplay'],
]
const MAX_TAGS = 2_000_000
const unsafeNames = new Set(['constructor', 'prototype', '__proto__', 'hasownproperty', 'tostring', 'valueof'])

/**
 * Reads what can be read. A document that is cut short or broken somewhere is taken apart at its items:
 * the whole ones are kept, and a warning says that something is missing. Entity definitions are never expanded.
 */
export function parseXml(text: string): XmlDocument | null {
  const source = withinTags(withoutStrayBrackets(withoutDoctype(text)))
  const prolog = source.slice(0, 65_536).replace(/<!--[\s\S]*?(-->|$)|<\?[^>]*(>|$)/g, '')
  const rootName = /<([A-Za-z_][\w:.-]*)/.exec(prolog)?.[1]
  if (!rootName) return null
  const parser = createParser(source)
  // A comment ends where it first can: were it free to end later, many of them could be read in countless ways.
  const comments = String.raw`(<!--((?!-->)[\s\S])*-->\s*)*`
  const isWhole = new RegExp(String.raw`</${escapeRegExp(rootName)}\s*>\s*${comments}$`, 'i').test(source.slice(-4096))
  if (isWhole) {
    const root = tryParse(parser, source, rootName)
    if (root) return { root, rootName: rootName.toLowerCase(), warnings: [] }
  }
  return salvage(parser, source, rootName, isWhole)
}

function createParser(source: string): XMLParser {
  const prefixes = new Map<string, string>()
  for (const [, prefix, uri] of source.matchAll(/xmlns:([\w.-]+)\s*=\s*["']\s*([^"'\s]+)\s*["']/gi)) {
    const canonical = canonicalPrefixes.find(([pattern]) => pattern.test(uri!))?.[1]
    if (canonical) prefixes.set(prefix!.toLowerCase(), canonical)
  }
  const rename = (name: string) => {
    const lower = name.toLowerCase()
    const colon = lower.indexOf(':')
    if (colon === -1) return unsafeNames.has(lower) ? `_${lower}` : lower
    const prefix = lower.slice(0, colon)
    return `${prefixes.get(prefix) ?? prefix}${lower.slice(colon)}`
  }
  return new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    allowBooleanAttributes: true,
    transformTagName: rename,
    transformAttributeName: rename,
    stopNodes: markupElements.map(name => `*.${name}`),
  })
}

function tryParse(parser: XMLParser, source: string, rootName: string): XmlNode | null {
  try {
    const parsed = parser.parse(source) as XmlNode
    const root = Object.entries(parsed).find(([name]) => localName(name) === localName(rootName.toLowerCase()))?.[1]
    const first = Array.isArray(root) ? root[0] : root
    return typeof first === 'object' ? first : null
  } catch {
    return null
  }
}

function salvage(parser: XMLParser, source: string, rootName: string, isWhole: boolean): XmlDocument | null {
  const itemName = localName(rootName.toLowerCase()) === 'feed' ? 'entry' : 'item'
  const { items, start } = itemsOf(source, itemName)
  const head = closeOpenTags(start === -1 ? source : source.slice(0, start))
  const root = tryParse(parser, head, rootName)
  if (!root) return null

  const parsed = items.map(item => {
    const name = /^<([\w:.-]+)/.exec(item)![1]!
    return tryParse(parser, item, name)
  })
  const whole = parsed.filter(item => item !== null)
  const container = child(root, 'channel') ?? root
  container[itemName] = whole
  const broken = parsed.length - whole.length
  return {
    root,
    rootName: rootName.toLowerCase(),
    warnings: [
      ...(isWhole ? [] : ['the document is cut short']),
      ...(broken > 0 ? [`${broken} items could not be read`] : []),
      ...(isWhole && broken === 0 ? ['the document is not well-formed'] : []),
    ],
  }
}

/** The whole items of a document, and where the first one begins (-1 = there is none). In one pass, whatever it holds. */
function itemsOf(source: string, itemName: string): { items: string[]; start: number } {
  const items: string[] = []
  let start = -1
  let open = -1
  for (const tag of source.matchAll(new RegExp(`<(/?)(?:[\\w.-]+:)?${itemName}(?=[\\s>/])[^<>]{0,4096}>`, 'gi'))) {
    if (tag[1] === '') {
      open = tag.index
      if (start === -1) start = open
    } else if (open !== -1) {
      if (items.length === MAX_ITEMS) break
      items.push(source.slice(open, tag.index + tag[0].length))
      open = -1
    }
  }
  return { items, start }
}

/**
 * Ends what was begun, so that the head of a document can be read by itself. An element cut in the middle is dropped. In one
 * pass as well.
 */
function closeOpenTags(head: string): string {
  const open: string[] = []
  const timesOpen = new Map<string, number>()
  const count = (name: string, by: number) => timesOpen.set(name, (timesOpen.get(name) ?? 0) + by)
  let unclosed = ''
  const cut = head.indexOf('<', head.lastIndexOf('>') + 1)
  const whole = cut === -1 ? head : head.slice(0, cut)
  for (const [tag, slash, name] of whole.matchAll(
    /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<(\/?)([A-Za-z_][\w:.-]*)[^>]*>/g,
  )) {
    if (tag.startsWith('<!--')) unclosed = tag.endsWith('-->') ? '' : '-->'
    else if (tag.startsWith('<!')) unclosed = tag.endsWith(']]>') ? '' : ']]>'
    if (!name || tag.endsWith('/>')) continue
    if (!slash) {
      open.push(name)
      count(name, 1)
    } else if (timesOpen.get(name)) {
      let closed: string
      do {
        closed = open.pop()!
        count(closed, -1)
      } while (closed !== name)
    }
  }
  return (
    whole +
    unclosed +
    open
      .reverse()
      .map(name => `</${name}>`)
      .join('')
  )
}

/** A document type is of no use here: what it defines is never expanded, what it names is never fetched. */
function withoutDoctype(text: string): string {
  const at = text.search(/<!DOCTYPE/i)
  if (at === -1) return text
  return text.slice(0, at) + text.slice(at).replace(/^<!DOCTYPE[^[>]{0,2000}(\[[\s\S]{0,100000}?\]\s*)?>/i, '')
}

/** An element takes a hundred times the memory of its text: 64 MB of nothing but tags are read as far as MAX_TAGS. */
function withinTags(text: string): string {
  if (text.length < 3 * MAX_TAGS) return text
  let count = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1))
    if (++count > MAX_TAGS) return text.slice(0, at)
  return text
}

/** `a < b` in running text is no tag. */
const withoutStrayBrackets = (text: string) => text.replace(/<(?![A-Za-z_/!?])/g, '&lt;')
const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const localName = (name: string) => name.slice(name.indexOf(':') + 1)

export function children(node: XmlNode, ...names: string[]): XmlNode[] {
  return names.flatMap(name => {
    const value = node[name]
    if (value === undefined) return []
    return (Array.isArray(value) ? value : [value]).map(one => (typeof one === 'string' ? { '#text': one } : one))
  })
}

export const child = (node: XmlNode, name: string): XmlNode | undefined => {
  const value = node[name]
  const first = Array.isArray(value) ? value[0] : value
  if (first === undefined) return undefined
  return typeof first === 'string' ? { '#text': first } : first
}

/** The text of an element itself. */
export function textOf(node: XmlNode | undefined): string | null {
  const text = node?.['#text']
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}

/** The text of the first of these children that has any. */
export function text(node: XmlNode, ...names: string[]): string | null {
  for (const name of names) for (const one of children(node, name)) if (textOf(one)) return textOf(one)
  return null
}

export function attribute(node: XmlNode | undefined, name: string): string | null {
  const value = node?.[`@${name}`]
  return typeof value === 'string' && value.trim() !== '' ? decodeHTML(value.trim()) : null
}

/** HTML or plain text from an element that was kept as it stood: CDATA is literal, the rest was escaped once, or is markup. */
export function markupOf(raw: string | null): string {
  if (!raw) return ''
  const outside = raw.replace(/<!\[CDATA\[[\s\S]*?(\]\]>|$)/g, '')
  const isMarkup = /<[a-z/!]/i.test(outside)
  const html = raw
    .split(/(<!\[CDATA\[[\s\S]*?(?:\]\]>|$))/)
    .map(part => {
      if (part.startsWith('<![CDATA[')) return part.slice(9).replace(/\]\]>$/, '')
      return isMarkup ? part : decodeHTML(part)
    })
    .join('')
    .trim()
  const isEscapedTwice = !/<[a-z]/i.test(html) && /&lt;\/?(p|br|a|div|ul|ol|li|strong|em|span|h\d|b|i)\b/i.test(html)
  return isEscapedTwice ? decodeHTML(html) : html
}

/** The first of these children that holds more than white space, as markup. */
export function markup(node: XmlNode, ...names: string[]): string {
  for (const name of names)
    for (const one of children(node, name)) {
      const html = markupOf(textOf(one))
      if (html !== '') return html
    }
  return ''
}
