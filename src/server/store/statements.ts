import { Database, type Statement } from 'bun:sqlite'
import type { WriteLock } from './write-lock'

// There are some 400 statements, of which Bun would keep the last 20 prepared.
const MOST_PREPARED = 500
Database.MAX_QUERY_CACHE_SIZE = MOST_PREPARED

const reads = /^\s*(SELECT|WITH|PRAGMA|EXPLAIN)\b/i
const comparedOrLimit = /(=\s*|\bLIMIT\s+)([$?])/gi

/**
 * Puts a `+` before parameters that are compared with or limit a list. The planner of SQLite inspects the value of a
 * plain parameter, and plans the statement anew each time a value is bound, which takes longer than most of them run.
 * It does not inspect the value of an expression. The plan is the same.
 */
const withFixedPlan = (sql: string) => sql.replaceAll(comparedOrLimit, '$1+$2')

/** Keeps the statements of a database prepared, and makes those that write hold the lock. */
export function setUpStatements(db: Database, lock: WriteLock) {
  const fixed = new Map<string, string>()
  const held = new WeakMap<Statement, Statement>()

  db.query = ((sql: string) => {
    let text = fixed.get(sql)
    if (text === undefined) {
      if (fixed.size >= MOST_PREPARED) fixed.clear()
      fixed.set(sql, (text = withFixedPlan(sql)))
    }
    const statement = Database.prototype.query.call(db, text)
    if (reads.test(text)) return statement
    let one = held.get(statement)
    if (!one) held.set(statement, (one = holdWhile(statement, lock)))
    return one
  }) as Database['query']
}

const holdWhile = (statement: Statement, lock: WriteLock) =>
  ({
    run: (...values: never[]) => lock.hold(() => statement.run(...values)),
    get: (...values: never[]) => lock.hold(() => statement.get(...values)),
    all: (...values: never[]) => lock.hold(() => statement.all(...values)),
  }) as unknown as Statement
