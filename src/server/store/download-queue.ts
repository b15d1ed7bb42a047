import type { Database } from 'bun:sqlite'
import type { Failure } from './downloads'

type Ready = { id: number; place: number; podcast_id: number; enclosure_url: string }
/** `form`: the form of the episode that a person asks for; absent or null = the one that the podcast's settings prefer. */
type Request = { automatic: boolean; userId: number | null; now: number; form?: string | null | undefined }

export const lastPlace = '(SELECT coalesce(max(place), 0) + 1 FROM download)'

/** The queue of downloads. */
export const downloadQueue = (db: Database) => ({
  /** Downloads that may start now, in order; a generator, since a long queue may wait for a single host. */
  ready: (now: number) => ready(db, now),
  /**
   * Puts an episode at the end of the queue. `userId`: the person who asked, and is notified when it ends; null = a
   * rule of the server.
   */
  enqueue(episodeId: number, { automatic, userId, now, form = null }: Request) {
    db.query("DELETE FROM download WHERE episode_id = ? AND state = 'done'").run(episodeId)
    db.query<null, Record<string, string | number | null>>(
      `INSERT INTO download (uuid, place, episode_id, state, created_at, automatic, form)
       VALUES ($uuid, ${lastPlace}, $episodeId, 'queued', $now, $automatic, $form)
       ON CONFLICT DO UPDATE
          SET state = 'queued', attempts = 0, error_code = NULL, message = NULL, next_attempt_at = NULL,
              automatic = min(automatic, $automatic), form = $form
        WHERE state IN ('failed', 'waiting', 'paused')`,
    ).run({ uuid: crypto.randomUUID(), episodeId, now, automatic: Number(automatic), form })
    if (userId !== null) noteRequest(db, episodeId, userId, now)
  },
  /** Chooses the form of the episode that a download fetches. */
  setForm(id: number, form: string) {
    db.query('UPDATE download SET form = ? WHERE id = ?').run(form, id)
  },
  noteRequest: (episodeId: number, userId: number, askedAt: number) => noteRequest(db, episodeId, userId, askedAt),
  /** Moves a download that makes no progress behind all others. */
  moveToEnd(id: number) {
    db.query(`UPDATE download SET place = ${lastPlace} WHERE id = ?`).run(id)
  },
  setState(id: number, state: 'queued' | 'paused') {
    db.query(
      `UPDATE download SET state = ?, attempts = 0, next_attempt_at = NULL, error_code = NULL, message = NULL WHERE id = ?`,
    ).run(state, id)
  },
  /** Queues downloads again, in their old place, that a crash left running; `running`: ids of those that do run. */
  requeueLost(running: readonly number[]) {
    db.query(
      `UPDATE download SET state = 'queued' WHERE state = 'running' AND id NOT IN (SELECT value FROM json_each(?))`,
    ).run(JSON.stringify(running))
  },
  /** Fails the download of an episode that has not started. */
  refuse(episodeId: number, { code, message }: Failure, now: number) {
    db.query(
      `UPDATE download SET state = 'failed', error_code = ?, message = ?, finished_at = ?, next_attempt_at = NULL
        WHERE episode_id = ? AND state IN ('queued', 'waiting', 'paused')`,
    ).run(code, message, now, episodeId)
  },
  remove(id: number) {
    db.query('DELETE FROM download WHERE id = ?').run(id)
  },
})

/** Requests of the same moment are announced together. */
function noteRequest(db: Database, episodeId: number, userId: number, askedAt: number) {
  db.query(
    `INSERT INTO download_request (episode_id, user_id, asked_at) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET asked_at = excluded.asked_at, outcome = NULL`,
  ).run(episodeId, userId, askedAt)
}

function* ready(db: Database, now: number): Generator<Ready> {
  const select =
    'SELECT d.id, d.place, e.podcast_id, e.enclosure_url FROM download d JOIN episode e ON e.id = d.episode_id JOIN podcast p ON p.id = e.podcast_id'
  // Few waiting downloads are ready, but all queued ones are.
  const waiting = db
    .query<Ready, [number]>(`${select} WHERE d.state = 'waiting' AND d.next_attempt_at <= ?`)
    .all(now)
    .sort((one, other) => one.place - other.place)
  for (const queued of db.query<Ready, []>(`${select} WHERE d.state = 'queued' ORDER BY d.place`).iterate()) {
    while (waiting[0] && waiting[0].place < queued.place) yield waiting.shift()!
    yield queued
  }
  yield* waiting
}
