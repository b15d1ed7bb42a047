import type { Database } from 'bun:sqlite'

export type BegunRow = {
  kind: string
  key: string
  label: string
  deaths: number
  is_running: number
  begun_at: number
  set_aside_at: number | null
}

const MAX_LABEL = 300

/** Work that a start resumes, and what was set aside of it. */
export const begunWorkStore = (db: Database) => ({
  find: (kind: string, key: string): BegunRow | null =>
    db.query<BegunRow, [string, string]>('SELECT * FROM begun_work WHERE kind = ? AND key = ?').get(kind, key),
  /** `deaths`: those that count against an item of a batch that one interrupted. */
  begin({ kind, key, label, deaths }: { kind: string; key: string; label: string; deaths: number }, now: number) {
    db.query(
      `INSERT INTO begun_work (kind, key, label, deaths, is_running, begun_at) VALUES (?, ?, ?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET is_running = 1, begun_at = excluded.begun_at, label = excluded.label`,
    ).run(kind, key, label.slice(0, MAX_LABEL), deaths, now)
  },
  /** Forgets work that ended, or that a person wants tried again. Returns whether it was known. */
  remove: (kind: string, key: string): boolean =>
    db.query('DELETE FROM begun_work WHERE kind = ? AND key = ?').run(kind, key).changes > 0,
  /** Notes that an orderly stop interrupts what runs, and no death. */
  stopAll: () => db.query('UPDATE begun_work SET is_running = 0 WHERE is_running = 1').run(),
  /** Counts a death of everything that runs, and sets aside what has `most` of them. */
  countDeaths(most: number, now: number) {
    db.query('UPDATE begun_work SET deaths = deaths + 1, is_running = 0 WHERE is_running = 1').run()
    db.query('UPDATE begun_work SET set_aside_at = ? WHERE set_aside_at IS NULL AND deaths >= ?').run(now, most)
  },
  listSetAside: (): BegunRow[] =>
    db.query<BegunRow, []>('SELECT * FROM begun_work WHERE set_aside_at IS NOT NULL ORDER BY kind, label').all(),
})
