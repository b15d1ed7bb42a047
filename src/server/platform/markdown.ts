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
