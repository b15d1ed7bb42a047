import { required } from '../platform/problem'
import type { Job, JobItemState } from '../../shared/api/job'
import type { ErrorCode } from '../../shared/error-code'
import type { Database } from 'bun:sqlite'
import type { UserRow } from './users'
import { isJobVisible } from './visibility'

/** An import or rename run that a person started; times in milliseconds. */
export type JobColumns = {
  id: number
  uuid: string
  user_id: number
  kind: Job['kind']
  state: Job['state']
  started_at: number
  finished_at: number | null
}

/** A run with the numbers of its items. */
export type JobRow = JobColumns & {
  total: number
  done: number
  /** Feeds that the library had already. */
  present: number
  failed: number
}

/** A feed to be imported, or a file to be renamed. */
export type JobItemColumns = {
  job_id: number
  place: number
  feed_url: string
  title: string | null
  tags: string
  state: Exclude<JobItemState, 'running'>
  podcast_id: number | null
  error_code: ErrorCode | null
  message: string | null
  /** Set for a file to be renamed. */
  episode_id: number | null
  target_path: string | null
  with_metadata: number
}
export type JobItemRow = JobItemColumns & { podcast_uuid: string | null }

type NewJobItem = {
  feedUrl: string
  title: string | null
  tags: readonly string[]
  episodeId?: number
  targetPath?: string
  withMetadata?: boolean
}
export type JobOutcome = {
  state: 'added' | 'present' | 'failed'
  podcastId?: number
  errorCode?: ErrorCode
  message?: string
}

const counted = `
  SELECT j.*, (SELECT count(*) FROM job_item i WHERE i.job_id = j.id) AS total,
         (SELECT count(*) FROM job_item i WHERE i.job_id = j.id AND i.state <> 'waiting') AS done,
         (SELECT count(*) FROM job_item i WHERE i.job_id = j.id AND i.state = 'present') AS present,
         (SELECT count(*) FROM job_item i WHERE i.job_id = j.id AND i.state = 'failed') AS failed
    FROM job j`

/** Imports and rename runs of people, worked through item by item. */
export const jobStore = (db: Database) => ({
  add(userId: number, kind: JobColumns['kind'], items: readonly NewJobItem[], now: number): JobRow {
    const { id } = db
      .query<{ id: number }, [string, number, string, number]>(
        `INSERT INTO job (uuid, user_id, kind, state, started_at) VALUES (?, ?, ?, 'running', ?) RETURNING id`,
      )
      .get(crypto.randomUUID(), userId, kind, now)!
    const insert = db.query(
      `INSERT INTO job_item (job_id, place, feed_url, title, tags, state, episode_id, target_path, with_metadata)
       VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?)`,
    )
    items.forEach(({ feedUrl, title, tags, episodeId = null, targetPath = null, withMetadata = false }, place) =>
      insert.run(id, place, feedUrl, title, JSON.stringify(tags), episodeId, targetPath, Number(withMetadata)),
    )
    return db.query<JobRow, [number]>(`${counted} WHERE j.id = ?`).get(id)!
  },
  isRunning: (id: number) =>
    db.query<{ one: number }, [number]>(`SELECT 1 AS one FROM job WHERE id = ? AND state = 'running'`).get(id) !== null,
  find: (id: number) => db.query<JobRow, [number]>(`${counted} WHERE j.id = ?`).get(id),
  findByUuid: (uuid: string) => db.query<JobRow, [string]>(`${counted} WHERE j.uuid = ?`).get(uuid),
  /** A run that the viewer may see. Throws `job-not-found`. */
  require(viewer: Pick<UserRow, 'id' | 'role'>, uuid: string): JobRow {
    const job = this.findByUuid(uuid)
    return required(job && isJobVisible(viewer, job) ? job : null, 'job')
  },
  listFor: (userId: number) =>
    db.query<JobRow, [number]>(`${counted} WHERE j.user_id = ? ORDER BY j.started_at DESC LIMIT 20`).all(userId),
  running: () => db.query<JobRow, []>(`${counted} WHERE j.state = 'running'`).all(),

  items: (jobId: number, onlyFailed: boolean) =>
    db
      .query<JobItemRow, [number]>(
        `SELECT i.*, p.uuid AS podcast_uuid FROM job_item i LEFT JOIN podcast p ON p.id = i.podcast_id
          WHERE i.job_id = ? ${onlyFailed ? `AND i.state = 'failed'` : ''} ORDER BY i.place`,
      )
      .all(jobId),
  waiting: (jobId: number) =>
    db
      .query<JobItemRow, [number]>(
        `SELECT *, NULL AS podcast_uuid FROM job_item WHERE job_id = ? AND state = 'waiting' ORDER BY place`,
      )
      .all(jobId),
  /** Sets the path to which the file of an item is renamed. */
  setTarget(jobId: number, place: number, targetPath: string) {
    db.query('UPDATE job_item SET target_path = ? WHERE job_id = ? AND place = ?').run(targetPath, jobId, place)
  },
  settle(jobId: number, place: number, { state, podcastId, errorCode, message }: JobOutcome) {
    db.query(
      'UPDATE job_item SET state = ?, podcast_id = ?, error_code = ?, message = ? WHERE job_id = ? AND place = ?',
    ).run(state, podcastId ?? null, errorCode ?? null, message ?? null, jobId, place)
  },
  /** Lets an item that failed be worked on again, and its run with it. */
  reopen(jobId: number, place: number) {
    db.query(
      `UPDATE job_item SET state = 'waiting', error_code = NULL, message = NULL
        WHERE job_id = ? AND place = ? AND state = 'failed'`,
    ).run(jobId, place)
    db.query(`UPDATE job SET state = 'running', finished_at = NULL WHERE id = ? AND state = 'done'`).run(jobId)
  },
  /** Ends a run whose items are all settled. Returns false while one waits, perhaps reopened in this moment. */
  complete(jobId: number, now: number): boolean {
    const { changes } = db
      .query(
        `UPDATE job SET state = 'done', finished_at = ?1
          WHERE id = ?2 AND state = 'running'
            AND NOT EXISTS (SELECT 1 FROM job_item WHERE job_id = ?2 AND state = 'waiting')`,
      )
      .run(now, jobId)
    return changes > 0
  },
  cancel(jobId: number, now: number) {
    db.query(`UPDATE job SET state = 'cancelled', finished_at = ? WHERE id = ? AND state = 'running'`).run(now, jobId)
  },
  /** Runs that ended, begun before a moment. */
  olderThan: (startedAt: number) =>
    db
      .query<{ id: number; title: string }, [number]>(
        `SELECT id, kind AS title FROM job WHERE state <> 'running' AND started_at < ?`,
      )
      .all(startedAt),
})
