import type { Database } from 'bun:sqlite'
import { lastPlace } from './download-queue'
import { findDownloadOf, type DownloadRow, type Failure } from './downloads'

type Source = { etag: string | null; lastModified: string | null; total: number | null }

/** The course of one download, from its start to its end. */
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
  setTarget(id: number, targetPath: string) {
    db.query('UPDATE download SET target_path = ? WHERE id = ?').run(targetPath, id)
  },
  isTarget: (path: string) =>
    db
      .query<{ one: number }, [string]>('SELECT 1 AS one FROM download WHERE target_path = ? COLLATE NOCASE')
      .get(path) !== null,
  /** Records the received bytes; call it only after they were synced to the disk. */
  checkpoint(id: number, receivedBytes: number) {
    db.query('UPDATE download SET received_bytes = ? WHERE id = ?').run(receivedBytes, id)
  },
  wait(id: number, attempts: number, nextAttemptAt: number, { code, message }: Failure) {
    db.query(
      `UPDATE download SET state = 'waiting', attempts = ?, next_attempt_at = ?, error_code = ?, message = ? WHERE id = ?`,
    ).run(attempts, nextAttemptAt, code, message, id)
  },
  giveUp(id: number, attempts: number, { code, message }: Failure, now: number) {
    db.query(
      `UPDATE download SET state = 'failed', attempts = ?, error_code = ?, message = ?, finished_at = ? WHERE id = ?`,
    ).run(attempts, code, message, now, id)
  },
  finish(id: number, size: number, now: number) {
    db.query(
      `UPDATE download
          SET state = 'done', received_bytes = ?, total_bytes = ?, finished_at = ?, error_code = NULL, message = NULL
        WHERE id = ?`,
    ).run(size, size, now, id)
  },
  /** Records that the file of an episode is here; answers its row, made if there is none. */
  recordDone(episodeId: number, size: number, now: number): DownloadRow {
    db.query<null, Record<string, string | number>>(
      `INSERT OR IGNORE INTO download
         (uuid, place, episode_id, state, received_bytes, total_bytes, created_at, finished_at, automatic)
       VALUES ($uuid, ${lastPlace}, $episodeId, 'done', $size, $size, $now, $now, 0)`,
    ).run({ uuid: crypto.randomUUID(), episodeId, size, now })
    return findDownloadOf(db, episodeId)!
  },
})
