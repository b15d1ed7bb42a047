import type { Database } from 'bun:sqlite'
import type { MoveRow, PlacedChange } from './moves'

/** One line of the report of taking a move back; '' = no feed, no reason. */
export type UndoCountRow = {
  feed_url: string
  kind: string
  outcome: 'undone' | 'gone' | 'kept'
  reason: string
  total: number
}

/** Takes moves back, as far as their own rows are concerned. */
export const moveUndo = (db: Database) => ({
  /** The latest move, of one user or of anybody, that is not taken back. */
  latest: (userId: number | null) =>
    db
      .query<Pick<MoveRow, 'id'>, [number | null, number | null]>(
        `SELECT id FROM move WHERE undo IS NOT 'undone' AND (? IS NULL OR user_id = ?) ORDER BY id DESC LIMIT 1`,
      )
      .get(userId, userId)?.id ?? null,
  /** Begins to take a move back; one that is still running ends here. */
  beginUndo(id: number, now: number) {
    db.query<null, { id: number; now: number }>(
      `UPDATE move
          SET undo = 'undoing', message = iif(state IN ('adding', 'applying'), 'Cancelled', message),
              state = iif(state IN ('adding', 'applying'), 'failed', state), finished_at = coalesce(finished_at, $now)
        WHERE id = $id AND undo IS NULL`,
    ).run({ id, now })
  },
  endUndo(id: number, now: number) {
    db.query(`UPDATE move SET undo = 'undone', undone_at = ? WHERE id = ?`).run(now, id)
  },
  /** Gives up taking a move back; it may be tried again from where it came to. */
  giveUpUndo(id: number, message: string) {
    db.query('UPDATE move SET undo = NULL, message = ? WHERE id = ?').run(message, id)
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
