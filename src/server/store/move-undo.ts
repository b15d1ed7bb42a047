import type { Database } from 'bun:sqlite'
import type { Skipped } from './listened'
import type { MoveRow, PlacedChange } from './moves'

/** One line of the report of undoing a move; '' = no feed, no reason. */
export type UndoCountRow = {
  feed_url: string
  kind: string
  outcome: 'undone' | 'gone' | 'kept'
  reason: string
  total: number
}

/** Undoes moves, as far as their own rows are concerned. */
export const moveUndo = (db: Database) => ({
  /** The latest move, of one user or of anybody, that is not undone. */
  latest: (userId: number | null) =>
    db
      .query<Pick<MoveRow, 'id'>, [number | null, number | null]>(
        `SELECT id FROM move WHERE undo IS NOT 'undone' AND (? IS NULL OR user_id = ?) ORDER BY id DESC LIMIT 1`,
      )
      .get(userId, userId)?.id ?? null,
  /** Begins to undo a move; if it is still running, it ends here. */
  beginUndo(id: number, now: number) {
    db.query<null, { id: number; now: number }>(
      `UPDATE move
          SET undo = 'undoing', server = NULL, message = iif(state IN ('adding', 'applying'), 'Cancelled', message),
              error_code = iif(state IN ('adding', 'applying'), 'cancelled', error_code),
              state = iif(state IN ('adding', 'applying'), 'failed', state), finished_at = coalesce(finished_at, $now)
        WHERE id = $id AND undo IS NULL`,
    ).run({ id, now })
  },
  endUndo(id: number, now: number) {
    db.query(`UPDATE move SET undo = 'undone', undone_at = ? WHERE id = ?`).run(now, id)
  },
  /** Stops undoing a move; it can continue later from where it stopped. */
  giveUpUndo(id: number, message: string) {
    db.query(`UPDATE move SET undo = NULL, error_code = 'unexpected', message = ? WHERE id = ?`).run(message, id)
  },
  /** The changes of a move before a place (null = the end), the last first. */
  changesBefore: (id: number, place: number | null, most: number) =>
    db
      .query<PlacedChange, [number, number, number]>(
        'SELECT * FROM move_change WHERE move_id = ? AND place < ? ORDER BY place DESC LIMIT ?',
      )
      .all(id, place ?? Number.MAX_SAFE_INTEGER, most),
  setUndoPlace(id: number, place: number) {
    db.query('UPDATE move SET undo_place = ? WHERE id = ?').run(place, id)
  },
  countUndo(id: number, { feed_url, kind, outcome, reason, total }: UndoCountRow) {
    db.query(
      `INSERT INTO move_undo_count (move_id, feed_url, kind, outcome, reason, total) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET total = total + excluded.total`,
    ).run(id, feed_url, kind, outcome, reason, total)
  },
  undoCountsOf: (id: number) =>
    db
      .query<UndoCountRow, [number]>(
        `SELECT feed_url, kind, outcome, reason, total FROM move_undo_count
          WHERE move_id = ? ORDER BY feed_url, kind, outcome, reason`,
      )
      .all(id),
})

/** Uses of a podcast or an episode by people. */
export type Use =
  'played' | 'liked' | 'queued' | 'listed' | 'bookmarked' | 'marked' | 'downloaded' | 'tagged' | 'set-up'

const ofEpisode: [Use, string][] = [
  // An older one was reported by an app before the podcast was added, unless another move imported it.
  ['played', "playback x ON x.episode_id = e.id AND (x.updated_at >= $since OR x.device LIKE 'import-%')"],
  ['liked', 'episode_like x ON x.episode_id = e.id'],
  ['queued', 'queue_item x ON x.episode_id = e.id'],
  ['queued', 'saved_queue_item x ON x.episode_id = e.id'],
  ['listed', 'playlist_item x ON x.episode_id = e.id'],
  ['bookmarked', 'bookmark x ON x.episode_id = e.id'],
  ['marked', 'skip_mark x ON x.episode_id = e.id'],
  ['downloaded', 'download x ON x.episode_id = e.id AND x.automatic = 0'],
]
const ofPodcast: [Use, string][] = [
  ['tagged', 'podcast_tag x ON x.podcast_id = p.id'],
  ['set-up', 'podcast_preference x ON x.podcast_id = p.id'],
]

/** Rows that show that an account was used; automatically added ones are not among them. */
const ofUser = (
  'session app_password passkey second_factor device sync_setting sync_list list_filter job move marked_before favourite tag ' +
  'podcast_preference playback listened episode_like queue_item saved_queue playlist bookmark skip_mark download_request'
).split(' ')

/** Finds whether people use what a move made, once its own rows are undone. */
export const moveUses = (db: Database) => {
  function find(
    uses: readonly [Use, string][],
    from: string,
    condition: string,
    values: { id: number; since: number },
  ) {
    const isUsed = (joined: string) =>
      db
        .query<{ one: number }, { id: number; since: number }>(
          `SELECT 1 AS one FROM ${from} CROSS JOIN ${joined} WHERE ${condition} LIMIT 1`,
        )
        .get(values) !== null
    return uses.find(([, joined]) => isUsed(joined))?.[0] ?? null
  }

  return {
    /** A use of an episode since a time in milliseconds. */
    useOfEpisode: (id: number, since: number) => find(ofEpisode, 'episode e', 'e.id = $id', { id, since }),
    /** A use of a podcast or one of its episodes; not its favourites and settings. */
    useOfPodcast: (id: number, since: number) =>
      find(ofPodcast, 'podcast p', 'p.id = $id', { id, since }) ??
      find(ofEpisode, 'episode e', 'e.podcast_id = $id', { id, since }),
    favouringUsers: (podcastId: number) =>
      db
        .query<{ user_id: number }, [number]>('SELECT user_id FROM favourite WHERE podcast_id = ?')
        .all(podcastId)
        .map(row => row.user_id),
    /** Whether a podcast has files that were not downloaded since it was added: it found them on the disk. */
    hasFoundFiles: (podcastId: number) =>
      db
        .query<{ one: number }, [number]>(
          `SELECT 1 AS one FROM episode e WHERE e.podcast_id = ? AND e.file_path IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM download d WHERE d.episode_id = e.id) LIMIT 1`,
        )
        .get(podcastId) !== null,
    /** Whether an account owns anything, or has added a podcast. */
    isUserActive: (id: number) =>
      ofUser.some(
        table =>
          db.query<{ one: number }, [number]>(`SELECT 1 AS one FROM ${table} WHERE user_id = ? LIMIT 1`).get(id) !==
          null,
      ) || db.query('SELECT 1 FROM podcast WHERE added_by = ? LIMIT 1').get(id) !== null,
    /** Whether undoing a move has kept files of a feed. */
    hasKeptFiles: (moveId: number, feed: string) =>
      db
        .query<{ one: number }, [number, string]>(
          `SELECT 1 AS one FROM move_undo_count
            WHERE move_id = ? AND feed_url = ? AND kind = 'files' AND outcome = 'kept' LIMIT 1`,
        )
        .get(moveId, feed) !== null,
    isTagUsed: (id: number) =>
      db.query<{ one: number }, [number]>('SELECT 1 AS one FROM podcast_tag WHERE tag_id = ?').get(id) !== null,
    isKeptQueueUsed: (id: number) =>
      db.query<{ one: number }, [number]>('SELECT 1 AS one FROM saved_queue_item WHERE saved_queue_id = ?').get(id) !==
      null,
    isPlaylistUsed: (id: number) =>
      db.query<{ one: number }, [number]>('SELECT 1 AS one FROM playlist_item WHERE playlist_id = ?').get(id) !== null,
  }
}

/** Tables in which a move makes rows, with the columns by which it finds one again. */
const keys = {
  bookmark: ['id'],
  episode_like: ['user_id', 'episode_id'],
  favourite: ['user_id', 'podcast_id'],
  listened: ['user_id', 'hour', 'episode_id'],
  playback: ['user_id', 'episode_id'],
  playlist: ['id'],
  playlist_item: ['playlist_id', 'episode_id'],
  podcast_preference: ['user_id', 'podcast_id'],
  podcast_settings: ['podcast_id'],
  podcast_tag: ['podcast_id', 'tag_id'],
  queue_item: ['user_id', 'episode_id'],
  saved_queue: ['id'],
  saved_queue_item: ['saved_queue_id', 'episode_id'],
  skip_mark: ['id'],
  tag: ['id'],
} as const

export type MovedTable = keyof typeof keys
export type RowKey = Record<string, number | null>

/** The values of an episode before its file came. */
export type FactsBefore = { duration: number; numbered: number; removed: number }

const where = (table: MovedTable) => keys[table].map(name => `${name} = $${name}`).join(' AND ')

/** Rows as a move left them, as JSON. */
export const moveRows = (db: Database) => ({
  /** The row as it is now; null = there is none. */
  rowText(table: MovedTable, key: RowKey): string | null {
    const row = db.query<object, RowKey>(`SELECT * FROM ${table} WHERE ${where(table)}`).get(key)
    return row && JSON.stringify(row)
  },
  removeRow(table: MovedTable, key: RowKey) {
    db.query<null, RowKey>(`DELETE FROM ${table} WHERE ${where(table)}`).run(key)
  },
  /** Puts the preferences of a podcast back. */
  putPreference(text: string) {
    db.query(
      `INSERT OR REPLACE INTO podcast_preference
              (user_id, podcast_id, speed, boost, skip_intro, skip_outro, skip_marked, queue_new, queue_most, form,
               notify, in_timeline)
       SELECT ?1 ->> 'user_id', ?1 ->> 'podcast_id', ?1 ->> 'speed', ?1 ->> 'boost', ?1 ->> 'skip_intro',
              ?1 ->> 'skip_outro', coalesce(?1 ->> 'skip_marked', 0), ?1 ->> 'queue_new',
              coalesce(?1 ->> 'queue_most', 3), ?1 ->> 'form', ?1 ->> 'notify', coalesce(?1 ->> 'in_timeline', 1)`,
    ).run(text)
  },
  /** Puts an item back into a queue, which has been renumbered for it; its id and time stay. */
  putQueueItem(text: string, place: number) {
    db.query(
      `UPDATE queue_item
          SET uuid = ?1 ->> 'uuid', added_at = ?1 ->> 'added_at', automatic = coalesce(?1 ->> 'automatic', 0), place = ?2
        WHERE user_id = ?1 ->> 'user_id' AND episode_id = ?1 ->> 'episode_id'`,
    ).run(text, place)
  },
  /** Removes a position, and the counts of a podcast of which a user has no other. */
  removePosition(userId: number, episodeId: number) {
    const removed = db
      .query<{ podcast_id: number }, [number, number]>(
        'DELETE FROM playback WHERE user_id = ? AND episode_id = ? RETURNING podcast_id',
      )
      .get(userId, episodeId)
    if (!removed) return
    db.query(
      `DELETE FROM listening WHERE user_id = ?1 AND podcast_id = ?2 AND played = 0 AND finished = 0
          AND NOT EXISTS (SELECT 1 FROM playback WHERE user_id = ?1 AND podcast_id = ?2)`,
    ).run(userId, removed.podcast_id)
  },
  /** Sets what a user listened to of an episode in an hour; 0 seconds = none. */
  setListened(
    key: { user_id: number; hour: number; episode_id: number },
    seconds: number,
    { saved, trimmed }: Skipped,
  ) {
    if (seconds <= 0) this.removeRow('listened', key)
    else
      db.query<null, RowKey>(
        `UPDATE listened SET seconds = $seconds, saved = $saved, trimmed = $trimmed
          WHERE user_id = $user_id AND hour = $hour AND episode_id = $episode_id`,
      ).run({ ...key, seconds, saved, trimmed })
  },
  /** Puts back what an episode had without its file; a duration only if it is the one that the file gave. */
  putFacts(id: number, was: FactsBefore, durationLeft: number) {
    db.query<null, Record<string, number>>(
      `UPDATE episode
          SET numbered = $numbered, removed = $removed, duration = iif(duration = $durationLeft, $duration, duration)
        WHERE id = $id`,
    ).run({ id, durationLeft, ...was })
  },
  removeEpisode(id: number) {
    db.query('DELETE FROM episode WHERE id = ?').run(id)
  },
  /** Gives a podcast the title of its feed again. */
  unname(id: number, title: string) {
    db.query('UPDATE podcast SET title = ?, renamed = 0 WHERE id = ?').run(title, id)
  },
})
