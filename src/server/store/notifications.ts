import type { Database } from 'bun:sqlite'
import type { NotificationType } from '../../shared/api/notification'
import type { newsForAdmins } from '../../shared/choices'
import { hasPodcast, type Viewer, visibleNotification, visibleToUser } from './visibility'

export type NotificationRow = {
  id: number
  uuid: string
  user_id: number
  type: NotificationType
  message: string
  created_at: number
  dismissed: number
  podcast_uuid: string | null
  episode_uuid: string | null
  episode_count: number
}

/** A notification to be made about episodes of a podcast that arrived, or were requested, together: a batch. */
export type Notice = {
  userId: number
  type: NotificationType
  podcastId: number
  podcastTitle: string
  batch: number
  episodeCount: number
  /** The newest of its episodes. */
  episodeId: number
  episodeTitle: string
}

const joined = `
  SELECT n.*, p.uuid AS podcast_uuid, e.uuid AS episode_uuid
    FROM notification n LEFT JOIN podcast p ON p.id = n.podcast_id LEFT JOIN episode e ON e.id = n.episode_id AND ${hasPodcast}`

/** Notifications of users. */
export const notificationStore = (db: Database) => {
  const addPersonal = (type: NotificationType, userId: number, message: string, now: number): number =>
    db
      .query<{ id: number }, [string, number, NotificationType, string, number]>(
        'INSERT INTO notification (uuid, user_id, type, message, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id',
      )
      .get(crypto.randomUUID(), userId, type, message, now)!.id

  return {
    find: (id: number) => db.query<NotificationRow, [number]>(`${joined} WHERE n.id = ?`).get(id),
    /** Newest first, without what the viewer may not see now. */
    unread: (viewer: Viewer, limit: number) =>
      db
        .query<NotificationRow, [number, number]>(
          `${joined} WHERE n.user_id = ? AND n.dismissed = 0
           AND ${visibleNotification(viewer)}
         ORDER BY n.id DESC LIMIT ?`,
        )
        .all(viewer.id, limit),
    /** Adds a notification, or adds the episodes to the unread one of the same batch; returns its id. */
    add({ episodeId, episodeTitle, podcastTitle, episodeCount, ...notice }: Notice, now: number): number {
      const grown = db
        .query<{ id: number }, Record<string, string | number>>(
          `UPDATE notification SET episode_count = episode_count + $episodeCount, message = $podcastTitle, episode_id = NULL
          WHERE user_id = $userId AND podcast_id = $podcastId AND type = $type AND batch = $batch AND dismissed = 0
      RETURNING id`,
        )
        .get({ ...notice, episodeCount, podcastTitle })
      if (grown) return grown.id
      const isOfOne = notice.type !== 'NewEpisodes' && episodeCount === 1
      const message = isOfOne ? episodeTitle : podcastTitle
      return db
        .query<{ id: number }, Record<string, string | number | null>>(
          `INSERT INTO notification (uuid, user_id, type, message, created_at, podcast_id, episode_id, episode_count, batch)
         VALUES ($uuid, $userId, $type, $message, $now, $podcastId, $episode, $episodeCount, $batch) RETURNING id`,
        )
        .get({ ...notice, uuid: crypto.randomUUID(), message, now, episode: isOfOne ? episodeId : null, episodeCount })!
        .id
    },
    /** Adds a notification of a live stream; returns its id. */
    addLive: (userId: number, podcastId: number, message: string, now: number): number =>
      db
        .query<{ id: number }, [string, number, string, number, number]>(
          `INSERT INTO notification (uuid, user_id, type, message, created_at, podcast_id)
           VALUES (?, ?, 'LiveStarted', ?, ?, ?) RETURNING id`,
        )
        .get(crypto.randomUUID(), userId, message, now, podcastId)!.id,
    /** Adds a notification about the account: a sign-in, a copied sign-in of an app, or a new name. Returns its id. */
    addPersonal,
    /** Adds a notification that somebody guesses at an account; returns its id, or null if there has been one since. */
    addAttack(userId: number, username: string, since: number, now: number): number | null {
      const isReported = db
        .query<{ one: number }, [number, string, number]>(
          `SELECT 1 AS one FROM notification
            WHERE user_id = ? AND type = 'Attack' AND message = ? AND created_at > ? LIMIT 1`,
        )
        .get(userId, username, since)
      return isReported ? null : addPersonal('Attack', userId, username, now)
    },
    /** Returns whether the user has such a notification, dismissed before or not. */
    dismiss: (userId: number, uuid: string): boolean =>
      db.query('UPDATE notification SET dismissed = 1 WHERE user_id = ? AND uuid = ?').run(userId, uuid).changes > 0,
    removeOfPodcast(podcastId: number) {
      db.query('DELETE FROM notification WHERE podcast_id = ?').run(podcastId)
    },
    /** Removes up to `most` that were dismissed; returns their number. */
    removeDismissed: (before: number, most: number): number =>
      db
        .query(
          `DELETE FROM notification WHERE id IN (
             SELECT id FROM notification WHERE dismissed = 1 AND created_at < ? LIMIT ?)`,
        )
        .run(before, most).changes,
  }
}

// Users `u` who are notified of the podcast `p`: those who added or favour it, unless they chose otherwise.
const isNotified = `u.id IN (
  SELECT p.added_by UNION SELECT user_id FROM favourite WHERE podcast_id = p.id
   UNION SELECT user_id FROM podcast_preference WHERE podcast_id = p.id AND notify = 1
  EXCEPT SELECT user_id FROM podcast_preference WHERE podcast_id = p.id AND notify = 0)`

// Each user gets one notification for an episode: one about its download replaces one about its publication. Hidden
// episodes are left out. The joins start with what is due, which is little.
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
     CROSS JOIN user u ON ${isNotified}
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
 * Notifications to be made. They are noted in the transaction of their cause, by the code that stores new episodes and
 * by triggers on downloads, so that after a kill the next start makes them.
 */
export const announcementStore = (db: Database) => ({
  add(episodeId: number, state: 'reading' | 'downloading') {
    db.query('INSERT OR IGNORE INTO announcement (episode_id, state) VALUES (?, ?)').run(episodeId, state)
  },
  /** Marks that a feed was stored completely: its new episodes are announced together; null = all feeds. */
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

/** A live stream that was seen to be on. */
type LiveNoticeRow = { podcast_id: number; guid: string; title: string; seen_at: number; notified: number }

/** A person who is notified of a live stream: they added the podcast, or made it a favourite. */
type DueLiveNotice = {
  userId: number
  podcastId: number
  podcastUuid: string
  podcastTitle: string
  title: string
}

/** The live streams that people are notified of, each once. */
export const liveNoticeStore = (db: Database) => ({
  /** Notes a stream that is on; returns whether it is a new one. `isQuiet`: nobody is notified of it. */
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
          CROSS JOIN user u ON ${isNotified}
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

export type ServerTroubleKind = (typeof newsForAdmins)[number]

/** A feed that fails, a person to notify, and the reason. */
export type FailingFeed = {
  userId: number
  podcastId: number
  podcastUuid: string
  podcastTitle: string
  /** When it failed first, in milliseconds. */
  since: number
  message: string
}

/** Troubles that last: people are notified of each once, until it is over. */
export const troubleStore = (db: Database) => ({
  /** Feeds that have failed since before a moment and that were not reported; for all who added or favour them. */
  unreportedFeeds: (before: number) =>
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
  /** Returns whether the trouble is a new one. */
  begin: (kind: ServerTroubleKind, now: number): boolean =>
    db.query('INSERT OR IGNORE INTO server_trouble (kind, since) VALUES (?, ?)').run(kind, now).changes > 0,
  end(kind: ServerTroubleKind) {
    db.query('DELETE FROM server_trouble WHERE kind = ?').run(kind)
  },
})
