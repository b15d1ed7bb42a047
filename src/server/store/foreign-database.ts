import { constants, Database, type Statement } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { Problem } from '../platform/problem'

/** A database of another program cannot be read; the message says why and what to do. */
export class ForeignDatabaseError extends Problem {
  override name = 'ForeignDatabaseError'
}

/**
 * Columns that an import reads. `keys` join tables and are read as they are. If `must` or `keys` are missing, the
 * import ends; `may` are null then.
 */
export type ForeignTable = { keys?: readonly string[]; must?: readonly string[]; may?: readonly string[] }

/** A value of another program: of any type, whatever its column says. */
export type ForeignRow = Record<string, unknown>

export type ForeignDatabase = ReturnType<typeof openForeign>

/** The length of SQLite's own words that are shown. */
const MAX_DETAIL = 200
const MAX_ROWS = 2_000_000
/** Longer values count as missing, and are not even loaded. */
const MAX_VALUE_BYTES = 1_000_000

const TOO_LARGE = 'Reading this file needs more memory than an import may use. It is damaged, or not a library.'

/** Sorting takes twice this in addition; more would not make it faster. */
const CACHE_KB = 256

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Opens a copy of another program's database, which nobody else may write to, and never changes it. Throws
 * `ForeignDatabaseError` for a damaged file. Nothing evaluates an expression of the file: its views, triggers, virtual
 * tables, checks and indexes are never used, and a table with generated columns is refused. `isChecked`: all of its
 * pages were checked before, which takes a second for half a gigabyte.
 */
export function openForeign(path: string, isChecked = false) {
  const db = open(path)
  const tables = new Set(listTables(db))
  // Generated columns are not listed.
  const columns = (table: string) =>
    db
      .query<{ name: string }, [string]>(`SELECT name FROM pragma_table_info(?, 'main')`)
      .all(table)
      .map(({ name }) => name)

  return {
    hasTables: (...names: string[]) => names.every(name => tables.has(name)),
    hasColumn: (table: string, column: string) => tables.has(table) && columns(table).includes(column),
    userVersion: () => db.query<{ user_version: number }, []>('PRAGMA main.user_version').get()!.user_version,
    /**
     * Lets queries read these tables by their names, each with exactly the columns given; an absent table is empty.
     * Throws `ForeignDatabaseError` with the name of a column that must be there, and for a table that is damaged or
     * has generated columns.
     */
    use(wanted: Record<string, ForeignTable>) {
      for (const [table, columnsOfTable] of Object.entries(wanted)) {
        const present = tables.has(table) ? new Set(columns(table)) : null
        if (present) requireSound(db, table, isChecked)
        db.run(`CREATE TEMP VIEW IF NOT EXISTS ${quoted(table)} AS ${selectFrom(table, columnsOfTable, present)}`)
      }
    },
    /** Reads row by row. Throws `ForeignDatabaseError` after `most` rows, and for a damaged page. */
    *rows(sql: string, most = MAX_ROWS): Generator<ForeignRow, void> {
      let count = 0
      try {
        for (const row of db.prepare<ForeignRow, []>(sql).iterate()) {
          if (++count > most)
            throw new ForeignDatabaseError('move-too-many', `The file has more than ${most} rows`, {
              limit: String(most),
            })
          yield row
        }
      } catch (error) {
        throw explained(error)
      }
    },
    close: () => db.close(),
  }
}

/**
 * Moves the log of a copied database into it, so that the file alone holds everything. Throws `ForeignDatabaseError`.
 */
export function mergeForeignLog(path: string) {
  try {
    const db = new Database(path, { readwrite: true, create: false })
    try {
      db.run('PRAGMA trusted_schema = OFF')
      db.run('PRAGMA wal_checkpoint(TRUNCATE)')
      db.run('PRAGMA journal_mode = DELETE')
    } finally {
      db.close()
    }
  } catch (error) {
    throw explained(error)
  }
}

function open(path: string): Database {
  try {
    const address = `file:${encodeURI(path).replaceAll('?', '%3f').replaceAll('#', '%23')}?mode=ro&immutable=1`
    const db = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
    db.run('PRAGMA trusted_schema = OFF')
    db.run('PRAGMA cell_size_check = ON')
    db.run(`PRAGMA cache_size = -${CACHE_KB}`)
    // CHECK constraints are expressions of the file.
    db.run('PRAGMA ignore_check_constraints = ON')
    return db
  } catch (error) {
    throw explained(error)
  }
}

/** Lists the real tables. A virtual one has no page, unless its row is wrong about that. */
function listTables(db: Database): string[] {
  try {
    return db
      .query<{ name: string }, []>(
        `SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0 AND sql LIKE 'CREATE TABLE %'`,
      )
      .all()
      .map(({ name }) => name)
  } catch (error) {
    db.close()
    throw explained(error)
  }
}

/** Columns that are computed, when they are read or when a row is written. */
const GENERATED = new Set([2, 3])

/** Throws `ForeignDatabaseError` for a damaged table, or one with generated columns, which the check would compute. */
function requireSound(db: Database, table: string, isChecked: boolean) {
  try {
    const generated = db
      .query<{ name: string; hidden: number }, [string]>(`SELECT name, hidden FROM pragma_table_xinfo(?, 'main')`)
      .all(table)
      .find(({ hidden }) => GENERATED.has(hidden))
    if (generated)
      throw new ForeignDatabaseError(
        'move-damaged',
        `The column ${generated.name.slice(0, 100)} of the table ${table} is a formula. No program that Castellan ` +
          'knows writes such a file.',
        { detail: `${table}.${generated.name.slice(0, 100)}` },
      )
    const damage = isChecked ? undefined : findPageDamage(db, table)
    if (damage !== undefined)
      throw new ForeignDatabaseError(
        'move-damaged',
        `The file is damaged (${damage}). Export it again, or copy all of it.`,
        { detail: damage.slice(0, MAX_DETAIL) },
      )
  } catch (error) {
    throw explained(error)
  }
}

/**
 * Reads the pages of one table and its indexes: the check of a whole file would call the code of its virtual tables. A
 * value that its column does not allow doesn't count as damage.
 */
const findPageDamage = (db: Database, table: string): string | undefined =>
  db
    .query<{ quick_check: string }, []>(`PRAGMA main.quick_check(${quoted(table)})`)
    .all()
    .map(row => row.quick_check)
    .find(line => line !== 'ok' && !/^(NULL value in|NUMERIC value in|TEXT value in|non-)/.test(line))

function selectFrom(table: string, { keys = [], must = [], may = [] }: ForeignTable, present: Set<string> | null) {
  const missing = present && [...keys, ...must].find(column => !present.has(column))
  if (missing)
    throw new ForeignDatabaseError(
      'move-version',
      `The table ${table} has no column ${missing}: this version is not known.`,
      { detail: `${table}.${missing}` },
    )
  const bounded = (column: string) =>
    `CASE WHEN octet_length(${quoted(column)}) <= ${MAX_VALUE_BYTES} THEN ${quoted(column)} END AS ${quoted(column)}`
  const nothing = (column: string) => `NULL AS ${quoted(column)}`
  if (!present) return `SELECT ${[...keys, ...must, ...may].map(nothing).join(', ')} WHERE false`
  const selected = [
    ...keys.map(quoted),
    ...[...must, ...may].map(column => (present.has(column) ? bounded(column) : nothing(column))),
  ]
  return `SELECT ${selected.join(', ')} FROM main.${quoted(table)}`
}

function explained(error: unknown): unknown {
  if (error instanceof ForeignDatabaseError || !(error instanceof Error) || !/SQLite/.test(error.name)) return error
  if (/out of memory|too big/.test(error.message)) return new ForeignDatabaseError('move-too-much', TOO_LARGE)
  return new ForeignDatabaseError('move-damaged', `The file cannot be read as a database (${error.message})`, {
    detail: error.message.slice(0, MAX_DETAIL),
  })
}

/** A column of text, or of what may be a number. */
type NewColumn = { name: string; isNumber: boolean; isIndexed: boolean }

export type ForeignTables = ReturnType<typeof createForeignTables>

/**
 * Creates a database for rows that another program wrote as text. It is complete after `end`, and unusable before.
 * Throws `ForeignDatabaseError` where it cannot be written.
 */
export function createForeignTables(path: string) {
  writeFileSync(path, '', { mode: 0o600 })
  const db = new Database(path)
  db.run('PRAGMA journal_mode = OFF')
  db.run('PRAGMA synchronous = OFF')
  db.run('BEGIN')
  const indexed: [table: string, column: string][] = []
  const inserts: Statement[] = []
  return {
    /** Makes a table, and returns the function that adds a row to it. Longer values count as missing. */
    add(table: string, columns: readonly NewColumn[]) {
      if (columns.length === 0)
        throw new ForeignDatabaseError(
          'move-version',
          `The table ${table} has none of its columns: this version is not known.`,
          { detail: table },
        )
      const list = columns.map(({ name, isNumber }) => `${quoted(name)} ${isNumber ? 'NUMERIC' : 'TEXT'}`)
      db.run(`CREATE TABLE ${quoted(table)} (${list.join(', ')})`)
      for (const { name, isIndexed } of columns) if (isIndexed) indexed.push([table, name])
      const insert = db.prepare(`INSERT INTO ${quoted(table)} VALUES (${columns.map(() => '?').join(', ')})`)
      inserts.push(insert)
      return (row: readonly (string | null)[]) =>
        orExplained(() =>
          insert.run(...row.map(value => (value !== null && value.length > MAX_VALUE_BYTES ? null : value))),
        )
    },
    end() {
      orExplained(() => {
        for (const [table, column] of indexed)
          db.run(`CREATE INDEX ${quoted(`${table} ${column}`)} ON ${quoted(table)} (${quoted(column)})`)
        db.run('COMMIT')
      })
    },
    close() {
      for (const insert of inserts) insert.finalize()
      db.close()
    },
  }
}

function orExplained(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Error) || !/SQLite/.test(error.name)) throw error
    throw new ForeignDatabaseError('move-damaged', `The rows of the dump cannot be written (${error.message})`, {
      detail: error.message.slice(0, MAX_DETAIL),
    })
  }
}
