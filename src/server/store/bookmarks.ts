import type { Database } from 'bun:sqlite'
import { visibleEpisode, type Viewer } from './visibility'

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
