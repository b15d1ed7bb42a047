type Decode = (text: string) => string

let decode: Decode | null = null

/**
 * Decodes the entities of HTML. The library unpacks a table of all of them, so it is loaded only when a text needs it.
 */
export function decodeHTML(text: string): string {
  if (!text.includes('&')) return text
  decode ??= (require('entities/decode') as typeof import('entities/decode')).decodeHTMLStrict
  return decode(text)
}
