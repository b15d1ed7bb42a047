import type { ErrorCode } from '../../shared/error-code'
import type { Database } from 'bun:sqlite'
import type { FilePlace } from './file-place'
import { type DownloadRow, type Failure, findDownloadOf, lastPlace } from './downloads'

type Source = { etag: string | null; lastModified: string | null; total: number | null }

/** The course of one download, from start to finish. */
export const downloadAttempts = (db: Database) => ({
  start(id: number, now: number, bootId: string | null) {
    db.query(
      `UPDATE download
          SET state = 'running', started_at = coalesce(started_at, ?), next_attempt_at = NULL, boot_id = ?
        WHERE id = ?`,
    ).run(now, bootId, id)
  },
  /** Records the body that is being received: a later resume must match it. */
  describeSource(id: number, source: Source) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE download SET etag = $etag, last_modified = $lastModified, total_bytes = $total
        WHERE id = $id`,
    ).run({ id, ...source })
  },
  /** Records that a host ended the file before its announced length, at this size; `count`: how often in a row. */
  noteEarlyEnd(id: number, size: number, count: number) {
    db.query('UPDATE download SET ended_size = ?, ended_count = ? WHERE id = ?').run(size, count, id)
  },
  setTarget(id: number, { storage, path }: FilePlace, size: number) {
    db.query('UPDATE download SET target_path = ?, target_storage = ?, target_size = ? WHERE id = ?').run(
      path,
      storage,
      size,
      id,
    )
  },
  /** Whether a download is about to bring its file to a path; that with id `except` does not count. */
  isTarget: (path: string, except = 0) => findTarget(db, path, except) !== null,
  /** Whether an unfinished download puts its file there; a finished one may have been moved since. */
  isTargetAt: ({ storage, path }: FilePlace) =>
    db
      .query<unknown, [string, string]>(
        `SELECT 1 FROM download WHERE target_path = ? COLLATE NOCASE AND target_storage = ? AND state <> 'done'`,
      )
      .get(path, storage) !== null,
  /** Records the received bytes; call it only after they were synced to the disk. */
  checkpoint(id: number, receivedBytes: number) {
    db.query('UPDATE download SET received_bytes = ? WHERE id = ?').run(receivedBytes, id)
  },
  wait(id: number, attempts: number, nextAttemptAt: number, { code, message }: Failure) {
    db.query(
      `UPDATE download SET state = 'waiting', attempts = ?, next_attempt_at = ?, error_code = ?, message = ? WHERE id = ?`,
    ).run(attempts, nextAttemptAt, code, message, id)
  },
  /** Lets those that wait for one reason try now. */
  retryNow(code: ErrorCode, now: number) {
    db.query(`UPDATE download SET next_attempt_at = ? WHERE state = 'waiting' AND error_code = ?`).run(now, code)
  },
  giveUp(id: number, attempts: number, { code, message }: Failure, now: number) {
    db.query(
      `UPDATE download SET state = 'failed', attempts = ?, error_code = ?, message = ?, finished_at = ? WHERE id = ?`,
    ).run(attempts, code, message, now, id)
  },
  finish(id: number, size: number, now: number) {
    db.query(
      `UPDATE download
          SET state = 'done', received_bytes = ?, total_bytes = ?, finished_at = ?, error_code = NULL, message = NULL,
              ended_size = NULL, ended_count = 0
        WHERE id = ?`,
    ).run(size, size, now, id)
  },
  /** Records that the file of an episode is here; returns its row, made if there is none. */
  recordDone(episodeId: number, size: number, now: number): DownloadRow {
    db.query<null, Record<string, string | number>>(
      `INSERT OR IGNORE INTO download
         (uuid, place, episode_id, state, received_bytes, total_bytes, created_at, finished_at, automatic)
       VALUES ($uuid, ${lastPlace}, $episodeId, 'done', $size, $size, $now, $now, 0)`,
    ).run({ uuid: crypto.randomUUID(), episodeId, size, now })
    return findDownloadOf(db, episodeId)!
  },
})

const findTarget = (db: Database, path: string, except: number) =>
  db
    .query<unknown, [string, number]>('SELECT 1 FROM download WHERE target_path = ? COLLATE NOCASE AND id <> ?')
    .get(path, except)
