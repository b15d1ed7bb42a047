import type { Database } from 'bun:sqlite'
import type { DownloadState } from '../../shared/api/episode'
import { required } from './required'
import { visibleEpisode, type Viewer } from './visibility'

export type DownloadRow = {
  id: number
  uuid: string
  /** In the queue. */
  place: number
  episode_id: number
  state: DownloadState
  attempts: number
  received_bytes: number
  boot_id: string | null
  total_bytes: number | null
  etag: string | null
  last_modified: string | null
  target_path: string | null
  error_code: string | null
  message: string | null
  next_attempt_at: number | null
  created_at: number
  started_at: number | null
  finished_at: number | null
  automatic: number
  /** Joined. */
  episode_uuid: string
  eid: string
  episode_title: string
  enclosure_url: string
  podcast_id: number
  podcast_uuid: string
  podcast_title: string
}

export type Failure = { code: string; message: string }

const joined = `
  SELECT d.*, e.uuid AS episode_uuid, e.eid, e.title AS episode_title, e.enclosure_url,
         p.id AS podcast_id, p.uuid AS podcast_uuid, p.title AS podcast_title
    FROM download d JOIN episode e ON e.id = d.episode_id JOIN podcast p ON p.id = e.podcast_id`

type Ready = { id: number; place: number; enclosure_url: string }

const lastPlace = '(SELECT coalesce(max(place), 0) + 1 FROM download)'

/** What stands together in the list, in its order. */
const groups: readonly (readonly DownloadState[])[] = [
  ['running'],
  ['queued', 'waiting'],
  ['paused'],
  ['failed'],
  ['done'],
]

export function downloadStore(db: Database) {
  const find = (where: string) => db.query<DownloadRow, [string | number]>(`${joined} ${where}`)

  return {
    find: (id: number) => find('WHERE d.id = ?').get(id),
    findByUuid: (uuid: string) => find('WHERE d.uuid = ?').get(uuid),
    findVisible: (viewer: Viewer, uuid: string) => find(`WHERE d.uuid = ? AND ${visibleEpisode(viewer)}`).get(uuid),
    /** A download that the viewer may see. Throws `download-not-found`. */
    require(viewer: Viewer, uuid: string): DownloadRow {
      return required(this.findVisible(viewer, uuid), 'download')
    },
    findOfEpisode: (episodeId: number) => find('WHERE d.episode_id = ?').get(episodeId),

    /** What runs first, then in the order of the queue. */
    list(
      viewer: Viewer,
      states: readonly DownloadState[],
      limit: number,
      after: { rank: number; place: number } | null,
    ): (DownloadRow & { rank: number })[] {
      const rows: (DownloadRow & { rank: number })[] = []
      for (let rank = after?.rank ?? 0; rank < groups.length && rows.length < limit; rank++) {
        const from = rank === after?.rank ? after.place : 0
        const found = groups[rank]!.filter(state => states.includes(state)).flatMap(state =>
          db
            .query<DownloadRow, Record<string, string | number>>(
              `${joined} WHERE d.state = $state AND d.place > $from AND ${visibleEpisode(viewer)} ORDER BY d.place LIMIT $limit`,
            )
            .all({ state, from, limit }),
        )
        found.sort((one, other) => one.place - other.place)
        rows.push(...found.slice(0, limit - rows.length).map(row => ({ ...row, rank })))
      }
      return rows
    },
    counts: (viewer: Viewer) =>
      Object.fromEntries(
        db
          .query<{ state: DownloadState; total: number }, []>(
            viewer.explicit_consent
              ? 'SELECT state, count(*) AS total FROM download GROUP BY state'
              : `SELECT d.state, count(*) AS total
                   FROM download d JOIN episode e ON e.id = d.episode_id JOIN podcast p ON p.id = e.podcast_id
                  WHERE ${visibleEpisode(viewer)} GROUP BY d.state`,
          )
          .all()
          .map(row => [row.state, row.total]),
      ) as Partial<Record<DownloadState, number>>,

    /** What may be started now, in order; read one by one, since a long queue may wait for a single host. */
    *ready(now: number): Generator<Ready> {
      const select = 'SELECT d.id, d.place, e.enclosure_url FROM download d JOIN episode e ON e.id = d.episode_id'
      // Few of those that wait are ready, of those that are queued all are.
      const waiting = db
        .query<Ready, [number]>(`${select} WHERE d.state = 'waiting' AND d.next_attempt_at <= ?`)
        .all(now)
        .sort((one, other) => one.place - other.place)
      for (const queued of db.query<Ready, []>(`${select} WHERE d.state = 'queued' ORDER BY d.place`).iterate()) {
        while (waiting[0] && waiting[0].place < queued.place) yield waiting.shift()!
        yield queued
      }
      yield* waiting
    },

    /**
     * A new row, or the old one of an episode that is asked for again, at the end of the queue. `userId`: who asked,
     * to be notified when it ends; null = a rule of the server.
     */
    enqueue(episodeId: number, { automatic, userId, now }: { automatic: boolean; userId: number | null; now: number }) {
      db.query("DELETE FROM download WHERE episode_id = ? AND state = 'done'").run(episodeId)
      db.query<null, Record<string, string | number>>(
        `INSERT INTO download (uuid, place, episode_id, state, created_at, automatic)
         VALUES ($uuid, ${lastPlace}, $episodeId, 'queued', $now, $automatic)
         ON CONFLICT DO UPDATE
            SET state = 'queued', attempts = 0, error_code = NULL, message = NULL, next_attempt_at = NULL,
                automatic = min(automatic, $automatic)
          WHERE state IN ('failed', 'waiting', 'paused')`,
      ).run({ uuid: crypto.randomUUID(), episodeId, now, automatic: Number(automatic) })
      if (userId !== null) this.noteRequest(episodeId, userId, now)
    },
    /** What is asked for at the same time becomes one notice. */
    noteRequest(episodeId: number, userId: number, askedAt: number) {
      db.query(
        `INSERT INTO download_request (episode_id, user_id, asked_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET asked_at = excluded.asked_at, outcome = NULL`,
      ).run(episodeId, userId, askedAt)
    },

    start(id: number, now: number, bootId: string | null) {
      db.query(
        `UPDATE download
            SET state = 'running', started_at = coalesce(started_at, ?), next_attempt_at = NULL, boot_id = ?
          WHERE id = ?`,
      ).run(now, bootId, id)
    },
    /** The body that is being received: what a later resume must match. */
    describeSource(id: number, source: { etag: string | null; lastModified: string | null; total: number | null }) {
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
    /** Call only for bytes that were synced to the disk. */
    checkpoint(id: number, receivedBytes: number) {
      db.query('UPDATE download SET received_bytes = ? WHERE id = ?').run(receivedBytes, id)
    },
    wait(id: number, attempts: number, nextAttemptAt: number, { code, message }: Failure) {
      db.query(
        `UPDATE download SET state = 'waiting', attempts = ?, next_attempt_at = ?, error_code = ?, message = ? WHERE id = ?`,
      ).run(attempts, nextAttemptAt, code, message, id)
    },
    /** Behind all others: what keeps a place busy without getting on leaves it to them. */
    moveToEnd(id: number) {
      db.query(`UPDATE download SET place = ${lastPlace} WHERE id = ?`).run(id)
    },
    giveUp(id: number, attempts: number, { code, message }: Failure, now: number) {
      db.query(
        `UPDATE download SET state = 'failed', attempts = ?, error_code = ?, message = ?, finished_at = ? WHERE id = ?`,
      ).run(attempts, code, message, now, id)
    },
    /** Fails the waiting download of an episode for good. */
    refuse(episodeId: number, { code, message }: Failure, now: number) {
      db.query(
        `UPDATE download SET state = 'failed', error_code = ?, message = ?, finished_at = ?, next_attempt_at = NULL
          WHERE episode_id = ? AND state IN ('queued', 'waiting', 'paused')`,
      ).run(code, message, now, episodeId)
    },
    setState(id: number, state: 'queued' | 'paused') {
      db.query(
        `UPDATE download SET state = ?, attempts = 0, next_attempt_at = NULL, error_code = NULL, message = NULL WHERE id = ?`,
      ).run(state, id)
    },
    finish(id: number, size: number, now: number) {
      db.query(
        `UPDATE download
            SET state = 'done', received_bytes = ?, total_bytes = ?, finished_at = ?, error_code = NULL, message = NULL
          WHERE id = ?`,
      ).run(size, size, now, id)
    },
    remove(id: number) {
      db.query('DELETE FROM download WHERE id = ?').run(id)
    },
    /** Rows that say they run though nobody runs them, as after a crash: queued again, in their old place. */
    requeueLost(running: readonly number[]) {
      db.query(
        `UPDATE download SET state = 'queued' WHERE state = 'running' AND id NOT IN (SELECT value FROM json_each(?))`,
      ).run(JSON.stringify(running))
    },
    unfinishedEids: () =>
      db
        .query<{ eid: string }, []>(
          `SELECT e.eid FROM download d JOIN episode e ON e.id = d.episode_id WHERE d.state <> 'done'`,
        )
        .all()
        .map(row => row.eid),
    unfinishedOf: (podcastId: number) => find(`WHERE e.podcast_id = ? AND d.state <> 'done'`).all(podcastId),
    /** The row of a file that is here; made where there is none. */
    recordDone(episodeId: number, size: number, now: number) {
      db.query<null, Record<string, string | number>>(
        `INSERT OR IGNORE INTO download (uuid, place, episode_id, state, received_bytes, total_bytes, created_at, finished_at, automatic)
         VALUES ($uuid, ${lastPlace}, $episodeId, 'done', $size, $size, $now, $now, 0)`,
      ).run({ uuid: crypto.randomUUID(), episodeId, size, now })
      return find('WHERE d.episode_id = ?').get(episodeId)!
    },
  }
}
