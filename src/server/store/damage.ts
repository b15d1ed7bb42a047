import type { Database } from 'bun:sqlite'

/** What a walk through all pages finds wrong first; null = nothing. Indexes are not compared with their tables, which takes far longer. */
export const quickDamageOf = (db: Database): string | null =>
  db
    .query<{ quick_check: string }, []>('PRAGMA quick_check(1)')
    .all()
    .map(row => row.quick_check)
    .find(line => line !== 'ok') ?? null

/** What SQLite finds wrong, in its words: with the database, and with the index of the search, which can be made anew. */
export function damageOf(db: Database): { database: string | null; index: string | null } {
  const lines = db
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check(100)')
    .all()
    .map(row => row.integrity_check)
    .filter(line => line !== 'ok')
  const isOfIndex = (line: string) => /\b(title|text)_index\b/.test(line)
  return { database: lines.find(line => !isOfIndex(line)) ?? null, index: lines.find(isOfIndex) ?? null }
}
