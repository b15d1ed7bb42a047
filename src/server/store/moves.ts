import type { Database } from 'bun:sqlite'
import type { MovePodcast, MoveState } from '../../shared/api/move'
import type { ErrorCode } from '../../shared/error-code'
import type { UserRow } from './users'

/** A move from another program; times in milliseconds. */
export type MoveRow = {
  id: number
  uuid: string
  user_id: number
  source: string
  file_name: string
  own_name: string | null
  /** The state: how it ended, a step before it begins, or that it is being undone, or was. */
  state: MoveState
  /** Items of the source that are applied, and all of them, known after its rehearsal. */
  applied: number
  items: number | null
  /** The data it may write: its own account's, also the library's rules, or also that of other people. */
  authority: 'self' | 'library' | 'everybody'
  /** Whether it has begun: 0 while it waits for a person to let it, and for a file that could not be read. */
  begun: number
  /** The program that a person says made the file. */
  given_source: string | null
  /** A file on the server that is copied first. */
  path: string | null
  /** Bytes that are uploaded in all. */
  bytes: number | null
  /** Why it ended early: a code for the interface with arguments as JSON, and in English. */
  error_code: ErrorCode | null
  error_args: string | null
  message: string | null
  /** Whether people without an account get one. */
  with_users: number
  /** Settings of the source for all its podcasts, as JSON; null = none. */
  server_settings: string | null
  /** Id of the latest podcast before it. */
  last_podcast: number
  started_at: number
  finished_at: number | null
  /** JSON of where its files are and how they come; null = they stay there. */
  files: string | null
  /** The server that it copies from, with the credentials there, sealed; null = a file, or no longer needed. */
  server: Uint8Array | null
  /** The place of the changes down to which it is undone; null = nothing is. */
  undo_place: number | null
  undone_at: number | null
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
  state: MovePodcast['state']
  podcast_id: number | null
  error_code: ErrorCode | null
  error_args: string | null
  message: string | null
}

/** Why a move ended early; `message` is in English. */
export type MoveFailure = { code: ErrorCode; message: string; args: Record<string, string> }

/** The values of the columns that keep it. */
export const failureColumns = (failure: MoveFailure | null) => ({
  code: failure?.code ?? null,
  args: failure && JSON.stringify(failure.args),
  message: failure?.message ?? null,
})

/** Reads them; null = there is none. */
export function readFailure(row: Pick<MoveRow, 'error_code' | 'error_args' | 'message'>): MoveFailure | null {
  if (row.error_code === null) return null
  const args = JSON.parse(row.error_args ?? '{}') as MoveFailure['args']
  return { code: row.error_code, message: row.message ?? '', args }
}

export type NewMove = Pick<
  MoveRow,
  'uuid' | 'user_id' | 'source' | 'file_name' | 'own_name' | 'authority' | 'with_users'
>
export type NewMovePodcast = Pick<MovePodcastRow, 'feed_url' | 'title' | 'own_title' | 'guid' | 'active' | 'sealed'>
export type MovePodcastOutcome = Pick<MovePodcastRow, 'state' | 'podcast_id' | 'error_code' | 'error_args' | 'message'>

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
  /** The row that it left, as JSON or its digest; null = nothing to compare with. */
  after?: string | null
}

/** A change with its place, in which they were made. */
export type PlacedChange = Required<MoveChangeRow> & { place: number }

/** `undo` and `stage` come before the state in which a move is that has begun. */
export const selectMove = 'SELECT *, coalesce(undo, stage, state) AS state FROM move'

/** Reads moves. */
export const moveLookups = (db: Database) => ({
  find: (id: number) => db.query<MoveRow, [number]>(`${selectMove} WHERE id = ?`).get(id),
  /** Moves with work left to do, the oldest first. */
  running: () =>
    db
      .query<MoveRow, []>(
        `${selectMove} WHERE state IN ('adding', 'applying') AND stage IS NULL OR undo = 'undoing' ORDER BY id`,
      )
      .all(),
  /** The folders of moves whose file is needed yet. */
  withFile: () =>
    db
      .query<{ uuid: string }, []>(`SELECT uuid FROM move WHERE state NOT IN ('done', 'failed') AND undo IS NULL`)
      .all()
      .map(({ uuid }) => uuid),
  podcastsOf: (id: number) =>
    db.query<MovePodcastRow, [number]>('SELECT * FROM move_podcast WHERE move_id = ? ORDER BY place').all(id),
  countsOf: (id: number) =>
    db
      .query<MoveCountRow, [number]>(
        `SELECT feed_url, kind, outcome, reason, total FROM move_count
          WHERE move_id = ? ORDER BY feed_url, kind, outcome, reason`,
      )
      .all(id),
  /** Accounts that a move has made, and that are still here. */
  usersMadeBy: (id: number) =>
    db
      .query<Pick<UserRow, 'username' | 'role' | 'password_hash'>, [number]>(
        `SELECT u.username, u.role, u.password_hash FROM move_change c JOIN user u ON u.id = c.user_id
          WHERE c.move_id = ? AND c.kind = 'user' ORDER BY u.name_key`,
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

/** Notes the podcasts of a move, in their order. */
export function addPodcasts(db: Database, id: number, podcasts: readonly NewMovePodcast[]) {
  const insert = db.query<null, NewMovePodcast & { id: number; place: number }>(
    `INSERT OR IGNORE INTO move_podcast (move_id, place, feed_url, title, own_title, guid, active, sealed, state)
     VALUES ($id, $place, $feed_url, $title, $own_title, $guid, $active, $sealed, 'waiting')`,
  )
  podcasts.forEach((podcast, place) => insert.run({ ...podcast, id, place }))
}

/** Writes moves. */
export const moveChanges = (db: Database) => ({
  add(move: NewMove, podcasts: readonly NewMovePodcast[], now: number): MoveRow {
    const row = db
      .query<MoveRow, NewMove & { now: number }>(
        `INSERT INTO move (uuid, user_id, source, file_name, own_name, authority, with_users, state, last_podcast,
                           started_at)
         VALUES ($uuid, $user_id, $source, $file_name, $own_name, $authority, $with_users, 'adding',
                 (SELECT coalesce(max(id), 0) FROM podcast), $now) RETURNING *`,
      )
      .get({ ...move, now })!
    addPodcasts(db, row.id, podcasts)
    return row
  },
  bringFiles(id: number, files: string, server: Uint8Array | null) {
    db.query('UPDATE move SET files = ?, server = ? WHERE id = ?').run(files, server, id)
  },
  settlePodcast(id: number, place: number, outcome: MovePodcastOutcome) {
    db.query<null, MovePodcastOutcome & { id: number; place: number }>(
      `UPDATE move_podcast
          SET state = $state, podcast_id = $podcast_id, error_code = $error_code, error_args = $error_args,
              message = $message, sealed = NULL
        WHERE move_id = $id AND place = $place`,
    ).run({ ...outcome, id, place })
  },
  setServerSettings(id: number, settings: string) {
    db.query('UPDATE move SET server_settings = ? WHERE id = ?').run(settings, id)
  },
  setApplied: (id: number, applied: number) =>
    void db.query('UPDATE move SET applied = ? WHERE id = ?').run(applied, id),
  /** Does nothing for a move that has ended, or was cancelled, in the meantime. */
  setState(id: number, state: 'applying' | 'done' | 'failed', failure: MoveFailure | null, finishedAt: number | null) {
    db.query(
      `UPDATE move SET state = $state, message = $message, error_code = $code, error_args = $args,
                       finished_at = $finishedAt, server = iif($finishedAt, NULL, server)
        WHERE id = $id AND state IN ('adding', 'applying')`,
    ).run({ ...failureColumns(failure), state, finishedAt, id })
  },
  count(id: number, { feed_url, kind, outcome, reason, total }: MoveCountRow) {
    db.query(
      `INSERT INTO move_count (move_id, feed_url, kind, outcome, reason, total) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET total = total + excluded.total`,
    ).run(id, feed_url, kind, outcome, reason, total)
  },
  noteChange(id: number, change: MoveChangeRow) {
    const { item, kind, user_id, podcast_id, episode_id, other_id, before, after = null } = change
    db.query(
      `INSERT INTO move_change (move_id, place, item, kind, user_id, podcast_id, episode_id, other_id, before, after)
       VALUES (?1, (SELECT coalesce(max(place), 0) + 1 FROM move_change WHERE move_id = ?1),
               ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
    ).run(id, item, kind, user_id, podcast_id, episode_id, other_id, before, after)
  },
})
