import { decodeHTML } from '../../platform/html-entities'

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
