import { MoveRefused } from '../refused'
import { cutOff, damagedRow, requireUtf8, type AddRow, type DumpRow, type OpenTable } from './table'

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
      throw new MoveRefused('The dump holds INSERT statements. Make it with pg_dump --format=plain, without --inserts.')
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
