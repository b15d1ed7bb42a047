import type { Database } from 'bun:sqlite'

export type ServerTroubleKind = 'diskFull' | 'backupFailed'

/** A feed that fails, a person who is to hear of it, and the reason. */
export type FailingFeed = {
  userId: number
  podcastId: number
  podcastUuid: string
  podcastTitle: string
  /** When it failed first, in milliseconds. */
  since: number
  message: string
}

/** Troubles that last: people hear of each once, until it is over. */
export const troubleStore = (db: Database) => ({
  /** Feeds that have failed since before a moment and that were not reported; for all who added or favour them. */
  feedsToTell: (before: number) =>
    db
      .query<FailingFeed, [number]>(
        `SELECT u.id AS userId, p.id AS podcastId, p.uuid AS podcastUuid, p.title AS podcastTitle,
                p.error_since AS since, p.error_message AS message
           FROM podcast p JOIN user u ON u.id IN (SELECT p.added_by UNION SELECT user_id FROM favourite WHERE podcast_id = p.id)
           LEFT JOIN feed_trouble f ON f.podcast_id = p.id
          WHERE p.error_since <= ? AND p.active = 1 AND (f.since IS NULL OR f.since <> p.error_since)
            AND (u.explicit_consent = 1 OR p.explicit = 0)
          ORDER BY p.id`,
      )
      .all(before),
  /** Notes that people were notified of the feeds that have failed since before a moment. */
  noteFeeds(before: number) {
    db.query(
      `INSERT INTO feed_trouble (podcast_id, since)
       SELECT p.id, p.error_since FROM podcast p LEFT JOIN feed_trouble f ON f.podcast_id = p.id
        WHERE p.error_since <= ? AND p.active = 1 AND (f.since IS NULL OR f.since <> p.error_since)
       ON CONFLICT (podcast_id) DO UPDATE SET since = excluded.since`,
    ).run(before)
  },
  /** Whether a download waits for room on the disk. */
  isDownloadStuck: () =>
    db
      .query<{ stuck: number }, []>(
        `SELECT EXISTS (SELECT 1 FROM download WHERE state = 'waiting' AND error_code = 'disk-full') AS stuck`,
      )
      .get()!.stuck === 1,
  /** Answers whether the trouble is a new one. */
  begin: (kind: ServerTroubleKind, now: number): boolean =>
    db.query('INSERT OR IGNORE INTO server_trouble (kind, since) VALUES (?, ?)').run(kind, now).changes > 0,
  end(kind: ServerTroubleKind) {
    db.query('DELETE FROM server_trouble WHERE kind = ?').run(kind)
  },
})
