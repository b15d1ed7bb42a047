import type { Database } from 'bun:sqlite'
import { FOLDER_SCHEME } from './feeds'

/** A picture that was fetched, or failed; times in milliseconds. */
export type CoverRow = {
  id: number
  podcast_id: number
  url: string
  digest: string | null
  type: string | null
  fetched_at: number | null
  failures: number
  retry_at: number | null
  /** `#rrggbb`; empty = the picture has none; null = not determined yet. */
  color: string | null
}

/** Covers, stored by podcast and address, so that no feed can replace the picture of another. */
export const coverStore = (db: Database) => ({
  find: (podcastId: number, url: string) =>
    db.query<CoverRow, [number, string]>('SELECT * FROM cover WHERE podcast_id = ? AND url = ?').get(podcastId, url),
  keep(podcastId: number, url: string, cover: { digest: string; type: string; color: string; now: number }) {
    db.query<null, Record<string, string | number>>(
      `INSERT INTO cover (podcast_id, url, digest, type, color, fetched_at)
       VALUES ($podcastId, $url, $digest, $type, $color, $now)
       ON CONFLICT DO UPDATE SET digest = $digest, type = $type, color = $color, fetched_at = $now,
                                 failures = 0, retry_at = NULL`,
    ).run({ podcastId, url, ...cover })
  },
  forget(podcastId: number, url: string) {
    db.query('DELETE FROM cover WHERE podcast_id = ? AND url = ?').run(podcastId, url)
  },
  /**
   * Forgets pictures that neither a podcast nor its episodes name as theirs any more, if they were fetched before a
   * moment; returns their digests. Other pictures, such as portraits, are fetched again when they are shown.
   */
  forgetFormer: (podcastId: number, before: number): string[] =>
    db
      .query<{ digest: string | null }, { podcastId: number; before: number }>(
        `DELETE FROM cover
          WHERE podcast_id = $podcastId AND coalesce(fetched_at, retry_at) < $before
            AND substr(url, 1, ${FOLDER_SCHEME.length}) <> '${FOLDER_SCHEME}'
            AND url IS NOT (SELECT image_url FROM podcast WHERE id = $podcastId)
            AND url NOT IN (SELECT image_url FROM episode WHERE podcast_id = $podcastId AND image_url IS NOT NULL)
      RETURNING digest`,
      )
      .all({ podcastId, before })
      .flatMap(({ digest }) => digest ?? []),
  fail(podcastId: number, url: string, retryAt: number) {
    db.query<null, Record<string, string | number>>(
      `INSERT INTO cover (podcast_id, url, failures, retry_at) VALUES ($podcastId, $url, 1, $retryAt)
       ON CONFLICT DO UPDATE SET failures = failures + 1, retry_at = $retryAt`,
    ).run({ podcastId, url, retryAt })
  },
  /** Podcasts whose own cover was not fetched yet, or before `staleBefore`. */
  due: (now: number, staleBefore: number, limit: number) =>
    db
      .query<{ podcast_id: number; url: string }, [number, number, number]>(
        `SELECT p.id AS podcast_id, p.image_url AS url
           FROM podcast p LEFT JOIN cover c ON c.podcast_id = p.id AND c.url = p.image_url
          WHERE p.image_url IS NOT NULL AND substr(p.image_url, 1, ${FOLDER_SCHEME.length}) <> '${FOLDER_SCHEME}'
            AND coalesce(c.retry_at, 0) <= ? AND coalesce(c.fetched_at, 0) < ?
          LIMIT ?`,
      )
      .all(now, staleBefore, limit),
  /** The colour of a picture that is stored under any address; null = not determined yet. */
  findColor: (digest: string) =>
    db
      .query<{ color: string }, [string]>('SELECT color FROM cover WHERE digest = ? AND color IS NOT NULL LIMIT 1')
      .get(digest)?.color ?? null,
  setColor(digest: string, color: string | null) {
    db.query('UPDATE cover SET color = ? WHERE digest = ?').run(color, digest)
  },
  /** Pictures whose colour is not determined yet: stored by a version without colours. */
  listColorless: (limit: number) =>
    db
      .query<{ digest: string }, [number]>(
        'SELECT DISTINCT digest FROM cover WHERE digest IS NOT NULL AND color IS NULL LIMIT ?',
      )
      .all(limit)
      .map(row => row.digest),
  /** The title of a podcast that uses a picture; null if none does any more. */
  findTitle: (digest: string) =>
    db
      .query<{ title: string }, [string]>(
        'SELECT p.title FROM cover c JOIN podcast p ON p.id = c.podcast_id WHERE c.digest = ? LIMIT 1',
      )
      .get(digest)?.title ?? null,
  /** Some pictures of a podcast, which may be removed already. */
  someOf: (podcastId: number, most: number) =>
    db
      .query<Pick<CoverRow, 'id' | 'digest'>, [number, number]>(
        'SELECT id, digest FROM cover WHERE podcast_id = ? LIMIT ?',
      )
      .all(podcastId, most),
  remove(id: number) {
    db.query('DELETE FROM cover WHERE id = ?').run(id)
  },
  /** Whether a picture belongs to anything but these rows. */
  isUsedBeyond: (digest: string, ids: readonly number[]) =>
    db
      .query<{ one: number }, [string, string]>(
        'SELECT 1 AS one FROM cover WHERE digest = ? AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1',
      )
      .get(digest, JSON.stringify(ids)) !== null,
  isUsed: (digest: string) =>
    db.query<{ one: number }, [string]>('SELECT 1 AS one FROM cover WHERE digest = ?').get(digest) !== null,
})

type SidecarRow = { path: string; episode_id: number | null; digest: string | null }

/** No file: an episode whose sidecars must be checked. */
const DUE = ''

/** Files that were written next to those of episodes. */
export const sidecarStore = (db: Database) => ({
  /** Episodes whose sidecars must be checked. */
  due: (limit: number) =>
    db
      .query<{ id: number }, [number]>(
        `SELECT episode_id AS id FROM sidecar WHERE path = '${DUE}' AND episode_id IS NOT NULL LIMIT ?`,
      )
      .all(limit)
      .map(({ id }) => id),
  /** Marks all sidecars of a podcast for checking. */
  recheck(podcastId: number) {
    db.query(
      `INSERT OR IGNORE INTO sidecar (path, episode_id)
       SELECT '${DUE}', e.id FROM episode e
        WHERE e.podcast_id = ? AND e.file_path IS NOT NULL
          AND EXISTS (SELECT 1 FROM sidecar s WHERE s.episode_id = e.id)`,
    ).run(podcastId)
  },
  /** Notes that the sidecars of an episode were checked. */
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
  /** Whether an episode other than this one needs the path. */
  isNeeded: (path: string, besides: number | null) =>
    db
      .query<{ one: number }, [string, number | null]>(
        `SELECT 1 AS one FROM sidecar WHERE path = ? AND episode_id IS NOT NULL AND episode_id IS NOT ? LIMIT 1`,
      )
      .get(path, besides) !== null,
  /** The digest of what was last written there; null = nothing, or not completely. */
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
  /** Notes that the episode no longer needs the path. */
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
