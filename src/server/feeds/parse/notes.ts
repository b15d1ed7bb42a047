import type { IOptions } from 'sanitize-html'
import { escapeText } from 'entities/escape'
import { decodeHTML } from '../../platform/markup'
import { parseAddress } from './values'

const MAX_LENGTH = 500_000

type Sanitise = (html: string, options: IOptions) => string

let library: Sanitise | null = null
/** The library is loaded when notes need it: most are simple, and loading it takes as long as starting the thread. */
const sanitizeHtml: Sanitise = (html, options) => (library ??= require('sanitize-html') as Sanitise)(html, options)

const isMarkup =
  /<\/?(p|br|a|div|span|ul|ol|li|strong|em|b|i|u|h[1-6]|img|table|blockquote|pre|code|figure|hr|script|style|iframe|section|article|font|center)\b[^<>]*>/i

/** Matches text that is plainly harmless: no bracket, no entity. So most short descriptions need no sanitiser. */
const isPlain = /^[^<>&]*$/

/**
 * Sanitises show notes: paragraphs, lists, links, pictures, quotes and tables stay, everything that runs or hides is
 * removed. Plain text gets its paragraphs and links, and keeps its lines where only links or emphasis are marked up.
 * Addresses become absolute.
 */
export function safeNotes(raw: string, base: string): string {
  const text = raw.slice(0, MAX_LENGTH)
  if (text.trim() === '') return ''
  if (isPlain.test(text)) return paragraphs(text)
  const simple = isMarkup.test(text) ? simpleNotes(text, ({ href, title }) => anchor(href, title, base)) : null
  if (simple === null && isTangled(text)) return paragraphs(decodeHTML(text.replace(/<[^<>]*>/g, ' ')))
  const safe = simple ?? sanitised(text, base)
  if (!isMarkup.test(safe)) return paragraphs(safe, true)
  return hasBlocks.test(safe) || !safe.includes('\n') ? safe : withBreaks(safe)
}

const hasBlocks = /<(?:p|br|ul|ol|li|dl|dt|dd|pre|blockquote|h[3-6]|hr|figure|table|div)\b/

/** Keeps the lines of sanitised text with links or emphasis, but without any element that would break lines. */
const withBreaks = (html: string) =>
  html
    .split(/(<[^<>]*>)/)
    .map((part, index) => (index % 2 === 1 ? part : withBreaksIn(part)))
    .join('')

function withBreaksIn(text: string): string {
  const [first, ...lines] = text.split('\n')
  let broken = first!
  let isBlank = false
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' && index < lines.length - 1) isBlank = true
    else {
      broken += `${isBlank ? '<br />' : ''}<br />${line}`
      isBlank = false
    }
  }
  return broken
}

/** The sanitiser's own result, even for simple notes. */
export const sanitised = (text: string, base: string): string =>
  isMarkup.test(text) ? sanitise(text, base) : sanitizeHtml(text, { allowedTags: [], allowedAttributes: {} })

const MAX_OPEN = 1000
/** Elements whose end tag may be left out. */
const closeThemselves = new Set(
  'area br col dd dt embed hr img input li link meta option p source td th tr wbr'.split(' '),
)

/** Whether more elements are open at once than in real notes: the sanitiser searches all of them for every end tag. */
function isTangled(html: string): boolean {
  const timesOpen = new Map<string, number>()
  let open = 0
  for (const [, slash, tag] of html.matchAll(/<(\/?)([a-z][^\s/>]*)/gi)) {
    const name = tag!.toLowerCase()
    const times = timesOpen.get(name) ?? 0
    if (closeThemselves.has(name) || (slash && times === 0)) continue
    const change = slash ? -1 : 1
    timesOpen.set(name, times + change)
    open += change
    if (open > MAX_OPEN) return true
  }
  return false
}

const allowedTags =
  'p br a ul ol li dl dt dd strong b em i u s small sub sup code pre blockquote h3 h4 h5 h6 hr img figure figcaption table thead tbody tr th td div'.split(
    ' ',
  )

const sanitise = (html: string, base: string) =>
  sanitizeHtml(html, {
    allowedTags,
    allowedAttributes: {
      a: ['href', 'title', 'rel', 'target'],
      img: ['src', 'alt', 'title', 'width', 'height', 'loading', 'referrerpolicy'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nestingLimit: 50,
    transformTags: {
      h1: 'h3',
      h2: 'h3',
      a: (_, { href, title }) => ({ tagName: 'a', attribs: anchor(href, title, base) }),
      img: (_, { src, alt, title, width, height }) => ({
        tagName: 'img',
        attribs: {
          ...picture(src, base),
          alt: alt ?? '',
          ...(title && { title }),
          ...(isSize(width) && { width }),
          ...(isSize(height) && { height }),
        },
      }),
    },
    exclusiveFilter: frame => frame.tag === 'img' && !frame.attribs.src,
  }).trim()

const isSize = (text: string | undefined): text is string => /^\d{1,4}$/.test(text ?? '')

function anchor(href: string | undefined, title: string | undefined, base: string): Record<string, string> {
  const address = /^mailto:/i.test(href?.trim() ?? '') ? href!.trim() : parseAddress(href, base)
  return address ? { href: address, rel: 'noopener noreferrer', target: '_blank', ...(title && { title }) } : {}
}

function picture(src: string | undefined, base: string): Record<string, string> {
  const address = parseAddress(src, base)
  return address ? { src: address, loading: 'lazy', referrerpolicy: 'no-referrer' } : {}
}

function paragraphs(text: string, isEscaped = false): string {
  const escaped = isEscaped ? text : escapeText(text)
  return escaped
    .trim()
    .split(/\n\s*\n+/)
    .map(
      paragraph =>
        `<p>${paragraph
          .split('\n')
          .map(line => linked(line.trim()))
          .join('<br />')}</p>`,
    )
    .join('')
}

/** Turns addresses in escaped text into links; `&amp;` may be part of an address. */
const linked = (escaped: string) =>
  escaped.replace(/https?:\/\/(?:&amp;|[^\s<>"'&])+(?<![.,;:!?)\]])/g, text => {
    const address = parseAddress(text, text)
    return address ? `<a href="${escapeText(address)}" rel="noopener noreferrer" target="_blank">${text}</a>` : text
  })

// Why: docs/internals/decisions/0001

/** An open element: its name, and the tag that ends it in the result. */
type Open = { name: string; end: string }
type Attributes = Record<string, string | undefined>

/** Inline elements, which may be nested. */
const inline = new Set(['strong', 'em', 'b', 'i', 'u', 's', 'small', 'sub', 'sup', 'code', 'span', 'a'])
/** Elements that others may begin in; in any other element, they would end it. */
const containers = new Set(['', 'div', 'blockquote', 'li'])
/** Elements of which only the content is kept. */
const dropped = new Set(['span'])
const renamed: Attributes = { h1: 'h3', h2: 'h3' }
const characters: Attributes = { amp: '&amp;', lt: '&lt;', gt: '&gt;', quot: '"', apos: "'", nbsp: '\u00A0' }

const MAX_OPEN_SIMPLE = 20
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
      if (found[6] || open.length === MAX_OPEN_SIMPLE || !mayBegin(name, open)) return null
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
