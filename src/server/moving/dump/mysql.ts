import { readRows, type AddRow, cutOff, damagedRow, type OpenTable, requireUtf8 } from './rows'
import { MAX_LINE } from '../lines'
import { MoveRefused } from '../item'

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

const [QUOTE, DOUBLE, BACKTICK, BACKSLASH] = [39, 34, 96, 92]
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
    if (size > MAX_LINE) throw new MoveRefused(`The dump has a statement of more than ${MAX_LINE} bytes`)
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
