import { decodeHTML } from '../platform/html-entities'

/** The names in the head of a web page; null = none. */
export type PageWords = { title: string | null; description: string | null; author: string | null }

const MAX_TAGS = 2000
const MAX_TEXT = 300

/** Reads what a page says about itself, without the names of services at the ends of its title. */
export function wordsInPage(html: string, services: readonly string[]): PageWords {
  const tags = (html.match(/<(?:meta|link)\b[^<>]{1,2000}>/gi) ?? []).slice(0, MAX_TAGS)
  const valueOf = (name: string) => {
    const wanted = new RegExp(`\\b(?:property|name|itemprop)\\s*=\\s*["']?${name}["'\\s/>]`, 'i')
    const tag = tags.find(text => wanted.test(text))
    const found = tag && /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)
    return cleaned(found ? (found[1] ?? found[2]) : undefined)
  }
  const title = valueOf('og:title') ?? cleaned(/<title\b[^<>]*>([^<]{1,2000})/i.exec(html)?.[1])
  return {
    title: title && withoutServices(title, services),
    description: valueOf('og:description') ?? valueOf('description'),
    author: cleaned(/<link\s+itemprop=["']name["']\s+content=["']([^"'<>]{1,300})/i.exec(html)?.[1]),
  }
}

const cleaned = (text: string | undefined) =>
  decodeHTML(text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT) || null

/** Takes "… | Podcast on Spotify" off a title; null if nothing remains. */
function withoutServices(title: string, services: readonly string[]): string | null {
  const names = services.map(name => name.toLowerCase())
  // With the separators between the parts.
  const parts = title.split(/(\s[|·•–—-]\s)/)
  const isNamed = (part = '') => names.some(name => part.toLowerCase().includes(name))
  while (isNamed(parts.at(-1)) && parts.length > 1) parts.splice(-2)
  while (names.includes(parts[0]!.toLowerCase())) parts.splice(0, 2, ...(parts.length > 1 ? [] : ['']))
  return parts.join('').trim() || null
}
