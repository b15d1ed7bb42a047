import { escapeText } from 'entities/escape'
import sanitizeHtml from 'sanitize-html'
import { decodeHTML } from '../platform/html-entities'
import { simpleNotes } from './simple-notes'
import { parseAddress } from './values'

const MAX_LENGTH = 500_000

const isMarkup =
  /<\/?(p|br|a|div|span|ul|ol|li|strong|em|b|i|u|h[1-6]|img|table|blockquote|pre|code|figure|hr|script|style|iframe|section|article|font|center)\b[^<>]*>/i

/** Matches text that is plainly harmless: no bracket, no entity. Spares the sanitiser most short descriptions. */
const isPlain = /^[^<>&]*$/

/**
 * Sanitises show notes: paragraphs, lists, links, pictures, quotes and tables stay, everything that runs or hides is
 * removed. Plain text gets its paragraphs and links. Addresses become absolute.
 */
export function safeNotes(raw: string, base: string): string {
  const text = raw.slice(0, MAX_LENGTH)
  if (text.trim() === '') return ''
  if (isPlain.test(text)) return paragraphs(text)
  const simple = isMarkup.test(text) ? simpleNotes(text, ({ href, title }) => anchor(href, title, base)) : null
  if (simple === null && isTangled(text)) return paragraphs(decodeHTML(text.replace(/<[^<>]*>/g, ' ')))
  const safe = simple ?? sanitised(text, base)
  return isMarkup.test(safe) ? safe : paragraphs(safe, true)
}

/** The result of the sanitiser itself, however simple the notes are. */
export const sanitised = (text: string, base: string): string =>
  isMarkup.test(text) ? sanitise(text, base) : sanitizeHtml(text, { allowedTags: [], allowedAttributes: {} })

const MAX_OPEN = 1000
/** Elements whose end tag may be left out. */
const closeThemselves = new Set(
  'area br col dd dt embed hr img input li link meta option p source td th tr wbr'.split(' '),
)

/**
 * Whether more elements are open at once than real notes have: the sanitiser searches all of them for every end tag.
 */
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
