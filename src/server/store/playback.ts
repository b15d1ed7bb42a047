import type { Database } from 'bun:sqlite'
import type { MeasuredLoudness } from '../../shared/api/history'
import { type EpisodeForUser, selectEpisodeForUser } from './episodes'
import { type Viewer, visibleEpisode } from './visibility'

/** A user's position in an episode; seconds, but `updated_at` in milliseconds. */
export type PlaybackRow = {
  user_id: number
  episode_id: number
  podcast_id: number
  started: number | null
  position: number
  total: number | null
  finished: number
  device: string
  updated_at: number
}

/** A position with the identifiers of its episode and podcast; seconds, but `updated_at` in milliseconds. */
export type ProgressRow = Pick<PlaybackRow, 'position' | 'total' | 'finished' | 'updated_at'> & {
  episode: string
  podcast: string
  /** The length of the episode by its feed or file; 0 = unknown. */
  duration: number
  /** Hidden from Continue listening. */
  hidden: number
}

/** Condition on episodes `e`: the user `$userId` has hidden them from Continue listening. */
const isHidden = 'EXISTS (SELECT 1 FROM playback_hidden x WHERE x.user_id = $userId AND x.episode_id = e.id)'

const selectProgress = `
  SELECT h.position, h.total, h.finished, h.updated_at, e.uuid AS episode, p.uuid AS podcast, e.duration, ${isHidden} AS hidden
    FROM playback h JOIN episode e ON e.id = h.episode_id JOIN podcast p ON p.id = e.podcast_id`

/** Positions of users in episodes. */
export const playbackStore = (db: Database) => ({
  find: (userId: number, episodeId: number) =>
    db
      .query<PlaybackRow, [number, number]>('SELECT * FROM playback WHERE user_id = ? AND episode_id = ?')
      .get(userId, episodeId),

  finishedAmong: (userId: number, episodeIds: readonly number[]) =>
    db
      .query<{ episode_id: number }, [number, string]>(
        `SELECT episode_id FROM playback
          WHERE user_id = ? AND finished = 1 AND episode_id IN (SELECT value FROM json_each(?))`,
      )
      .all(userId, JSON.stringify(episodeIds))
      .map(row => row.episode_id),

  save(row: PlaybackRow) {
    db.query<null, PlaybackRow>(
      `INSERT INTO playback (user_id, episode_id, podcast_id, started, position, total, finished, device, updated_at)
       VALUES ($user_id, $episode_id, $podcast_id, $started, $position, $total, $finished, $device, $updated_at)
       ON CONFLICT DO UPDATE
          SET started = $started, position = $position, total = $total, finished = $finished,
              device = $device, updated_at = $updated_at`,
    ).run(row)
  },

  /** Latest moment at which a user's position in a podcast changed; 0 = never. */
  latestOf: (userId: number, podcastId: number) =>
    db
      .query<{ at: number | null }, [number, number]>(
        'SELECT max(updated_at) AS at FROM playback WHERE user_id = ? AND podcast_id = ?',
      )
      .get(userId, podcastId)!.at ?? 0,

  /** Latest moment at which a user played anything or marked it as played; 0 = never. */
  latestOfAll: (userId: number) =>
    db
      .query<{ at: number | null }, [number]>(
        'SELECT max(updated_at) AS at FROM playback WHERE user_id = ? AND played = 1',
      )
      .get(userId)!.at ?? 0,

  /** Everything that a user has begun or finished, the latest first. */
  listProgress: (viewer: Viewer) =>
    db
      .query<ProgressRow, { userId: number }>(
        `${selectProgress}
          WHERE h.user_id = $userId AND h.played = 1 AND ${visibleEpisode(viewer)} ORDER BY h.updated_at DESC`,
      )
      .all({ userId: viewer.id }),

  /** The position of a user in an episode that was begun or finished. */
  findProgress: (viewer: Viewer, episodeUuid: string) =>
    db
      .query<ProgressRow, { userId: number; uuid: string }>(
        `${selectProgress}
          WHERE h.user_id = $userId AND h.played = 1 AND e.uuid = $uuid AND ${visibleEpisode(viewer)}`,
      )
      .get({ userId: viewer.id, uuid: episodeUuid }),

  /** The position of a user in the podcast's episode that was played last. */
  latestProgressOf: (viewer: Viewer, podcastId: number) =>
    db
      .query<ProgressRow, { userId: number; podcastId: number }>(
        `${selectProgress}
          WHERE h.user_id = $userId AND h.podcast_id = $podcastId AND h.played = 1 AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at DESC LIMIT 1`,
      )
      .get({ userId: viewer.id, podcastId }),

  /** Episodes that a user played, the latest first. Without finished ones, those hidden from Continue listening are left out, too. */
  listRecent: (viewer: Viewer, limit: number, includeFinished: boolean) =>
    db
      .query<EpisodeForUser, { userId: number; limit: number }>(
        `${selectEpisodeForUser}
          WHERE h.played = 1 ${includeFinished ? '' : `AND h.finished = 0 AND ${notHidden}`} AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at DESC LIMIT $limit`,
      )
      .all({ userId: viewer.id, limit }),
})

/** Condition on episodes `e`: the user `$userId` has not hidden them from Continue listening. */
export const notHidden = `NOT ${isHidden}`

/** Episodes that users do not want to continue; a trigger removes the row when the position changes. */
export const playbackHiddenStore = (db: Database) => ({
  /** False if it was hidden already, or never played. */
  add: (userId: number, episodeId: number, now: number): boolean =>
    db
      .query(
        `INSERT INTO playback_hidden (user_id, episode_id, at)
         SELECT user_id, episode_id, max(?, updated_at) FROM playback
          WHERE user_id = ? AND episode_id = ? AND played = 1
             ON CONFLICT DO NOTHING`,
      )
      .run(now, userId, episodeId).changes > 0,
  /** False if it was not hidden. */
  remove: (userId: number, episodeId: number): boolean =>
    db.query('DELETE FROM playback_hidden WHERE user_id = ? AND episode_id = ?').run(userId, episodeId).changes > 0,
})

/** The loudness of episodes, measured for each user. */
export const loudnessStore = (db: Database) => ({
  find: (userId: number, episodeId: number) =>
    db
      .query<MeasuredLoudness, [number, number]>(
        'SELECT lufs, seconds FROM loudness WHERE user_id = ? AND episode_id = ?',
      )
      .get(userId, episodeId),
  save(userId: number, episodeId: number, { lufs, seconds }: MeasuredLoudness) {
    db.query('INSERT OR REPLACE INTO loudness (user_id, episode_id, lufs, seconds) VALUES (?, ?, ?, ?)').run(
      userId,
      episodeId,
      lufs,
      seconds,
    )
  },
})

/** One session of playing in an app; times in milliseconds, positions and `listened` in seconds. */
export type PlaySessionRow = {
  uuid: string
  user_id: number
  episode_id: number
  /** Null = it was played without a network, or the sign-in has ended. */
  app_session_id: number | null
  device_id: string
  device_name: string
  started_at: number
  /** When the server last got a report about it. */
  updated_at: number
  /** When it was last played, by the app's clock; null = it reported to the server while it played. */
  said_at: number | null
  start_position: number
  position: number
  listened: number
  is_open: number
  /** The app's description of itself, as JSON. */
  info: string
}

/**
 * Enough for what a person plays in a month; an app that begins a session each second would otherwise fill the disk.
 */
const MAX_PER_USER = 500

type SessionPage = { limit: number; offset?: number; episodeId?: number | null }

const ofViewer = (viewer: Viewer, episodeId: number | null) => `
  FROM play_session s JOIN episode e ON e.id = s.episode_id JOIN podcast p ON p.id = e.podcast_id
 WHERE s.user_id = $userId ${episodeId === null ? '' : 'AND s.episode_id = $episodeId'} AND ${visibleEpisode(viewer)}`

/** Sessions in which apps play. */
export const playSessionStore = (db: Database) => ({
  find: (uuid: string) => db.query<PlaySessionRow, [string]>('SELECT * FROM play_session WHERE uuid = ?').get(uuid),
  /** An open session that was reported since a moment, and whose sign-in is still valid. */
  findOpen: (uuid: string, since: number) =>
    db
      .query<PlaySessionRow, [string, number]>(
        `SELECT s.* FROM play_session s
           JOIN app_session a ON a.id = s.app_session_id
           JOIN user u ON u.id = s.user_id
          WHERE s.uuid = ? AND s.is_open = 1 AND s.updated_at >= ? AND a.epoch = u.epoch`,
      )
      .get(uuid, since),
  /** Those of all users that play what a viewer may see, the latest first. */
  listOpen: (viewer: Viewer, since: number, limit: number) =>
    db
      .query<PlaySessionRow, [number, number]>(
        `SELECT s.* FROM play_session s INDEXED BY play_session_age
           JOIN app_session a ON a.id = s.app_session_id
           JOIN user u ON u.id = s.user_id
           JOIN episode e ON e.id = s.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE s.is_open = 1 AND s.updated_at >= ? AND a.epoch = u.epoch AND ${visibleEpisode(viewer)}
          ORDER BY s.updated_at DESC LIMIT ?`,
      )
      .all(since, limit),
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
         SELECT uuid FROM play_session WHERE user_id = ? ORDER BY updated_at DESC LIMIT -1 OFFSET ${MAX_PER_USER})`,
    ).run(row.user_id)
  },
  /** Records the progress of a session. */
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
