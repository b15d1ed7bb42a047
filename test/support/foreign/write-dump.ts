import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'

export type DumpStyle = 'postgres' | 'mysql' | 'mariadb'

type Value = string | number | null
type Column = { name: string; isFlag: boolean }
type Table = { name: string; columns: Column[]; rows: Value[][] }
type Options = {
  /** Columns of a table as the dump has them: in another order, or without some. */
  arrange?: (table: string, columns: string[]) => string[]
  /** Without the statements that make tables: `complete` names the columns in the others. */
  dataOnly?: 'plain' | 'complete'
}

/** Writes a database as another database server would dump it as text. Columns of the type BOOLEAN hold flags. */
export function writeDump(path: string, database: string, style: DumpStyle, options: Options = {}) {
  const tables = readTables(database, options)
  const text = style === 'postgres' ? postgres(tables) : mysql(tables, style, options.dataOnly)
  writeFileSync(path, text)
  return path
}

function readTables(path: string, { arrange = (_, columns) => columns }: Options): Table[] {
  const db = new Database(path, { readonly: true })
  try {
    const names = db.query<{ name: string }, []>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    return names.all().map(({ name }) => {
      const types = db.query<{ name: string; type: string }, [string]>('SELECT name, type FROM pragma_table_info(?)')
      const flags = new Map(types.all(name).map(column => [column.name, column.type === 'BOOLEAN']))
      const columns = arrange(name, [...flags.keys()]).map(one => ({ name: one, isFlag: flags.get(one)! }))
      const list = columns.map(column => `"${column.name}"`).join(', ')
      return { name, columns, rows: db.query<never, []>(`SELECT ${list} FROM "${name}"`).values() as Value[][] }
    })
  } finally {
    db.close()
  }
}

const lowered = (name: string) => (name === name.toLowerCase() ? name : `"${name}"`)

const postgres = (tables: readonly Table[]) => `--
-- PostgreSQL database dump
--

\\restrict vWbTwvnRnSQKfDRnMQJzI9CVt2VmuzQdRZ9UPbWJVTf9Zq9sPRhmZ6ZDMcbe2Tq

-- Dumped from database version 15.18
-- Dumped by pg_dump version 15.18

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SELECT pg_catalog.set_config('search_path', '', false);

${tables.map(copyOf).join('\n')}
--
-- PostgreSQL database dump complete
--

\\unrestrict vWbTwvnRnSQKfDRnMQJzI9CVt2VmuzQdRZ9UPbWJVTf9Zq9sPRhmZ6ZDMcbe2Tq

`

/** Reserved words are in quotes, as PostgreSQL writes them. */
const copyOf = ({ name, columns, rows }: Table) => `--
-- Data for Name: ${name}; Type: TABLE DATA; Schema: public; Owner: pod
--

COPY public.${lowered(name)} (${columns.map(column => postgresName(column.name)).join(', ')}) FROM stdin;
${rows.map(row => `${row.map((value, at) => copied(value, columns[at]!)).join('\t')}\n`).join('')}\\.

`

const postgresName = (name: string) =>
  /^(position|timestamp)$/i.test(name) ? `"${name.toLowerCase()}"` : name.toLowerCase()

function copied(value: Value, { isFlag }: Column): string {
  if (value === null) return '\\N'
  if (isFlag) return value === 0 ? 'f' : 't'
  return String(value).replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}

const mysql = (tables: readonly Table[], style: DumpStyle, dataOnly: Options['dataOnly']) =>
  `${style === 'mariadb' ? '/*M!999999\\- enable the sandbox mode */ \n' : ''}-- ${style === 'mariadb' ? 'MariaDB' : 'MySQL'} dump 10.13  Distrib 8.0.36
--
-- Host: the server's own    Database: pod
-- ------------------------------------------------------
/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET TIME_ZONE='+00:00' */;

${tables.map(table => (dataOnly ? '' : creationOf(table)) + insertionOf(table, style, dataOnly === 'complete')).join('\n')}
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2026-03-05 10:00:00
`

const creationOf = ({ name, columns }: Table) => `DROP TABLE IF EXISTS \`${name}\`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
CREATE TABLE \`${name}\` (
${columns.map(column => `  \`${column.name}\` text COMMENT 'with a ; and a ''quote''',`).join('\n')}
  PRIMARY KEY (\`${columns[0]!.name}\`),
  KEY \`second\` (\`${columns.at(-1)!.name}\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
`

function insertionOf({ name, columns, rows }: Table, style: DumpStyle, isComplete: boolean): string {
  if (rows.length === 0) return ''
  const [before, between] = style === 'mariadb' ? ['\n', ',\n'] : [' ', ',']
  const values = rows.map(row => `(${row.map(written).join(',')})`).join(between)
  const list = isComplete ? ` (${columns.map(column => `\`${column.name}\``).join(', ')})` : ''
  return `LOCK TABLES \`${name}\` WRITE;\nINSERT INTO \`${name}\`${list} VALUES${before}${values};\nUNLOCK TABLES;\n`
}

const escapes: Record<string, string> = { '\\': '\\\\', "'": "\\'", '"': '\\"', '\n': '\\n', '\r': '\\r', '\0': '\\0' }

function written(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  // eslint-disable-next-line no-control-regex
  return `'${value.replace(/[\\'"\n\r\0]/g, found => escapes[found]!)}'`
}
