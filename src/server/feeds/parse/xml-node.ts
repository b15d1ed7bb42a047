import { decodeHTML } from '../../platform/markup'

/** HTML or plain text from the raw content of an element: CDATA is literal, the rest was escaped once or is markup. */
export function markupOf(raw: string | null): string {
  if (!raw) return ''
  const parts = sectionsOf(raw)
  const isMarkup = parts.some(part => !part.isLiteral && /<[a-z/!]/i.test(part.text))
  const html = parts.map(({ text, isLiteral }) => (isLiteral || isMarkup ? text : decodeHTML(text))).join('')
  const bare = unwrapped(html).trim()
  return isEscapedTwice(bare) ? decodeHTML(bare) : bare
}

const isEscapedTwice = (html: string) =>
  html.includes('&lt;') && /&lt;\/?(p|br|a|div|ul|ol|li|strong|em|span|h\d|b|i)\b/i.test(html) && !/<[a-z]/i.test(html)

/** Splits a text into its CDATA sections, which are literal, and the parts around them. The last one may be open. */
function sectionsOf(raw: string): { text: string; isLiteral: boolean }[] {
  const parts: { text: string; isLiteral: boolean }[] = []
  for (let at = 0; at < raw.length;) {
    const section = raw.indexOf('<![CDATA[', at)
    const border = section === -1 ? raw.length : section
    if (at < border) parts.push({ text: raw.slice(at, border), isLiteral: false })
    if (section === -1) break
    const end = raw.indexOf(']]>', section + 9)
    parts.push({ text: raw.slice(section + 9, end === -1 ? raw.length : end), isLiteral: true })
    at = end === -1 ? raw.length : end + 3
  }
  return parts
}

/** Text with its CDATA sections unwrapped and its comments removed. */
export const withoutSections = (raw: string) =>
  raw.includes('<!')
    ? unwrapped(
        sectionsOf(raw)
          .map(({ text, isLiteral }) => (isLiteral ? text : text.replace(/<!--[\s\S]*?(?:-->|$)/g, '')))
          .join(''),
      )
    : raw

/** Removes the section that remains around a text if one was nested in another, escaped or not. */
function unwrapped(text: string): string {
  const begin = /^\s*(?:<|&lt;)!\[CDATA\[/.exec(text)
  return begin ? text.slice(begin[0].length).replace(/\]\](?:>|&gt;)\s*$/, '') : text
}

/**
 * An element: its children by name (lower case, prefixes made canonical), its attributes under `@name`, its `#text`.
 */
export type XmlNode = { [name: string]: XmlValue }
type XmlValue = string | XmlNode | (string | XmlNode)[]

export const nodeOf = (value: string | XmlNode): XmlNode => (typeof value === 'string' ? { '#text': value } : value)

const none: readonly XmlNode[] = []

export function children(node: XmlNode, ...names: string[]): readonly XmlNode[] {
  // Most of what is looked for is not there.
  let found: XmlNode[] | null = null
  for (const name of names) {
    const value = node[name]
    if (value === undefined) continue
    found ??= []
    if (Array.isArray(value)) for (const one of value) found.push(nodeOf(one))
    else found.push(nodeOf(value))
  }
  return found ?? none
}

/** Reads the first children of a name, at most so many, and leaves out those that are read as null. */
export function listOf<T>(node: XmlNode, name: string, most: number, read: (child: XmlNode) => T | null): T[] {
  const found: T[] = []
  const value = node[name]
  if (value === undefined) return found
  const all = Array.isArray(value) ? value : [value]
  for (let place = 0; place < all.length && place < most; place++) {
    const one = read(nodeOf(all[place]!))
    if (one !== null) found.push(one)
  }
  return found
}

export const child = (node: XmlNode, name: string): XmlNode | undefined => {
  const value = node[name]
  const first = Array.isArray(value) ? value[0] : value
  if (first === undefined) return undefined
  return nodeOf(first)
}

/** The text of an element itself. */
export function textOf(node: XmlNode | undefined): string | null {
  const text = node?.['#text']
  return typeof text === 'string' ? trimmed(text) : null
}

const trimmed = (text: string) => text.trim() || null

/** The text of the first of these children that has any. */
export function text(node: XmlNode, ...names: string[]): string | null {
  for (const name of names) {
    const value = node[name]
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) {
      const found = typeof one === 'string' ? trimmed(one) : textOf(one)
      if (found !== null) return found
    }
  }
  return null
}

/** Keys of attributes by name: to make one again for each look would take most of its time. */
const keys = new Map<string, string>()

export function attribute(node: XmlNode | undefined, name: string): string | null {
  if (node === undefined) return null
  let key = keys.get(name)
  if (key === undefined) keys.set(name, (key = `@${name}`))
  const value = node[key]
  const said = typeof value === 'string' ? trimmed(value) : null
  return said === null ? null : decodeHTML(said)
}

/** The first of these children that is more than white space, as markup. */
export function markup(node: XmlNode, ...names: string[]): string {
  for (const name of names)
    for (const one of children(node, name)) {
      const html = markupOf(textOf(one))
      if (html !== '') return html
    }
  return ''
}
