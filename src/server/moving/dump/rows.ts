import { MoveRefused } from '../item'

/** A row of a dump, in the order of the columns that the dump gives. */
export type DumpRow = readonly (string | null)[]

export type AddRow = (row: DumpRow) => void

/**
 * Opens a table of a dump, once, with its columns, or null if the dump does not say them. Returns null for a table
 * that nobody reads. Throws `MoveRefused`.
 */
export type OpenTable = (table: string, columns: readonly string[] | null) => AddRow | null

export const cutOff = (where: string) =>
  new MoveRefused(`The dump ends early, ${where}. Export it again, or copy all of it.`)

export const damagedRow = (table: string) =>
  new MoveRefused(`A row of the table ${table} cannot be read: the dump is damaged, or was cut off.`)

/** Text in another encoding would be read as gibberish. Throws `MoveRefused`. */
export function requireUtf8(line: string) {
  const [, encoding] = /^(?:\/\*!\d+ )?SET (?:client_encoding = |NAMES )'?(\w+)/.exec(line) ?? []
  if (encoding !== undefined && !/^(?:utf|sql_ascii$)/i.test(encoding))
    throw new MoveRefused(`The dump is in ${encoding}. Export it in UTF-8.`)
}

const [QUOTE, BACKSLASH, OPENED, CLOSED, COMMA, SEMICOLON] = [39, 92, 40, 41, 44, 59]

/**
 * Reads the rows of an INSERT statement of MySQL, `(1,'one',NULL),(2,…);`, from a place in its text on. Returns false
 * if the text is anything else, or a row has more than `most` values.
 */
export function readRows(text: string, start: number, most: number, add: (row: DumpRow) => void): boolean {
  for (let at = skipBlanks(text, start); ; at = skipBlanks(text, at + 1)) {
    if (text.charCodeAt(at) !== OPENED) return false
    const row: (string | null)[] = []
    do {
      const end = readValue(text, at + 1, row)
      if (end === -1 || row.length > most) return false
      at = end
    } while (text.charCodeAt(at) === COMMA)
    add(row)
    at = skipBlanks(text, at + 1)
    if (text.charCodeAt(at) === SEMICOLON) return true
    if (text.charCodeAt(at) !== COMMA) return false
  }
}

function skipBlanks(text: string, at: number): number {
  while (text.charCodeAt(at) <= 32) at++
  return at
}

/** Adds the value at a place to the row, and returns the place of the `,` or `)` after it, or -1. */
function readValue(text: string, start: number, row: (string | null)[]): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Before the quotes there may be a character set, as in `_binary 'x'`.
    if (code === QUOTE) return readText(text, at + 1, row)
    if (code !== COMMA && code !== CLOSED) continue
    const value = text.slice(start, at).trim()
    row.push(/^null$/i.test(value) ? null : value)
    return at
  }
  return -1
}

function readText(text: string, start: number, row: (string | null)[]): number {
  let isPlain = true
  let end = start
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === BACKSLASH || (code === QUOTE && text.charCodeAt(end + 1) === QUOTE)) {
      isPlain = false
      end++
    } else if (code === QUOTE) break
  }
  const value = text.slice(start, end)
  row.push(isPlain ? value : unescaped(value))
  const next = skipBlanks(text, end + 1)
  const code = text.charCodeAt(next)
  return code === COMMA || code === CLOSED ? next : -1
}

const escapes: Record<string, string> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
  '%': '\\%',
  _: '\\_',
}

const unescaped = (value: string) =>
  value.replace(/\\([^])|''/g, (_, escaped?: string) => (escaped === undefined ? "'" : (escapes[escaped] ?? escaped)))
