import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncToDisk } from '../../store/backup'
import { createForeignTables, type ForeignTable, type ForeignTables } from '../../store/foreign-database'
import { readLines } from '../lines'
import { MoveRefused } from '../item'
import { readMysql, type AddRow, cutOff, damagedRow, type DumpRow, type OpenTable, requireUtf8 } from './rows'

export type DumpKind = 'postgres' | 'mysql'

/**
 * Tables that a source reads of a dump, by their exact names. Their columns hold text but for these, and are found in
 * any spelling; those in `flags` are true or false.
 */
export type DumpTables = {
  tables: Record<string, ForeignTable>
  numbers: readonly string[]
  flags: readonly string[]
}

/** Recognises a dump by its beginning. Throws `MoveRefused` for one that is no text. */
export function dumpKindOf(head: string): DumpKind | null {
  if (head.startsWith('PGDMP'))
    throw new MoveRefused(
      'move-dump',
      'The dump is in the format of pg_dump itself. Make it with pg_dump --format=plain.',
    )
  if (/^-- PostgreSQL database dump\r?$/m.test(head)) return 'postgres'
  return /^(?:-- (?:MySQL|MariaDB) dump |-- phpMyAdmin SQL Dump|\/\*M?!\d{5,6}\W)/m.test(head) ? 'mysql' : null
}

/**
 * Writes the tables of a dump that the sources read into a database next to it, unless that was done before, and
 * returns its path. No SQL of the dump is executed. Throws `MoveRefused` and `ForeignDatabaseError`.
 */
export function loadDump(path: string, kind: DumpKind, wanted: readonly DumpTables[]): string {
  const target = `${path}.tables`
  if (existsSync(target)) return target
  const unfinished = `${target}.new`
  const tables = createForeignTables(unfinished)
  try {
    const read = kind === 'postgres' ? readPostgres : readMysql
    read(readLines(path), createOpenTable(tables, wanted))
    tables.end()
  } finally {
    tables.close()
  }
  syncToDisk(unfinished)
  renameSync(unfinished, target)
  syncToDisk(dirname(target))
  return target
}

function createOpenTable(tables: ForeignTables, wanted: readonly DumpTables[]): OpenTable {
  const seen = new Map<string, string>()
  return (table, columns) => {
    const source = wanted.find(one => Object.hasOwn(one.tables, table))
    if (!source) return null
    if (columns === null)
      throw new MoveRefused(
        'move-dump',
        `The dump does not say the columns of the table ${table}. Make it with the CREATE TABLE statements, or with --complete-insert.`,
        { detail: table },
      )
    const twin = seen.get(table.toLowerCase())
    if (twin === table)
      throw new MoveRefused('move-dump', `The dump has the table ${table} twice. Export one database alone.`, {
        detail: table,
      })
    if (twin !== undefined)
      throw new MoveRefused('move-dump', 'The dump holds the tables of several programs. Name one of them with --from.')
    seen.set(table.toLowerCase(), table)
    return addTo(tables, table, columns, source)
  }
}

function addTo(tables: ForeignTables, table: string, columns: readonly string[], source: DumpTables): AddRow {
  const { keys = [], must = [], may = [] } = source.tables[table]!
  const lower = columns.map(column => column.toLowerCase())
  const found = [...keys, ...must, ...may]
    .map(name => ({ name, at: lower.indexOf(name.toLowerCase()) }))
    .filter(({ at }) => at !== -1)
    .map(({ name, at }) => ({ name, at, isFlag: source.flags.includes(name) }))
  const add = tables.add(
    table,
    found.map(({ name, isFlag }) => ({
      name,
      isNumber: isFlag || source.numbers.includes(name),
      isIndexed: keys.includes(name),
    })),
  )
  return row => add(found.map(({ at, isFlag }) => (isFlag ? flagOf(row[at]!) : row[at]!)))
}

const flagOf = (value: string | null) => (value === null ? null : /^(?:t|true|1)$/i.test(value) ? '1' : '0')

const END = '-- PostgreSQL database dump complete'
const copying = /^COPY (?:(?:[^\s".]+|"(?:[^"]|"")*")\.)?(?:([^\s".]+)|"([^"]*)") \((.*)\) FROM stdin;$/

type Open = { table: string; columns: number; add: AddRow | null }

/**
 * Reads the rows of a plain dump of `pg_dump`, which copies each table as lines of values with tabs between them. The
 * statements around them are not read. Throws `MoveRefused`.
 */
export function readPostgres(lines: Iterable<string>, openTable: OpenTable) {
  let open: Open | null = null
  let isComplete = false
  for (const line of lines) {
    if (open && line === '\\.') open = null
    else if (open) open.add?.(valuesOf(line, open))
    else if (line.startsWith('COPY ')) open = begin(line, openTable)
    else if (line.startsWith('INSERT INTO '))
      throw new MoveRefused(
        'move-dump',
        'The dump holds INSERT statements. Make it with pg_dump --format=plain, without --inserts.',
        { detail: 'INSERT INTO' },
      )
    else if (line === END) isComplete = true
    else requireUtf8(line)
  }
  if (open) throw cutOff(`in the table ${open.table}`)
  if (!isComplete) throw cutOff('before its last table')
}

function begin(line: string, openTable: OpenTable): Open | null {
  const [, plain, quoted, list] = copying.exec(line) ?? []
  const table = plain ?? quoted
  if (table === undefined || list === undefined) return null
  const columns = [...list.matchAll(/"((?:[^"]|"")*)"|[^\s,"]+/g)].map(
    ([name, inQuotes]) => inQuotes?.replaceAll('""', '"') ?? name,
  )
  return { table, columns: columns.length, add: openTable(table, columns) }
}

function valuesOf(line: string, { table, columns }: Open): DumpRow {
  const values = line.split('\t', columns + 1)
  if (values.length !== columns) throw damagedRow(table)
  return values.map(value => (value === '\\N' ? null : value.includes('\\') ? unescaped(value) : value))
}

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const unescaped = (value: string) =>
  value.replace(/\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|([^]))/g, (_, hex?: string, octal?: string, other = '') => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return controls[other] ?? other
  })
