import { required } from '../platform/problem'
import type { Database } from 'bun:sqlite'
import type { TranscriptionState } from '../../shared/api/texts'
import type { ErrorCode } from '../../shared/error-code'
import { visibleEpisode, type Viewer } from './visibility'

/** A row of the table without its answer; times in milliseconds. */
export type TranscriptionColumns = {
  id: number
  uuid: string
  episode_id: number
  state: TranscriptionState
  /** A setting of the podcast asked for it, not a person. */
  automatic: number
  /** Failures that count towards giving up. */
  attempts: number
  /**
   * Pauses in a row for which the file is not to blame; those for the server end with the next transcript of any file.
   */
  rests: number
  /** Digest of the file whose answer is here. */
  sent_digest: string | null
  error_code: ErrorCode | null
  message: string | null
  next_attempt_at: number | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

/** A transcription with its episode and podcast. */
export type TranscriptionRow = TranscriptionColumns & {
  episode_uuid: string
  eid: string
  episode_title: string
  podcast_uuid: string
  podcast_title: string
}

/** A failed attempt: its reason, the next attempt (null = none), and what is counted. */
type Failed = {
  code: ErrorCode
  message: string
  nextAttemptAt: number | null
  attempts: number
  rests: number
}

const columns = `t.id, t.uuid, t.episode_id, t.state, t.automatic, t.attempts, t.rests, t.sent_digest, t.error_code, t.message,
         t.next_attempt_at, t.created_at, t.started_at, t.finished_at`
const select = `
  SELECT ${columns}, e.uuid AS episode_uuid, e.eid, e.title AS episode_title,
         p.uuid AS podcast_uuid, p.title AS podcast_title
    FROM transcription t CROSS JOIN episode e ON e.id = t.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id`

const findWhere = (db: Database, condition: string, value: string | number) =>
  db.query<TranscriptionRow, [string | number]>(`${select} WHERE ${condition}`).get(value)

/** The order of the list. */
const unfinished: readonly TranscriptionState[] = ['running', 'queued', 'waiting', 'failed']

/** Finds and lists transcriptions. */
export const transcriptionLookups = (db: Database) => ({
  /** The row as it is now; null = it is gone, though another may have its id. */
  findAgain: ({ id, uuid }: Pick<TranscriptionRow, 'id' | 'uuid'>) => {
    const row = findWhere(db, 't.id = ?', id)
    return row?.uuid === uuid ? row : null
  },
  findOfEpisode: (episodeId: number) => findWhere(db, 't.episode_id = ?', episodeId),
  /** A transcription that the viewer may see. Throws `transcription-not-found`. */
  require: (viewer: Viewer, uuid: string): TranscriptionRow =>
    required(findWhere(db, `${visibleEpisode(viewer)} AND t.uuid = ?`, uuid), 'transcription'),
  /** The first of those that are not done, in the order in which they run. */
  list(viewer: Viewer, limit: number): TranscriptionRow[] {
    const rows: TranscriptionRow[] = []
    for (const state of unfinished)
      if (rows.length < limit)
        rows.push(
          ...db
            .query<TranscriptionRow, [string, number]>(
              `${select} WHERE t.state = ? AND ${visibleEpisode(viewer)} ORDER BY t.automatic, t.id LIMIT ?`,
            )
            .all(state, limit - rows.length),
        )
    return rows
  },
  /** Numbers by state, without those that are done. */
  counts: (viewer: Viewer) =>
    Object.fromEntries(
      db
        .query<{ state: TranscriptionState; total: number }, []>(
          `SELECT t.state, count(*) AS total
             FROM transcription t CROSS JOIN episode e ON e.id = t.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
            WHERE t.state IN ('running', 'queued', 'waiting', 'failed') AND ${visibleEpisode(viewer)} GROUP BY t.state`,
        )
        .all()
        .map(row => [row.state, row.total]),
    ) as Partial<Record<TranscriptionState, number>>,
  /**
   * What may start now: what has not paused yet, or the fewest times, so that no file is in the way of all others. Of
   * those what people asked for first, then in the order of arrival.
   */
  next(now: number): TranscriptionRow | null {
    const queued = db
      .query<TranscriptionRow, []>(`${select} WHERE t.state = 'queued' ORDER BY t.automatic, t.id LIMIT 1`)
      .get()
    const waiting = db
      .query<TranscriptionRow, [number]>(
        `${select} WHERE t.state = 'waiting' AND t.next_attempt_at <= ? ORDER BY t.rests, t.automatic, t.id LIMIT 1`,
      )
      .get(now)
    if (!queued || !waiting) return queued ?? waiting
    const order = queued.rests - waiting.rests || queued.automatic - waiting.automatic || queued.id - waiting.id
    return order < 0 ? queued : waiting
  },
  /** The time until which all have to wait, since one of them waits for one of these reasons; null = now. */
  restsUntil: (codes: readonly ErrorCode[], now: number): number | null =>
    db
      .query<{ until: number | null }, [number, string]>(
        `SELECT max(next_attempt_at) AS until FROM transcription
          WHERE state = 'waiting' AND next_attempt_at > ? AND error_code IN (SELECT value FROM json_each(?))`,
      )
      .get(now, JSON.stringify(codes))!.until,
  hasAnswer: (id: number) =>
    db.query<unknown, [number]>('SELECT 1 FROM transcription WHERE id = ? AND answer IS NOT NULL').get(id) !== null,
  /** The answer that is not stored as a transcript yet; null = none came. */
  answerOf(id: number): Uint8Array | null {
    const row = db
      .query<{ answer: Uint8Array | null }, [number]>('SELECT answer FROM transcription WHERE id = ?')
      .get(id)
    return row?.answer ? Bun.zstdDecompressSync(row.answer) : null
  },
})

/** Changes of transcriptions. */
export const transcriptionChanges = (db: Database) => ({
  /** Queues an episode that a person asked for, also one that was done before: its file is sent again then. */
  request(episodeId: number, now: number) {
    db.query<null, Record<string, string | number>>(
      `INSERT INTO transcription (uuid, episode_id, automatic, created_at) VALUES ($uuid, $episodeId, 0, $now)
       ON CONFLICT (episode_id) DO UPDATE
          SET state = 'queued', automatic = 0, attempts = 0, rests = 0, error_code = NULL, message = NULL,
              next_attempt_at = NULL, finished_at = NULL, created_at = $now,
              sent_digest = iif(answer IS NULL, NULL, sent_digest)
        WHERE state <> 'running'`,
    ).run({ uuid: crypto.randomUUID(), episodeId, now })
  },
  /** Queues those again, in their old place, that a crash left running; `running`: the id of the one that does run. */
  requeueLost(running: number) {
    db.query("UPDATE transcription SET state = 'queued' WHERE state = 'running' AND id <> ?").run(running)
  },
  start(id: number, now: number) {
    db.query(`UPDATE transcription SET state = 'running', started_at = ?, next_attempt_at = NULL WHERE id = ?`).run(
      now,
      id,
    )
  },
  requeue(id: number) {
    db.query("UPDATE transcription SET state = 'queued' WHERE id = ?").run(id)
  },
  /** Keeps the answer to a file: from now on, that file is not sent again. */
  acknowledge(id: number, digest: string, answer: Uint8Array) {
    db.query('UPDATE transcription SET sent_digest = ?, answer = ? WHERE id = ?').run(
      digest,
      Bun.zstdCompressSync(answer),
      id,
    )
  },
  /** Drops an answer that was no transcript. `isFinal`: its file is not sent again. */
  dropAnswer(id: number, isFinal: boolean) {
    db.query('UPDATE transcription SET sent_digest = iif(?, sent_digest, NULL), answer = NULL WHERE id = ?').run(
      Number(isFinal),
      id,
    )
  },
  finish(id: number, now: number) {
    db.query(
      `UPDATE transcription
          SET state = 'done', answer = NULL, attempts = 0, rests = 0, error_code = NULL, message = NULL,
              next_attempt_at = NULL, finished_at = ?
        WHERE id = ?`,
    ).run(now, id)
  },
  fail(id: number, { code, message, nextAttemptAt, attempts, rests }: Failed, now: number) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE transcription
          SET state = iif($nextAttemptAt IS NULL, 'failed', 'waiting'), error_code = $code, message = $message,
              next_attempt_at = $nextAttemptAt, attempts = $attempts, rests = $rests,
              finished_at = iif($nextAttemptAt IS NULL, $now, NULL)
        WHERE id = $id`,
    ).run({ id, code, message, nextAttemptAt, attempts, rests, now })
  },
  /** Forgets the pauses that rows took for one of these reasons. */
  endRests(codes: readonly ErrorCode[]) {
    db.query(
      `UPDATE transcription SET rests = 0
        WHERE state IN ('queued', 'waiting') AND rests > 0 AND error_code IN (SELECT value FROM json_each(?))`,
    ).run(JSON.stringify(codes))
  },
  /** Lets those that wait for one of these reasons try now. */
  retryNow(codes: readonly ErrorCode[], now: number) {
    db.query(
      `UPDATE transcription SET next_attempt_at = ?
        WHERE state = 'waiting' AND error_code IN (SELECT value FROM json_each(?))`,
    ).run(now, JSON.stringify(codes))
  },
  remove(id: number) {
    db.query('DELETE FROM transcription WHERE id = ?').run(id)
  },
})
