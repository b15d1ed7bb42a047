import type { Database } from 'bun:sqlite'
import type { ErrorCode } from '../../shared/error-code'

/** A move from another program; times in milliseconds. */
export type MoveRow = {
  id: number
  uuid: string
  user_id: number
  source: string
  file_name: string
  own_name: string | null
  state: 'adding' | 'applying' | 'done' | 'failed'
  /** Items of the source that are applied. */
  applied: number
  message: string | null
  /** Id of the latest podcast before it. */
  last_podcast: number
  started_at: number
  finished_at: number | null
}

export type MovePodcastRow = {
  move_id: number
  place: number
  feed_url: string
  title: string | null
  own_title: string | null
  guid: string | null
  active: number
  sealed: Uint8Array | null
  state: 'waiting' | 'added' | 'present' | 'unread' | 'refused'
  podcast_id: number | null
  error_code: ErrorCode | null
  message: string | null
}

export type NewMove = Pick<MoveRow, 'uuid' | 'user_id' | 'source' | 'file_name' | 'own_name'>
export type NewMovePodcast = Pick<MovePodcastRow, 'feed_url' | 'title' | 'own_title' | 'guid' | 'active' | 'sealed'>
export type MovePodcastOutcome = Pick<MovePodcastRow, 'state' | 'podcast_id' | 'error_code' | 'message'>

/** One line of the report; '' = no feed, no reason. */
export type MoveCountRow = {
  feed_url: string
  kind: string
  outcome: 'taken' | 'present' | 'left-out'
  reason: string
  total: number
}

/** Something that a move made (`before` null) or changed. */
export type MoveChangeRow = {
  item: number
  kind: string
  user_id: number | null
  podcast_id: number | null
  episode_id: number | null
  other_id: number | null
  before: string | null
}

/** Reads moves. */
export const moveLookups = (db: Database) => ({
  find: (id: number) => db.query<MoveRow, [number]>('SELECT * FROM move WHERE id = ?').get(id),
  running: () => db.query<MoveRow, []>(`SELECT * FROM move WHERE state IN ('adding', 'applying') ORDER BY id`).all(),
  podcastsOf: (id: number) =>
    db.query<MovePodcastRow, [number]>('SELECT * FROM move_podcast WHERE move_id = ? ORDER BY place').all(id),
  countsOf: (id: number) =>
    db
      .query<MoveCountRow, [number]>(
        `SELECT feed_url, kind, outcome, reason, total FROM move_count
          WHERE move_id = ? ORDER BY feed_url, kind, outcome, reason`,
      )
      .all(id),
  /** The changes of items from one on. */
  changesSince: (id: number, item: number, most: number) =>
    db
      .query<MoveChangeRow & { place: number }, [number, number]>(
        'SELECT * FROM move_change WHERE move_id = ? ORDER BY place DESC LIMIT ?',
      )
      .all(id, most)
      .filter(change => change.item >= item)
      .reverse(),
})

/** Writes moves. */
export const moveChanges = (db: Database) => ({
  add(move: NewMove, podcasts: readonly NewMovePodcast[], now: number): MoveRow {
    const row = db
      .query<MoveRow, NewMove & { now: number }>(
        `INSERT INTO move (uuid, user_id, source, file_name, own_name, state, last_podcast, started_at)
         VALUES ($uuid, $user_id, $source, $file_name, $own_name, 'adding',
                 (SELECT coalesce(max(id), 0) FROM podcast), $now) RETURNING *`,
      )
      .get({ ...move, now })!
    const insert = db.query<null, NewMovePodcast & { id: number; place: number }>(
      `INSERT OR IGNORE INTO move_podcast (move_id, place, feed_url, title, own_title, guid, active, sealed, state)
       VALUES ($id, $place, $feed_url, $title, $own_title, $guid, $active, $sealed, 'waiting')`,
    )
    podcasts.forEach((podcast, place) => insert.run({ ...podcast, id: row.id, place }))
    return row
  },
  settlePodcast(id: number, place: number, outcome: MovePodcastOutcome) {
    db.query<null, MovePodcastOutcome & { id: number; place: number }>(
      `UPDATE move_podcast
          SET state = $state, podcast_id = $podcast_id, error_code = $error_code, message = $message, sealed = NULL
        WHERE move_id = $id AND place = $place`,
    ).run({ ...outcome, id, place })
  },
  setApplied(id: number, applied: number) {
    db.query('UPDATE move SET applied = ? WHERE id = ?').run(applied, id)
  },
  setState(id: number, state: MoveRow['state'], message: string | null, finishedAt: number | null) {
    db.query('UPDATE move SET state = ?, message = ?, finished_at = ? WHERE id = ?').run(state, message, finishedAt, id)
  },
  count(id: number, { feed_url, kind, outcome, reason, total }: MoveCountRow) {
    db.query(
      `INSERT INTO move_count (move_id, feed_url, kind, outcome, reason, total) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET total = total + excluded.total`,
    ).run(id, feed_url, kind, outcome, reason, total)
  },
  noteChange(id: number, { item, kind, user_id, podcast_id, episode_id, other_id, before }: MoveChangeRow) {
    db.query(
      `INSERT INTO move_change (move_id, place, item, kind, user_id, podcast_id, episode_id, other_id, before)
       VALUES (?1, (SELECT coalesce(max(place), 0) + 1 FROM move_change WHERE move_id = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
    ).run(id, item, kind, user_id, podcast_id, episode_id, other_id, before)
  },
  /** Forgets moves and their reports; what came stays. */
  removeOlderThan(finishedAt: number) {
    db.query(`DELETE FROM move WHERE state IN ('done', 'failed') AND finished_at < ?`).run(finishedAt)
  },
})
