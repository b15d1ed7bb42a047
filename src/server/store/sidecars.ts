import type { Database } from 'bun:sqlite'

type SidecarRow = { path: string; episode_id: number | null; digest: string | null }

/** No file: an episode whose sidecars are to be looked at. */
const DUE = ''

/** Files that were written next to those of episodes. */
export const sidecarStore = (db: Database) => ({
  /** Episodes whose sidecars are to be looked at. */
  due: (limit: number) =>
    db
      .query<{ id: number }, [number]>(
        `SELECT episode_id AS id FROM sidecar WHERE path = '${DUE}' AND episode_id IS NOT NULL LIMIT ?`,
      )
      .all(limit)
      .map(({ id }) => id),
  /** Has all sidecars of a podcast looked at. */
  recheck(podcastId: number) {
    db.query(
      `INSERT OR IGNORE INTO sidecar (path, episode_id)
       SELECT '${DUE}', e.id FROM episode e
        WHERE e.podcast_id = ? AND e.file_path IS NOT NULL
          AND EXISTS (SELECT 1 FROM sidecar s WHERE s.episode_id = e.id)`,
    ).run(podcastId)
  },
  /** The sidecars of an episode were looked at. */
  lookedAt(episodeId: number) {
    db.query(`DELETE FROM sidecar WHERE path = '${DUE}' AND episode_id = ?`).run(episodeId)
  },

  pathsOf: (episodeId: number) =>
    db
      .query<Pick<SidecarRow, 'path'>, [number]>(`SELECT path FROM sidecar WHERE episode_id = ? AND path <> '${DUE}'`)
      .all(episodeId)
      .map(({ path }) => path),
  /** Whether a path was noted, so that a file there is ours. */
  isOurs: (path: string) =>
    db.query<{ one: number }, [string]>('SELECT 1 AS one FROM sidecar WHERE path = ? LIMIT 1').get(path) !== null,
  /** Whether an episode needs the path, another one than this. */
  isNeeded: (path: string, besides: number | null) =>
    db
      .query<{ one: number }, [string, number | null]>(
        `SELECT 1 AS one FROM sidecar WHERE path = ? AND episode_id IS NOT NULL AND episode_id IS NOT ? LIMIT 1`,
      )
      .get(path, besides) !== null,
  /** The digest of what was last written there; null = nothing, or not to its end. */
  digestOf: (path: string) =>
    db
      .query<Pick<SidecarRow, 'digest'>, [string]>(
        'SELECT digest FROM sidecar WHERE path = ? AND digest IS NOT NULL LIMIT 1',
      )
      .get(path)?.digest ?? null,
  /** Notes that an episode needs a path, before it is written there. */
  note(path: string, episodeId: number) {
    db.query('INSERT OR IGNORE INTO sidecar (path, episode_id) VALUES (?, ?)').run(path, episodeId)
  },
  /** Notes what is written there now. */
  settle(path: string, digest: string) {
    db.query<null, { path: string; digest: string }>(
      'UPDATE sidecar SET digest = $digest WHERE path = $path AND digest IS NOT $digest',
    ).run({ path, digest })
  },
  /** The episode needs the path no more. */
  release(path: string, episodeId: number) {
    db.query('DELETE FROM sidecar WHERE path = ? AND episode_id = ?').run(path, episodeId)
  },

  /** Paths of episodes that are gone. */
  orphans: (limit: number) =>
    db
      .query<Pick<SidecarRow, 'path'>, [number]>('SELECT DISTINCT path FROM sidecar WHERE episode_id IS NULL LIMIT ?')
      .all(limit)
      .map(({ path }) => path),
  releaseOrphans(path: string) {
    db.query('DELETE FROM sidecar WHERE path = ? AND episode_id IS NULL').run(path)
  },
})
