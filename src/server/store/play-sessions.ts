import type { Database } from 'bun:sqlite'
import { visibleEpisode, type Viewer } from './visibility'

/** One time that a person began to play in an app; times in milliseconds, positions and `listened` in seconds. */
export type PlaySessionRow = {
  uuid: string
  user_id: number
  episode_id: number
  /** Null = it was played without a network, or the sign-in is over. */
  app_session_id: number | null
  device_id: string
  device_name: string
  started_at: number
  /** When the server heard of it last. */
  updated_at: number
  /** When it was played last by the app's own clock; null = while it reported to the server. */
  said_at: number | null
  start_position: number
  position: number
  listened: number
  is_open: number
  /** JSON that the app said of itself. */
  info: string
}

/** Fits what a person plays in a month; an app that begins anew each second would otherwise fill the disk. */
const MOST_PER_USER = 500

type SessionPage = { limit: number; offset?: number; episodeId?: number | null }

const ofViewer = (viewer: Viewer, episodeId: number | null) => `
  FROM play_session s JOIN episode e ON e.id = s.episode_id JOIN podcast p ON p.id = e.podcast_id
 WHERE s.user_id = $userId ${episodeId === null ? '' : 'AND s.episode_id = $episodeId'} AND ${visibleEpisode(viewer)}`

/** Sessions in which apps play. */
export const playSessionStore = (db: Database) => ({
  find: (uuid: string) => db.query<PlaySessionRow, [string]>('SELECT * FROM play_session WHERE uuid = ?').get(uuid),
  /** An open session that the server heard of since a moment, and whose sign-in is still valid. */
  findOpen: (uuid: string, since: number) =>
    db
      .query<PlaySessionRow, [string, number]>(
        `SELECT s.* FROM play_session s
           JOIN app_session a ON a.id = s.app_session_id
           JOIN user u ON u.id = s.user_id
          WHERE s.uuid = ? AND s.is_open = 1 AND s.updated_at >= ? AND a.epoch = u.epoch`,
      )
      .get(uuid, since),
  /** Sessions of a user, the latest first. `episodeId` null = of all episodes. */
  list: (viewer: Viewer, { limit, offset = 0, episodeId = null }: SessionPage): PlaySessionRow[] =>
    db
      .query<PlaySessionRow, Record<string, number | null>>(
        `SELECT s.* ${ofViewer(viewer, episodeId)} ORDER BY s.updated_at DESC LIMIT $limit OFFSET $offset`,
      )
      .all({ userId: viewer.id, limit, offset, ...(episodeId !== null && { episodeId }) }),
  count: (viewer: Viewer, episodeId: number | null): number =>
    db
      .query<{ count: number }, Record<string, number>>(`SELECT count(*) AS count ${ofViewer(viewer, episodeId)}`)
      .get({ userId: viewer.id, ...(episodeId !== null && { episodeId }) })!.count,
  add(row: PlaySessionRow) {
    db.query<null, PlaySessionRow>(
      `INSERT INTO play_session (uuid, user_id, episode_id, app_session_id, device_id, device_name, started_at,
                                 updated_at, said_at, start_position, position, listened, is_open, info)
       VALUES ($uuid, $user_id, $episode_id, $app_session_id, $device_id, $device_name, $started_at,
               $updated_at, $said_at, $start_position, $position, $listened, $is_open, $info)`,
    ).run(row)
    db.query(
      `DELETE FROM play_session WHERE uuid IN (
         SELECT uuid FROM play_session WHERE user_id = ? ORDER BY updated_at DESC LIMIT -1 OFFSET ${MOST_PER_USER})`,
    ).run(row.user_id)
  },
  /** Notes how far a session is. */
  update({ uuid, position, listened, updated_at, said_at }: PlaySessionRow) {
    db.query('UPDATE play_session SET position = ?, listened = ?, updated_at = ?, said_at = ? WHERE uuid = ?').run(
      position,
      listened,
      updated_at,
      said_at,
      uuid,
    )
  },
  close(uuid: string) {
    db.query('UPDATE play_session SET is_open = 0 WHERE uuid = ?').run(uuid)
  },
  closeOfDevice(userId: number, deviceId: string) {
    db.query('UPDATE play_session SET is_open = 0 WHERE user_id = ? AND device_id = ? AND is_open = 1').run(
      userId,
      deviceId,
    )
  },
  removeBefore(time: number) {
    db.query('DELETE FROM play_session WHERE updated_at < ?').run(time)
  },
})
