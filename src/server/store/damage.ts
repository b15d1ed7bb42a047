import type { Database } from 'bun:sqlite'

/**
 * Reads all pages; answers the first damage, null = none. Skips comparing indexes with tables, which takes far
 * longer.
 */
export const findPageDamage = (db: Database): string | null =>
  db
    .query<{ quick_check: string }, []>('PRAGMA quick_check(1)')
    .all()
    .map(row => row.quick_check)
    .find(line => line !== 'ok') ?? null

/** Checks everything; answers the first damage in the words of SQLite. The search index is apart: it can be rebuilt. */
export function findDamage(db: Database): { database: string | null; index: string | null } {
  const lines = db
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check(100)')
    .all()
    .map(row => row.integrity_check)
    .filter(line => line !== 'ok')
  const isOfIndex = (line: string) => /\b(title|text)_index\b/.test(line)
  return { database: lines.find(line => !isOfIndex(line)) ?? null, index: lines.find(isOfIndex) ?? null }
}
