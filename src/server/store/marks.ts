import type { Database } from 'bun:sqlite'
import { type Viewer, visibleEpisode } from './visibility'

type Marking = {
  finished: boolean
  /** Names the marking, to undo it. */
  mark: string
  now: number
}

/** An episode whose mark changed. */
export type Marked = { episode_id: number; podcast_id: number }

/** Marks many episodes as played or not, and undoes that. */
export const playbackMarks = (db: Database) => ({
  /**
   * Ids of the episodes of a podcast that `finished` would change, up to a publication date in milliseconds (null =
   * all).
   */
  idsToMark: (viewer: Viewer, podcastId: number, until: number | null, finished: boolean): number[] =>
    db
      .query<{ id: number }, Record<string, number | null>>(
        `SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcast_id
           LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
          WHERE e.podcast_id = $podcastId AND ${visibleEpisode(viewer)}
            AND ($until IS NULL OR e.published_at <= $until) AND ${differs}`,
      )
      .all({ userId: viewer.id, podcastId, until, finished: Number(finished) })
      .map(({ id }) => id),
  /** Marks these episodes, which the user may see, and keeps what they were before. Returns the changed ones. */
  markEpisodes(userId: number, episodeIds: readonly number[], { finished, mark, now }: Marking): Marked[] {
    const parameters = { userId, ids: JSON.stringify(episodeIds), finished: Number(finished), now }
    db.query<null, Record<string, string | number>>(
      `INSERT INTO marked_before (user_id, episode_id, mark, marked_at, position, finished)
       SELECT $userId, e.id, $mark, $now, coalesce(h.position, 0), coalesce(h.finished, 0) ${concerned}`,
    ).run({ ...parameters, mark })
    return db
      .query<Marked, Record<string, string | number>>(
        `INSERT INTO playback (user_id, episode_id, podcast_id, position, total, finished, device, updated_at)
         SELECT $userId, e.id, e.podcast_id, iif($finished, e.duration, 0), nullif(e.duration, 0), $finished, 'webview', $now
         ${concerned}
             ON CONFLICT DO UPDATE
            SET position = excluded.position, finished = excluded.finished, device = excluded.device,
                total = coalesce(excluded.total, total), updated_at = excluded.updated_at
      RETURNING episode_id, podcast_id`,
      )
      .all(parameters)
  },
  /**
   * Undoes up to `most` episodes of a marking, except those that were played since. `restored`: the changed ones;
   * `count`: those that the marking is forgotten of, 0 = all of it is undone.
   */
  unmark(userId: number, mark: string, now: number, most: number): { restored: Marked[]; count: number } {
    const ids = db
      .query<{ id: number }, [number, string, number]>(
        'SELECT episode_id AS id FROM marked_before WHERE user_id = ? AND mark = ? LIMIT ?',
      )
      .all(userId, mark, most)
      .map(({ id }) => id)
    const some = JSON.stringify(ids)
    const restored = db
      .query<Marked, Record<string, string | number>>(
        `UPDATE playback
            SET position = b.position, finished = b.finished, updated_at = max($now, b.marked_at)
           FROM marked_before b
          WHERE b.user_id = $userId AND b.episode_id IN (SELECT value FROM json_each($some))
            AND playback.user_id = $userId AND playback.episode_id = b.episode_id AND playback.updated_at = b.marked_at
      RETURNING playback.episode_id, playback.podcast_id`,
      )
      .all({ userId, some, now })
    const count = db
      .query('DELETE FROM marked_before WHERE user_id = ? AND episode_id IN (SELECT value FROM json_each(?))')
      .run(userId, some).changes
    return { restored, count }
  },
  /** Forgets up to `most` episodes of a user's last marking; returns their number. */
  forgetMarksOf: (userId: number, most: number): number =>
    db
      .query(
        `DELETE FROM marked_before WHERE (user_id, episode_id) IN (
           SELECT user_id, episode_id FROM marked_before WHERE user_id = ? LIMIT ?)`,
      )
      .run(userId, most).changes,
  /** Forgets up to `most` marks of all users from before a moment; returns how many. */
  forgetMarks: (before: number, most: number): number =>
    db
      .query(
        `DELETE FROM marked_before WHERE (user_id, episode_id) IN (
           SELECT user_id, episode_id FROM marked_before WHERE marked_at < ? LIMIT ?)`,
      )
      .run(before, most).changes,
})

/** Condition on `h`: the mark would change it. An episode that was begun is not yet as it is before it is played. */
const differs = '(coalesce(h.finished, 0) <> $finished OR ($finished = 0 AND h.position > 0))'

const concerned = `
        FROM episode e LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
       WHERE e.id IN (SELECT value FROM json_each($ids)) AND ${differs}`

/** A part of an episode that a user marked. */
export type SkipMarkRow = {
  id: number
  uuid: string
  episode_uuid: string
  start_ms: number
  end_ms: number
  /** 1 = to be skipped; 0 = to be played. */
  skip: number
  created_at: number
}

type SkipMarkFacts = { startMs: number; endMs: number; skip: boolean }

const skipMarks = `
  SELECT m.id, m.uuid, e.uuid AS episode_uuid, m.start_ms, m.end_ms, m.skip, m.created_at
    FROM skip_mark m JOIN episode e ON e.id = m.episode_id JOIN podcast p ON p.id = e.podcast_id`

/** Parts of episodes that users marked. */
export const skipMarkStore = (db: Database) => ({
  /** Marks in one episode, the first made first. */
  ofEpisode: (viewer: Viewer, episodeId: number) =>
    db
      .query<SkipMarkRow, [number, number]>(
        `${skipMarks} WHERE m.episode_id = ? AND m.user_id = ? AND ${visibleEpisode(viewer)} ORDER BY m.id`,
      )
      .all(episodeId, viewer.id),
  countFor: (userId: number) =>
    db.query<{ total: number }, [number]>('SELECT count(*) AS total FROM skip_mark WHERE user_id = ?').get(userId)!
      .total,

  add(userId: number, episodeId: number, { startMs, endMs, skip }: SkipMarkFacts, now: number) {
    const { uuid } = db
      .query<{ uuid: string }, Record<string, string | number>>(
        `INSERT INTO skip_mark (uuid, user_id, episode_id, start_ms, end_ms, skip, created_at)
         VALUES ($uuid, $userId, $episodeId, $startMs, $endMs, $skip, $now) RETURNING uuid`,
      )
      .get({ uuid: crypto.randomUUID(), userId, episodeId, startMs, endMs, skip: Number(skip), now })!
    return db.query<SkipMarkRow, [string]>(`${skipMarks} WHERE m.uuid = ?`).get(uuid)!
  },
  /** Removes the marks of a user that a part of an episode covers. */
  removeWithin(userId: number, episodeId: number, { startMs, endMs }: Omit<SkipMarkFacts, 'skip'>) {
    db.query('DELETE FROM skip_mark WHERE episode_id = ? AND user_id = ? AND start_ms >= ? AND end_ms <= ?').run(
      episodeId,
      userId,
      startMs,
      endMs,
    )
  },
  /** Returns the episode's `uuid`; null when this user has no such mark. */
  remove: (userId: number, uuid: string): string | null =>
    db
      .query<{ episode: string }, [number, string]>(
        `DELETE FROM skip_mark WHERE user_id = ? AND uuid = ?
         RETURNING (SELECT e.uuid FROM episode e WHERE e.id = episode_id) AS episode`,
      )
      .get(userId, uuid)?.episode ?? null,
})

/** A bookmark with its episode; seconds, but `created_at` in milliseconds. */
export type BookmarkRow = {
  id: number
  uuid: string
  episode_uuid: string
  episode_title: string
  podcast_uuid: string
  podcast_title: string
  /** Milliseconds; 0 without a date. */
  published_at: number
  time: number
  note: string | null
  created_at: number
}

const bookmarks = `
  SELECT b.id, b.uuid, e.uuid AS episode_uuid, e.title AS episode_title, p.uuid AS podcast_uuid,
         p.title AS podcast_title, iif(e.dated = 1, e.published_at, 0) AS published_at, b.time, b.note, b.created_at
    FROM bookmark b JOIN episode e ON e.id = b.episode_id JOIN podcast p ON p.id = e.podcast_id`

/** Bookmarks of users. */
export const bookmarkStore = (db: Database) => ({
  /** Latest first. */
  listFor: (viewer: Viewer, limit: number) =>
    db
      .query<BookmarkRow, [number, number]>(
        `${bookmarks} WHERE b.user_id = ? AND ${visibleEpisode(viewer)} ORDER BY b.id DESC LIMIT ?`,
      )
      .all(viewer.id, limit),
  /** Bookmarks in one episode, in the order of their times. */
  ofEpisode: (viewer: Viewer, episodeId: number) =>
    db
      .query<BookmarkRow, [number, number]>(
        `${bookmarks} WHERE b.episode_id = ? AND b.user_id = ? AND ${visibleEpisode(viewer)} ORDER BY b.time`,
      )
      .all(episodeId, viewer.id),
  countFor: (userId: number) =>
    db.query<{ total: number }, [number]>('SELECT count(*) AS total FROM bookmark WHERE user_id = ?').get(userId)!
      .total,

  add(userId: number, episodeId: number, { time, note }: { time: number; note: string | null }, now: number) {
    const { uuid } = db
      .query<{ uuid: string }, Record<string, string | number | null>>(
        `INSERT INTO bookmark (uuid, user_id, episode_id, time, note, created_at)
         VALUES ($uuid, $userId, $episodeId, $time, $note, $now) RETURNING uuid`,
      )
      .get({ uuid: crypto.randomUUID(), userId, episodeId, time, note, now })!
    return db.query<BookmarkRow, [string]>(`${bookmarks} WHERE b.uuid = ?`).get(uuid)!
  },
  /** Returns the bookmark in its new state; null when this user has no such bookmark. */
  setNote(viewer: Viewer, uuid: string, note: string | null) {
    db.query('UPDATE bookmark SET note = ? WHERE user_id = ? AND uuid = ?').run(note, viewer.id, uuid)
    return db
      .query<BookmarkRow, [string, number]>(
        `${bookmarks} WHERE b.uuid = ? AND b.user_id = ? AND ${visibleEpisode(viewer)}`,
      )
      .get(uuid, viewer.id)
  },
  /** Returns whether there was one. */
  remove: (userId: number, uuid: string): boolean =>
    db.query('DELETE FROM bookmark WHERE user_id = ? AND uuid = ?').run(userId, uuid).changes > 0,
})
