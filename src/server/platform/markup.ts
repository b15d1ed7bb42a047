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

/**
 * Writes a text in Markdown as it reads, in one line: its signs have no meaning. An underscore within a word, as in many
 * addresses, has none anyway.
 */
export const markdownText = (text: string): string =>
  text
    .trim()
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\\`*[\]<>#&|~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, sign => `\\${sign}`)
    .replace(/^([-+=]|\d+(?=[.)]))/, start => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
