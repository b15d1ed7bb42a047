import type { Database } from 'bun:sqlite'
import { timelineConditions, timelineParameters, type TimelineFilter } from './timeline-conditions'
import { visibleEpisode, type Viewer } from './visibility'

type MarkAll = {
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
   * Marks the episodes of a podcast, up to a publication date in milliseconds (null = all). Answers the changed ones.
   */
  markPodcast(viewer: Viewer, podcastId: number, until: number | null, marking: MarkAll): Marked[] {
    const conditions = `e.podcast_id = $podcastId AND ${visibleEpisode(viewer)}
         AND ($until IS NULL OR e.published_at <= $until)`
    return mark(db, marking, { conditions, parameters: { userId: viewer.id, podcastId, until } })
  },
  /** Marks the episodes of the timeline that match a filter. Answers the changed ones. */
  markTimeline: (viewer: Viewer, filter: TimelineFilter, marking: MarkAll): Marked[] =>
    mark(db, marking, {
      conditions: timelineConditions(filter, viewer),
      parameters: timelineParameters(filter, viewer),
    }),
  /** Marks these episodes, which the user may see. Answers the changed ones. */
  markEpisodes: (userId: number, episodeIds: readonly number[], marking: MarkAll): Marked[] =>
    mark(db, marking, {
      conditions: 'e.id IN (SELECT value FROM json_each($ids))',
      parameters: { userId, ids: JSON.stringify(episodeIds) },
    }),
  /** Undoes a marking, except for episodes that were played since; answers the changed ones. */
  unmark(userId: number, mark: string, now: number): Marked[] {
    const restored = db
      .query<Marked, Record<string, string | number>>(
        `UPDATE playback
            SET position = b.position, finished = b.finished, updated_at = max($now, b.marked_at)
           FROM marked_before b
          WHERE b.user_id = $userId AND b.mark = $mark AND playback.user_id = $userId
            AND playback.episode_id = b.episode_id AND playback.updated_at = b.marked_at
      RETURNING playback.episode_id, playback.podcast_id`,
      )
      .all({ userId, mark, now })
    db.query('DELETE FROM marked_before WHERE user_id = ? AND mark = ?').run(userId, mark)
    return restored
  },
  forgetMarks(before: number) {
    db.query('DELETE FROM marked_before WHERE marked_at < ?').run(before)
  },
})

type Concerned = { conditions: string; parameters: Record<string, string | number | null> }

/** Keeps what the episodes were before, forgets that of the last marking, and marks them. */
function mark(db: Database, { finished, mark, now }: MarkAll, { conditions, parameters: given }: Concerned): Marked[] {
  const parameters = { ...given, finished: Number(finished) }
  const concerned = `
        FROM episode e JOIN podcast p ON p.id = e.podcast_id
        LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
       WHERE ${conditions} AND coalesce(h.finished, 0) <> $finished`
  db.query('DELETE FROM marked_before WHERE user_id = ?').run(given['userId']!)
  db.query<null, Record<string, string | number | null>>(
    `INSERT INTO marked_before (user_id, episode_id, mark, marked_at, position, finished)
     SELECT $userId, e.id, $mark, $now, coalesce(h.position, 0), coalesce(h.finished, 0) ${concerned}`,
  ).run({ ...parameters, mark, now })
  return db
    .query<Marked, Record<string, string | number | null>>(
      `INSERT INTO playback (user_id, episode_id, podcast_id, position, total, finished, device, updated_at)
       SELECT $userId, e.id, e.podcast_id, iif($finished, e.duration, 0), nullif(e.duration, 0), $finished, 'webview', $now
       ${concerned}
           ON CONFLICT DO UPDATE
          SET position = excluded.position, finished = excluded.finished, device = excluded.device,
              total = coalesce(excluded.total, total), updated_at = excluded.updated_at
    RETURNING episode_id, podcast_id`,
    )
    .all({ ...parameters, now })
}
