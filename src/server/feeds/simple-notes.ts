import { escapeText } from 'entities/escape'

// Why: docs/internals/decisions/0001

/** An open element: its name, and the tag that ends it in the result. */
type Open = { name: string; end: string }
type Attributes = Record<string, string | undefined>

/** Elements within a line of text, which may be in one another. */
const inline = new Set(['strong', 'em', 'b', 'i', 'u', 's', 'small', 'sub', 'sup', 'code', 'span', 'a'])
/** Elements in which others may begin; within any other one, they would end it. */
const containers = new Set(['', 'div', 'blockquote', 'li'])
/** Elements of which only the content stays. */
const dropped = new Set(['span'])
const renamed: Attributes = { h1: 'h3', h2: 'h3' }
const characters: Attributes = { amp: '&amp;', lt: '&lt;', gt: '&gt;', quot: '"', apos: "'", nbsp: '\u00A0' }

const MAX_OPEN = 20
const token =
  /[^<>&]+|&(?:(amp|lt|gt|quot|apos|nbsp)|#(39|039|160|8\d{3}));|<(\/?)(p|br|div|ul|ol|li|h[1-6]|blockquote|strong|em|b|i|u|s|small|sub|sup|code|span|a)((?:\s+[a-z]+="(?:[^"<>&]|&amp;)*")*)\s*(\/?)>/y
const attribute = /\s([a-z]+)="([^"]*)"/g

/**
 * Sanitises notes that consist of common elements, each closed where it must be, as the sanitiser would; null for any
 * other notes. `anchor` chooses the attributes of a link.
 */
export function simpleNotes(html: string, anchor: (attributes: Attributes) => Record<string, string>): string | null {
  const open: Open[] = []
  let safe = ''
  for (let at = 0; at < html.length; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(html)
    if (!found) return null
    const name = found[4]
    if (name === undefined) safe += characterOf(found[1], found[2]) ?? found[0]
    else if (name === 'br') {
      if (found[3]) return null
      safe += '<br />'
    } else if (found[3]) {
      const last = open.pop()
      if (last?.name !== name || found[5] || found[6]) return null
      safe += last.end
    } else {
      if (found[6] || open.length === MAX_OPEN || !mayBegin(name, open)) return null
      const tag = dropped.has(name) ? null : (renamed[name] ?? name)
      open.push({ name, end: tag ? `</${tag}>` : '' })
      if (tag) safe += name === 'a' ? linkTag(anchor(attributesOf(found[5]!))) : `<${tag}>`
    }
  }
  return open.length === 0 ? safe.trim() : null
}

function characterOf(name: string | undefined, code: string | undefined): string | undefined {
  return code === undefined ? name && characters[name] : String.fromCodePoint(Number(code))
}

/** Whether an element may begin here without ending another one. */
function mayBegin(name: string, open: readonly Open[]): boolean {
  const parent = open.at(-1)?.name ?? ''
  if (name === 'a') return open.every(one => one.name !== 'a')
  if (inline.has(name)) return true
  if (name === 'li') return parent === 'ul' || parent === 'ol'
  return containers.has(parent)
}

function attributesOf(source: string): Attributes {
  const attributes: Attributes = {}
  for (const [, name, value] of source.matchAll(attribute)) attributes[name!] ??= value!.replaceAll('&amp;', '&')
  return attributes
}

function linkTag(attributes: Record<string, string>): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`,
  )
  return `<a${written.join('')}>`
}
