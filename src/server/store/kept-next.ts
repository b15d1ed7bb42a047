import type { Database } from 'bun:sqlite'
import { type Viewer, visibleEpisode } from './visibility'

/** A podcast whose next `keep_next` episodes stay downloaded for each person who listens to it. */
export type KeepingNext = { id: number; serial: number; keep_next: number }
type Played = { published_at: number; id: number; updated_at: number }

/** The next episodes of podcasts, from what their listeners have played. */
export const keptNextStore = (db: Database) => ({
  podcasts: () =>
    db
      .query<KeepingNext, []>(
        `SELECT p.id, p.serial, s.keep_next FROM podcast_settings s CROSS JOIN podcast p ON p.id = s.podcast_id
          WHERE s.keep_next IS NOT NULL`,
      )
      .all(),
  findPodcast: (podcastId: number) =>
    db
      .query<KeepingNext, [number]>(
        `SELECT p.id, p.serial, s.keep_next FROM podcast_settings s CROSS JOIN podcast p ON p.id = s.podcast_id
          WHERE s.podcast_id = ? AND s.keep_next IS NOT NULL`,
      )
      .get(podcastId),
  /** People who played something of a podcast or favour it; the person who added it if there is nobody else. */
  listeners(podcastId: number): Viewer[] {
    const found = db
      .query<Viewer, { podcastId: number }>(
        `SELECT u.id, u.explicit_consent FROM user u
          WHERE u.id IN (SELECT user_id FROM favourite WHERE podcast_id = $podcastId
                          UNION SELECT user_id FROM listening WHERE podcast_id = $podcastId AND played > 0)`,
      )
      .all({ podcastId })
    if (found.length > 0) return found
    return db
      .query<Viewer, [number]>(
        'SELECT u.id, u.explicit_consent FROM podcast p CROSS JOIN user u ON u.id = p.added_by WHERE p.id = ?',
      )
      .all(podcastId)
  },
  /** The newest episodes that a listener has not finished; of a serial, the parts from the one played last. */
  idsFor(viewer: Viewer, { id: podcastId, serial, keep_next }: KeepingNext): number[] {
    const from = serial === 1 ? lastPlayed(db, viewer.id, podcastId) : undefined
    const order = serial === 1 ? 'ASC' : 'DESC'
    return db
      .query<{ id: number }, Record<string, number>>(
        `SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcast_id
           LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
          WHERE e.podcast_id = $podcastId AND ${visibleEpisode(viewer)} AND coalesce(h.finished, 0) = 0
            AND e.aside = 0 AND (e.superseded = 0 OR e.file_path IS NOT NULL) ${serial === 1 ? "AND e.type <> 'trailer'" : ''}
            ${from ? 'AND (e.published_at, e.id) >= ($fromDate, $fromId)' : ''}
          ORDER BY e.published_at ${order}, e.id ${order} LIMIT $limit`,
      )
      .all({
        userId: viewer.id,
        podcastId,
        limit: keep_next,
        ...(from && { fromDate: from.published_at, fromId: from.id }),
      })
      .map(({ id }) => id)
  },
})

/** The episode of a podcast that a person played last. */
function lastPlayed(db: Database, userId: number, podcastId: number): Played | undefined {
  const query = db.query<Played, [number, number, number]>(
    `SELECT e.published_at, e.id, h.updated_at FROM playback h CROSS JOIN episode e ON e.id = h.episode_id
      WHERE h.user_id = ? AND h.podcast_id = ? AND h.finished = ? AND h.played = 1
      ORDER BY h.updated_at DESC LIMIT 1`,
  )
  return [0, 1]
    .flatMap(finished => query.all(userId, podcastId, finished))
    .toSorted((one, other) => other.updated_at - one.updated_at)[0]
}
