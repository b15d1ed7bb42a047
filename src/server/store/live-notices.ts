import type { Database } from 'bun:sqlite'

/** A live stream that was seen to be on. */
export type LiveNoticeRow = { podcast_id: number; guid: string; title: string; seen_at: number; notified: number }

/** A person who is notified of a live stream: they added the podcast, or made it a favourite. */
export type DueLiveNotice = {
  userId: number
  podcastId: number
  podcastUuid: string
  podcastTitle: string
  title: string
}

/** The live streams that people are notified of, each once. */
export const liveNoticeStore = (db: Database) => ({
  /** Notes a stream that is on; answers whether it is a new one. `isQuiet`: nobody is notified of it. */
  note: (stream: Omit<LiveNoticeRow, 'notified'>, isQuiet: boolean): boolean =>
    db
      .query<null, Record<string, string | number>>(
        `INSERT OR IGNORE INTO live_notice (podcast_id, guid, title, seen_at, notified)
         VALUES ($podcast_id, $guid, $title, $seen_at, $notified)`,
      )
      .run({ ...stream, notified: Number(isQuiet) }).changes > 0,
  /** Number of a podcast's streams that were seen since a moment. */
  countSince: (podcastId: number, since: number): number =>
    db
      .query<{ total: number }, [number, number]>(
        'SELECT count(*) AS total FROM live_notice WHERE podcast_id = ? AND seen_at >= ?',
      )
      .get(podcastId, since)!.total,
  removeBefore(podcastId: number, before: number) {
    db.query('DELETE FROM live_notice WHERE podcast_id = ? AND seen_at < ? AND notified = 1').run(podcastId, before)
  },
  listDue: () =>
    db
      .query<DueLiveNotice, []>(
        `SELECT u.id AS userId, p.id AS podcastId, p.uuid AS podcastUuid, p.title AS podcastTitle, l.title
           FROM live_notice l INDEXED BY live_notice_due
          CROSS JOIN podcast p ON p.id = l.podcast_id
          CROSS JOIN user u ON u.id IN (SELECT p.added_by UNION SELECT user_id FROM favourite WHERE podcast_id = p.id)
          WHERE l.notified = 0 AND (p.explicit = 0 OR u.explicit_consent = 1)
          ORDER BY l.seen_at, u.id`,
      )
      .all(),
  isDue: () =>
    db
      .query<{ due: number }, []>(
        'SELECT EXISTS (SELECT 1 FROM live_notice INDEXED BY live_notice_due WHERE notified = 0) AS due',
      )
      .get()!.due === 1,
  markNotified() {
    db.query('UPDATE live_notice INDEXED BY live_notice_due SET notified = 1 WHERE notified = 0').run()
  },
})
