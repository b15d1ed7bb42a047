import type { Database } from 'bun:sqlite'

export type Figures = {
  podcasts: number
  podcasts_failing: number
  podcasts_overdue: number
  episodes: number
  media_files: number
  media_bytes: number
  users: number
  devices: number
  unindexed: number
}

/** Figures for monitoring, cheap enough to be read every few seconds. */
export const figureStore = (db: Database) => ({
  /** `overdueBefore`: feeds that were due before this time count as overdue; milliseconds. */
  all: (overdueBefore: number) =>
    db
      .query<Figures, [number]>(
        `SELECT (SELECT count(*) FROM podcast) AS podcasts,
                (SELECT count(*) FROM podcast WHERE error_code IS NOT NULL) AS podcasts_failing,
                (SELECT count(*) FROM podcast WHERE active = 1 AND gone = 0 AND next_check_at < ?) AS podcasts_overdue,
                (SELECT coalesce(sum(episode_count), 0) FROM podcast) AS episodes,
                (SELECT coalesce(sum(file_count), 0) FROM podcast) AS media_files,
                (SELECT coalesce(sum(file_bytes), 0) FROM podcast) AS media_bytes,
                (SELECT count(*) FROM user) AS users,
                (SELECT count(*) FROM device) AS devices,
                (SELECT count(*) FROM (SELECT 1 FROM episode INDEXED BY episode_unindexed WHERE search_place IS NULL
                                       LIMIT 100000)) AS unindexed`,
      )
      .get(overdueBefore)!,
  downloads: () =>
    db
      .query<{ state: string; total: number }, []>('SELECT state, count(*) AS total FROM download GROUP BY state')
      .all(),
  transcriptions: () =>
    db
      .query<{ state: string; total: number }, []>('SELECT state, count(*) AS total FROM transcription GROUP BY state')
      .all(),
})
