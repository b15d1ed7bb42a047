import { escapeText } from 'entities/escape'

/** Escapes text, without characters that XML cannot contain; a lone surrogate becomes a replacement character. */
export const xml = (text: string) =>
  escapeText(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
    .replaceAll('"', '&quot;')
    .replaceAll('&nbsp;', '&#160;')

export const element = (name: string, text: string) => `<${name}>${xml(text)}</${name}>`
/** Writes a date like `Sun, 01 Mar 2026 05:00:00 +0000`. */
export const rfc822 = (at: number) => new Date(at).toUTCString().replace('GMT', '+0000')

export const optional = (name: string, text: string | null) => (text ? element(name, text) : '')

type Attributes = Record<string, string | number | boolean | null | undefined>

/** Writes an element with the attributes that have a value; `content` is text unless it is a list of elements. */
export function tag(name: string, attributes: Attributes, content: string | readonly string[] = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => ` ${key}="${xml(String(value))}"`)
  const inner = typeof content === 'string' ? xml(content) : content.join('')
  return inner === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inner}</${name}>`
}
