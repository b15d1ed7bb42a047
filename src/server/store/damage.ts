import type { Database } from 'bun:sqlite'

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
