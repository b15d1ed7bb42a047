import { readStatements } from './mysql-statements'
import { readRows } from './mysql-values'
import { cutOff, damagedRow, requireUtf8, type AddRow, type OpenTable } from './table'

const heading = /^-- (?:MySQL|MariaDB) dump /
const END = '-- Dump completed'
const creating = /^CREATE TABLE (?:IF NOT EXISTS )?(?:`[^`]*`\.)?`([^`]*)`/
const inserting = /^(?:INSERT(?: IGNORE)?|REPLACE) INTO (?:`[^`]*`\.)?`([^`]*)`\s*(?:\(([^()]*)\)\s*)?VALUES/

type Table = { columns: readonly string[]; add: AddRow | null }

/**
 * Reads the rows of a dump of `mysqldump` or `mariadb-dump`: INSERT statements, whose columns the CREATE TABLE before
 * them gives, or they themselves. No statement is executed. Throws `MoveRefused`.
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
  // Columns that stand in one line are not distinguished from keys.
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
