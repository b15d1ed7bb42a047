import type { Database } from 'bun:sqlite'
import type { Notice } from './notifications'
import { visibleToUser } from './visibility'

// Each user gets one notification for an episode: one about its download takes the place of one about its publication.
// Hidden episodes are left out. The joins are in this order: from what is due, which is little.
const due = `
  WITH reason (user_id, type, episode_id, batch, is_new) AS (
    SELECT user_id, iif(outcome = 'done', 'Download', 'DownloadFailed'), episode_id, asked_at, 0
      FROM download_request INDEXED BY download_request_due WHERE outcome IS NOT NULL
     UNION ALL
    SELECT u.id, 'DownloadFailed', f.episode_id, e.first_seen_at, 0
      FROM download_failure f INDEXED BY download_failure_due
     CROSS JOIN episode e ON e.id = f.episode_id CROSS JOIN user u ON u.role = 'admin'
     WHERE f.notified = 0
     UNION ALL
    SELECT u.id, iif(a.state = 'downloaded', 'Download', 'NewEpisodes'), a.episode_id, e.first_seen_at, 1
      FROM announcement a INDEXED BY announcement_due
     CROSS JOIN episode e ON e.id = a.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
     CROSS JOIN user u ON u.id IN (SELECT p.added_by UNION SELECT user_id FROM favourite WHERE podcast_id = p.id)
     WHERE a.state IN ('published', 'downloaded')
  ), once AS (
    SELECT user_id, min(type) AS type, episode_id, max(batch) AS batch, max(is_new) AS is_new
      FROM reason GROUP BY user_id, episode_id
  )
  SELECT o.user_id AS userId, o.type, p.id AS podcastId, p.title AS podcastTitle, o.batch, count(*) AS episodeCount,
         max(e.id) AS episodeId, e.title AS episodeTitle, o.is_new AS isNew, json_group_array(e.id) AS episodeIds
    FROM once o
   CROSS JOIN user u ON u.id = o.user_id
   CROSS JOIN episode e ON e.id = o.episode_id
   CROSS JOIN podcast p ON p.id = e.podcast_id
   WHERE ${visibleToUser}
   GROUP BY o.user_id, o.type, p.id, o.batch, o.is_new
   ORDER BY max(e.id)`

/** A notice with all of its episodes. `isNew` 1: they were published just now; 0: somebody asked for their download. */
export type DueNotice = Notice & {
  isNew: number
  /** JSON array of ids, in no order. */
  episodeIds: string
}

/**
 * Notifications to be made. They are noted in the transaction of their cause, by the code that stores new episodes
 * and by triggers on downloads, so that a process killed in between makes them after its next start.
 */
export const announcementStore = (db: Database) => ({
  add(episodeId: number, state: 'reading' | 'downloading') {
    db.query('INSERT OR IGNORE INTO announcement (episode_id, state) VALUES (?, ?)').run(episodeId, state)
  },
  /** Marks that a feed was stored to its end: its new episodes are announced together; null = all feeds. */
  markPublished(podcastId: number | null) {
    db.query<null, { podcastId: number | null }>(
      `UPDATE announcement SET state = 'published'
        WHERE state = 'reading'
          AND ($podcastId IS NULL OR episode_id IN (SELECT id FROM episode WHERE podcast_id = $podcastId))`,
    ).run({ podcastId })
  },
  /** Notifications to be made. */
  listDue: () => db.query<DueNotice, []>(due).all(),
  isDue: () =>
    db
      .query<{ due: number }, []>(
        `SELECT EXISTS (SELECT 1 FROM announcement INDEXED BY announcement_due WHERE state IN ('published', 'downloaded'))
             OR EXISTS (SELECT 1 FROM download_request INDEXED BY download_request_due WHERE outcome IS NOT NULL)
             OR EXISTS (SELECT 1 FROM download_failure INDEXED BY download_failure_due WHERE notified = 0) AS due`,
      )
      .get()!.due === 1,
  /** Marks that all due notifications were made. */
  markNotified() {
    db.query("DELETE FROM announcement INDEXED BY announcement_due WHERE state IN ('published', 'downloaded')").run()
    db.query('DELETE FROM download_request INDEXED BY download_request_due WHERE outcome IS NOT NULL').run()
    db.query('UPDATE download_failure INDEXED BY download_failure_due SET notified = 1 WHERE notified = 0').run()
  },
})
