import type { Database } from 'bun:sqlite'

type CleanupReason = 'age' | 'count' | 'listened'

/** A file that is to be removed. */
export type CleanupRow = {
  id: number
  uuid: string
  eid: string
  title: string
  podcast_title: string
  file_size: number
  downloaded_at: number
  reason: CleanupReason
}

type RetentionRules = {
  now: number
  /** Days after its download until a file is removed. */
  days: number
  /** Whether podcasts without their own setting are cleaned up; null = yes. */
  autoCleanup: boolean | null
  /** Number of the newest files of a podcast that stay; null = all. */
  keepLast: number | null
  deleteAfterListened: boolean
  /** Episodes that somebody began since then and has not finished stay; milliseconds. */
  begunSince: number
  /** Ids of episodes that playlists keep downloaded. */
  kept: readonly number[]
}

/** Finds the files that the retention rules remove. */
export const retentionStore = (db: Database) => ({
  /** Oldest first. Files stay that somebody likes, has in a queue or playlist, or is in the middle of. */
  due: ({ now, days, autoCleanup, keepLast, deleteAfterListened, begunSince, kept }: RetentionRules) =>
    db
      .query<CleanupRow, Record<string, number | string | null>>(
        `WITH file AS (
           SELECT e.id, e.uuid, e.eid, e.title, e.podcast_id, coalesce(e.file_size, 0) AS file_size, e.downloaded_at,
                  row_number() OVER (PARTITION BY e.podcast_id ORDER BY e.published_at DESC, e.id DESC) AS place
             FROM episode e WHERE e.file_path IS NOT NULL
         )
         SELECT f.id, f.uuid, f.eid, f.title, p.title AS podcast_title, f.file_size, f.downloaded_at,
                CASE WHEN f.downloaded_at < $now - 86400000 * coalesce(s.auto_cleanup_days, $days) THEN 'age'
                     WHEN f.place > coalesce(s.keep_last, $keepLast) THEN 'count' ELSE 'listened' END AS reason
           FROM file f JOIN podcast p ON p.id = f.podcast_id LEFT JOIN podcast_settings s ON s.podcast_id = p.id
          WHERE coalesce(s.auto_cleanup, $autoCleanup, 1) = 1
            AND (f.downloaded_at < $now - 86400000 * coalesce(s.auto_cleanup_days, $days)
                 OR f.place > coalesce(s.keep_last, $keepLast)
                 OR (coalesce(s.delete_after_listened, $deleteAfterListened) = 1
                     AND EXISTS (SELECT 1 FROM playback h WHERE h.episode_id = f.id AND h.finished = 1)))
            AND NOT EXISTS (SELECT 1 FROM episode_like l WHERE l.episode_id = f.id)
            AND NOT EXISTS (SELECT 1 FROM queue_item q WHERE q.episode_id = f.id)
            AND NOT EXISTS (SELECT 1 FROM saved_queue_item k JOIN saved_queue v ON v.id = k.saved_queue_id
                             WHERE k.episode_id = f.id AND v.deleted_at IS NULL)
            AND NOT EXISTS (SELECT 1 FROM playlist_item i WHERE i.episode_id = f.id)
            AND f.id NOT IN (SELECT value FROM json_each($kept))
            AND NOT EXISTS (SELECT 1 FROM playback h
                             WHERE h.episode_id = f.id AND h.played = 1 AND h.finished = 0 AND h.updated_at > $begunSince)
          ORDER BY f.downloaded_at, f.id`,
      )
      .all({
        now,
        days,
        autoCleanup: autoCleanup === null ? null : Number(autoCleanup),
        keepLast,
        deleteAfterListened: Number(deleteAfterListened),
        begunSince,
        kept: JSON.stringify(kept),
      }),
})
