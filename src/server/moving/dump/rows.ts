import { MoveRefused, tooLarge } from '../item'
import { MAX_LINE } from '../lines'

/** A row of a dump, in the order of the columns that the dump gives. */
export type DumpRow = readonly (string | null)[]

export type AddRow = (row: DumpRow) => void

/**
 * Opens a table of a dump, once, with its columns, or null if the dump does not say them. Returns null for a table
 * that nobody reads. Throws `MoveRefused`.
 */
export type OpenTable = (table: string, columns: readonly string[] | null) => AddRow | null

export const cutOff = (where: string) =>
  new MoveRefused('move-damaged', `The dump ends early, ${where}. Export it again, or copy all of it.`)

export const damagedRow = (table: string) =>
  new MoveRefused('move-damaged', `A row of the table ${table} cannot be read: the dump is damaged, or was cut off.`, {
    detail: table,
  })

/** Text in another encoding would be read as gibberish. Throws `MoveRefused`. */
export function requireUtf8(line: string) {
  const [, encoding] = /^(?:\/\*!\d+ )?SET (?:client_encoding = |NAMES )'?(\w+)/.exec(line) ?? []
  if (encoding !== undefined && !/^(?:utf|sql_ascii$)/i.test(encoding))
    throw new MoveRefused('move-dump', `The dump is in ${encoding}. Export it in UTF-8.`, { detail: encoding })
}

const [QUOTE, DOUBLE, BACKTICK, BACKSLASH] = [39, 34, 96, 92]
const [OPENED, CLOSED, COMMA, SEMICOLON] = [40, 41, 44, 59]

/**
 * Reads the rows of an INSERT statement of MySQL, `(1,'one',NULL),(2,…);`, from a place in its text on. Returns false
 * if the text is anything else, or a row has more than `most` values.
 */
function readRows(text: string, start: number, most: number, add: (row: DumpRow) => void): boolean {
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

const heading = /^-- (?:MySQL|MariaDB) dump /
const END = '-- Dump completed'
const creating = /^CREATE TABLE (?:IF NOT EXISTS )?(?:`[^`]*`\.)?`([^`]*)`/
const inserting = /^(?:INSERT(?: IGNORE)?|REPLACE) INTO (?:`[^`]*`\.)?`([^`]*)`\s*(?:\(([^()]*)\)\s*)?VALUES/

type Table = { columns: readonly string[]; add: AddRow | null }

/**
 * Reads the rows of a dump of `mysqldump` or `mariadb-dump`: INSERT statements, whose columns are in the preceding
 * CREATE TABLE or in the statement. No statement is executed. Throws `MoveRefused`.
 */
export function readMysql(lines: Iterable<string>, openTable: OpenTable) {
  const tables = new Map<string, Table>()
  let isComplete = true
  for (const statement of readStatements(lines)) {
    if (statement.startsWith('--')) isComplete = isCompleteAfter(statement, isComplete)
    else if (statement.startsWith('CREATE TABLE ')) create(statement, tables, openTable)
    else if (/^(?:INSERT|REPLACE) /.test(statement)) insert(statement, tables, openTable)
    else requireUtf8(statement)
  }
  if (!isComplete) throw cutOff('before its last table')
}

/** A dump without comments has neither beginning nor end. */
const isCompleteAfter = (comment: string, before: boolean) =>
  comment.startsWith(END) ? true : heading.test(comment) ? false : before

function create(statement: string, tables: Map<string, Table>, openTable: OpenTable) {
  const [, name] = creating.exec(statement) ?? []
  if (name === undefined) return
  const columns = statement.split('\n').flatMap(line => /^\s{0,20}`([^`]+)` /.exec(line)?.[1] ?? [])
  // Columns on one line can't be distinguished from keys.
  if (columns.length > 0) tables.set(name, { columns, add: openTable(name, columns) })
}

function insert(statement: string, tables: Map<string, Table>, openTable: OpenTable) {
  const match = inserting.exec(statement)
  if (!match) return
  const [beginning, name, list] = match as unknown as [string, string, string | undefined]
  const given = list?.split(',').map(column => column.trim().replaceAll('`', '')) ?? null
  const table = tables.getOrInsertComputed(name, () => ({ columns: given ?? [], add: openTable(name, given) }))
  const { add, columns } = table
  if (!add) return
  const order = given && columns.map(column => given.indexOf(column))
  const width = given?.length ?? columns.length
  const isWhole = readRows(statement, beginning.length, width, row => {
    if (row.length !== width) throw damagedRow(name)
    add(order ? order.map(at => row[at] ?? null) : row)
  })
  if (!isWhole) throw damagedRow(name)
}

const NONE = 0
const begins = /^(?:CREATE TABLE|INSERT(?: IGNORE)? INTO|REPLACE INTO) /
/** Many short lines take more memory than their text does. */
const BYTES_OF_A_LINE = 64

/**
 * Joins the lines of statements that make or fill a table, up to the `;` that is not in quotes; every other line is
 * passed on alone. Throws `MoveRefused` for a statement that is too long, or has no end.
 */
function* readStatements(lines: Iterable<string>): Generator<string, void> {
  let text: string | null = null
  let size = 0
  let quote = NONE
  for (const line of lines) {
    if (text === null && !begins.test(line)) {
      yield line
      continue
    }
    size = (text === null ? 0 : size) + line.length + BYTES_OF_A_LINE
    if (size > MAX_LINE) throw tooLarge(`The dump has a statement of more than ${MAX_LINE} bytes`, MAX_LINE)
    text = text === null ? line : `${text}\n${line}`
    quote = quoteAfter(line, quote)
    if (quote !== NONE || !/;\s{0,20}$/.test(line.slice(-20))) continue
    yield text
    text = null
  }
  // Only the name is reported: the values may be secrets.
  if (text !== null) throw cutOff(`in the table ${/`([^`]{1,64})`/.exec(text.slice(0, 200))?.[1] ?? 'that comes last'}`)
}

/** The kind of quotes that are open after a line, if these were open before it. */
function quoteAfter(line: string, before: number): number {
  let quote = before
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (quote === NONE) {
      if (code === QUOTE || code === DOUBLE || code === BACKTICK) quote = code
    } else if (code === quote) quote = NONE
    else if (code === BACKSLASH && quote !== BACKTICK) at++
  }
  return quote
}
