import { required } from '../platform/problem'
import type { Database } from 'bun:sqlite'
import {
  addPodcasts,
  failureColumns,
  selectMove,
  type MoveCountRow,
  type MoveFailure,
  type MovePodcastRow,
  type MoveRow,
  type NewMovePodcast,
} from './moves'
import type { UserRow } from './users'

/** A step before a move begins. */
type Stage = 'receiving' | 'reading' | 'ready'

/** A move of which only the file is known yet. */
export type NewArrival = Pick<
  MoveRow,
  'uuid' | 'user_id' | 'file_name' | 'authority' | 'given_source' | 'path' | 'bytes' | 'server'
> & { stage: Stage }

/** Moves that begin in a browser, and what people see of all moves. */
export const moveArrivals = (db: Database) => ({
  /** The moves of an account, the latest first. */
  listFor: (userId: number) =>
    db.query<MoveRow, [number]>(`${selectMove} WHERE user_id = ? ORDER BY id DESC`).all(userId),
  /** A move of this person; admins have those of all. Throws `move-not-found`. */
  require: (user: Pick<UserRow, 'id' | 'role'>, uuid: string): MoveRow =>
    required(
      db
        .query<MoveRow, [string, number, number]>(`${selectMove} WHERE uuid = ? AND (user_id = ? OR ?)`)
        .get(uuid, user.id, Number(user.role === 'admin')),
      'move',
    ),
  /** Moves whose file is to be read, the oldest first. */
  reading: () => db.query<MoveRow, []>(`${selectMove} WHERE stage = 'reading' ORDER BY id`).all(),
  receive: (arrival: NewArrival, now: number): MoveRow =>
    db
      .query<MoveRow, NewArrival & { now: number }>(
        `INSERT INTO move (uuid, user_id, source, file_name, authority, given_source, path, bytes, server, stage, begun,
                           state, last_podcast, started_at)
         VALUES ($uuid, $user_id, '', $file_name, $authority, $given_source, $path, $bytes, $server, $stage, 0,
                 'adding', 0, $now)
         RETURNING *, stage AS state`,
      )
      .get({ ...arrival, now })!,
  setStage(id: number, stage: Stage) {
    db.query('UPDATE move SET stage = ? WHERE id = ?').run(stage, id)
  },
  /** Ends a move whose file cannot be read. */
  failToRead(id: number, failure: MoveFailure, now: number) {
    db.query(
      `UPDATE move SET stage = NULL, state = 'failed', server = NULL, message = $message, error_code = $code,
                       error_args = $args, finished_at = $now
        WHERE id = $id`,
    ).run({ ...failureColumns(failure), now, id })
  },
  /** Notes that everything of a server is copied, and how the server is reached again; null = it sends no files. */
  copied(id: number, server: Uint8Array | null) {
    db.query('UPDATE move SET server = ? WHERE id = ?').run(server, id)
  },
  /** Notes the program that made the file, and its podcasts. */
  recognised(id: number, source: string, ownName: string | null, podcasts: readonly NewMovePodcast[]) {
    db.query('DELETE FROM move_podcast WHERE move_id = ?').run(id)
    db.query('UPDATE move SET source = ?, own_name = ? WHERE id = ?').run(source, ownName, id)
    addPodcasts(db, id, podcasts)
  },
  /** Keeps what a rehearsal counted, until the move begins. */
  rehearsed(id: number, items: number, counts: readonly MoveCountRow[]) {
    db.query('DELETE FROM move_count WHERE move_id = ?').run(id)
    const insert = db.query<null, MoveCountRow & { id: number }>(
      `INSERT INTO move_count (move_id, feed_url, kind, outcome, reason, total)
       VALUES ($id, $feed_url, $kind, $outcome, $reason, $total)`,
    )
    for (const count of counts) insert.run({ id, ...count })
    db.query(`UPDATE move SET items = ?, stage = 'ready' WHERE id = ?`).run(items, id)
  },
  /** Chooses what else is imported, which is read again. */
  choose(id: number, withUsers: boolean, files: string | null) {
    db.query(`UPDATE move SET with_users = ?, files = ?, stage = 'reading' WHERE id = ?`).run(
      Number(withUsers),
      files,
      id,
    )
  },
  /** Lets a rehearsed move begin: its counts start over. */
  begin(id: number) {
    db.query('DELETE FROM move_count WHERE move_id = ?').run(id)
    db.query(
      `UPDATE move SET stage = NULL, begun = 1, server = iif(files IS NULL, NULL, server),
                       last_podcast = (SELECT coalesce(max(id), 0) FROM podcast) WHERE id = ?`,
    ).run(id)
  },
  removeAll() {
    db.query('DELETE FROM move').run()
  },
  /** Moves that ended before a moment, and moves that nobody let begin since another. */
  olderThan: (finishedAt: number, startedAt: number) =>
    db
      .query<{ id: number; title: string }, [number, number]>(
        `SELECT id, file_name AS title FROM move
          WHERE state IN ('done', 'failed') AND undo IS NOT 'undoing' AND finished_at < ?1
             OR stage IS NOT NULL AND started_at < ?2`,
      )
      .all(finishedAt, startedAt),
  /** The podcasts of a move, with their titles here if the library has them. */
  reportOf: (id: number) =>
    db
      .query<MovePodcastRow & { uuid: string | null; here: string | null }, [number]>(
        `SELECT m.*, p.uuid, p.title AS here FROM move_podcast m LEFT JOIN podcast p ON p.id = m.podcast_id
          WHERE m.move_id = ? ORDER BY m.place`,
      )
      .all(id),
  podcastTotals: (id: number) =>
    db
      .query<{ total: number; waiting: number }, [number]>(
        `SELECT count(*) AS total, count(*) FILTER (WHERE state = 'waiting') AS waiting
           FROM move_podcast WHERE move_id = ?`,
      )
      .get(id)!,
  /** Outcomes of a move as counted so far, by kind, with all feeds together. */
  totalsByKind: (id: number) =>
    db
      .query<Omit<MoveCountRow, 'feed_url'>, [number]>(
        `SELECT kind, outcome, reason, sum(total) AS total FROM move_count WHERE move_id = ?
          GROUP BY kind, outcome, reason ORDER BY kind, outcome, reason`,
      )
      .all(id),
  /** Outcomes of a move's podcasts as counted so far: by feed, with all kinds of things together. */
  totalsByFeed: (id: number) =>
    db
      .query<{ feed_url: string; outcome: MoveCountRow['outcome']; total: number }, [number]>(
        `SELECT feed_url, outcome, sum(total) AS total FROM move_count
          WHERE move_id = ? AND kind <> 'podcasts' GROUP BY feed_url, outcome`,
      )
      .all(id),
})
