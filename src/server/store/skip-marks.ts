import type { Database } from 'bun:sqlite'
import { visibleEpisode, type Viewer } from './visibility'

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

export type SkipMarkFacts = { startMs: number; endMs: number; skip: boolean }

const select = `
  SELECT m.id, m.uuid, e.uuid AS episode_uuid, m.start_ms, m.end_ms, m.skip, m.created_at
    FROM skip_mark m JOIN episode e ON e.id = m.episode_id JOIN podcast p ON p.id = e.podcast_id`

/** Parts of episodes that users marked. */
export const skipMarkStore = (db: Database) => ({
  /** Marks in one episode, the first made first. */
  ofEpisode: (viewer: Viewer, episodeId: number) =>
    db
      .query<SkipMarkRow, [number, number]>(
        `${select} WHERE m.episode_id = ? AND m.user_id = ? AND ${visibleEpisode(viewer)} ORDER BY m.id`,
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
    return db.query<SkipMarkRow, [string]>(`${select} WHERE m.uuid = ?`).get(uuid)!
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
