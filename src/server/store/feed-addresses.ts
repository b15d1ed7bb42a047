import type { Database } from 'bun:sqlite'

/** Addresses of feeds, and the sealed user names and passwords that some of them ask for. */
export const feedAddresses = (db: Database) => ({
  /** Gives a podcast a new feed address; the old one stays known as an alias. */
  move(
    id: number,
    from: string,
    to: string,
    { privacy, keepsCredential }: { privacy: number; keepsCredential: boolean },
  ) {
    db.query('DELETE FROM feed_alias WHERE url = ?').run(to)
    db.query('INSERT OR REPLACE INTO feed_alias (url, podcast_id) VALUES (?, ?)').run(from, id)
    db.query('UPDATE podcast SET feed_url = ?, private = ?, announced_feed_url = NULL WHERE id = ?').run(
      to,
      privacy,
      id,
    )
    if (!keepsCredential) db.query('DELETE FROM feed_credential WHERE podcast_id = ?').run(id)
  },
  /** Remembers an announced address that does not answer yet; null = none is announced. */
  announceMove(id: number, url: string | null) {
    db.query('UPDATE podcast SET announced_feed_url = ? WHERE id = ?').run(url, id)
  },
  addAlias(id: number, url: string) {
    db.query('INSERT OR IGNORE INTO feed_alias (url, podcast_id) VALUES (?, ?)').run(url, id)
  },

  findCredential: (id: number) =>
    db.query<{ sealed: Uint8Array }, [number]>('SELECT sealed FROM feed_credential WHERE podcast_id = ?').get(id)
      ?.sealed ?? null,
  setCredential(id: number, sealed: Uint8Array) {
    db.query('INSERT OR REPLACE INTO feed_credential (podcast_id, sealed) VALUES (?, ?)').run(id, sealed)
  },
  removeCredential(id: number) {
    db.query('DELETE FROM feed_credential WHERE podcast_id = ?').run(id)
  },
})
