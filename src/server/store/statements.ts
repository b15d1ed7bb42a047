import { Database, type Statement } from 'bun:sqlite'
import type { Writing } from './writing'

// Why: docs/internals/decisions/0057

// There are some 400 statements, of which Bun would keep the last 20 prepared.
const MAX_PREPARED = 500
Database.MAX_QUERY_CACHE_SIZE = MAX_PREPARED

const reads = /^\s*(SELECT|WITH|PRAGMA|EXPLAIN)\b/i
const comparedOrLimit = /(=\s*|\bLIMIT\s+)([$?])/gi

/**
 * Puts a `+` before parameters that are compared with or limit a list. The planner of SQLite inspects the value of a
 * plain parameter, and plans the statement again each time a value is bound, which takes longer than most of them run.
 * It does not inspect the value of an expression. The plan is the same.
 */
const withFixedPlan = (sql: string) => sql.replaceAll(comparedOrLimit, '$1+$2')

/** Keeps the statements of a database prepared, and makes those that write wait for each other. */
export function setUpStatements(db: Database, writing: Writing) {
  const fixed = new Map<string, string>()
  const held = new WeakMap<Statement, Statement>()

  db.query = ((sql: string) => {
    let text = fixed.get(sql)
    if (text === undefined) {
      if (fixed.size >= MAX_PREPARED) fixed.clear()
      fixed.set(sql, (text = withFixedPlan(sql)))
    }
    const statement = Database.prototype.query.call(db, text)
    if (reads.test(text)) return statement
    let one = held.get(statement)
    if (!one) held.set(statement, (one = holdWhile(statement, writing)))
    return one
  }) as Database['query']
}

const holdWhile = (statement: Statement, { hold }: Writing) =>
  ({
    run: (...values: never[]) => hold(() => statement.run(...values)),
    get: (...values: never[]) => hold(() => statement.get(...values)),
    all: (...values: never[]) => hold(() => statement.all(...values)),
  }) as unknown as Statement
