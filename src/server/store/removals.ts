import type { Database } from 'bun:sqlite'
import type { FilePlace } from './file-place'
import { hasPodcast } from './visibility'

// Why: docs/internals/decisions/0060

/** Something removed whose rows are not all deleted yet. */
export type Removal = {
  of_table: RemovableTable
  row_id: number
  /** The name by which an admin knows it. */
  title: string
  /** The address of a podcast's feed, if its files stay. */
  kept_feed: string | null
}

/**
 * Tables that can have tens of thousands of rows for one row of another table. These rows outlive it: nothing finds
 * them any more, and `deleteSome` deletes them in pieces. All other rows that refer to it are deleted with it.
 */
const growing = {
  podcast: ['episode', 'listened', 'cover', 'notification'],
  user: [
    'playback',
    'playback_hidden',
    'listened',
    'marked_before',
    'new_episode',
    'episode_like',
    'episode_action',
    'bookmark',
    'skip_mark',
    'loudness',
    'play_session',
    'queue_item',
    'clip',
    'notification',
    'download_request',
  ],
  playlist: ['playlist_item', 'kept_episode'],
  saved_queue: ['saved_queue_item'],
  job: ['job_item'],
  move: ['move_change', 'move_podcast', 'move_count', 'move_undo_count'],
} as const

export type RemovableTable = keyof typeof growing

/** Tables whose rows have files, which are deleted first. */
const withFiles = new Set(['cover', 'clip'])

/** The rows that are deleted at once even of a growing table. */
const AT_ONCE = 500

/** A table that refers to another one, by a column. `key`: the columns that identify its rows. */
type Reference = { table: string; column: string; isKept: boolean; key: string }

/**
 * Removes what other rows refer to. Use it within `store.inRemoval`: elsewhere the database deletes everything that
 * refers to a row in one piece.
 */
export function removalStore(db: Database) {
  let known: Map<string, Reference[]> | undefined
  const referencesTo = (table: string) => (known ??= readReferences(db)).get(table) ?? []

  /** Deletes the rows of a table that belong to a row that is gone, with what belongs to them. */
  function deleteOf(id: number, title: string, { table, column, isKept, key }: Reference) {
    if (isKept) return db.query(`UPDATE ${table} SET ${column} = NULL WHERE ${column} = ?`).run(id)
    if (referencesTo(table).length > 0)
      for (const row of db
        .query<{ id: number }, [number]>(`SELECT ${key} AS id FROM ${table} WHERE ${column} = ?`)
        .all(id))
        leave(table, row.id, title)
    return db.query(`DELETE FROM ${table} WHERE ${column} = ?`).run(id)
  }

  /** Deletes what belongs to a row; what is too much for one piece is noted for later. */
  function leave(table: string, id: number, title: string, keptFeed: string | null = null) {
    let isLeft = false
    for (const reference of referencesTo(table)) {
      if (!isGrowing(table, reference.table)) deleteOf(id, title, reference)
      // Rows that others refer to are left alone: foreign keys do not delete those now.
      else if (referencesTo(reference.table).length > 0 || withFiles.has(reference.table))
        isLeft = hasRows(db, id, reference) || isLeft
      else isLeft = deletePiece(db, id, reference, AT_ONCE) === AT_ONCE || isLeft
    }
    if (isLeft)
      db.query('INSERT OR REPLACE INTO removal (of_table, row_id, title, kept_feed) VALUES (?, ?, ?, ?)').run(
        table,
        id,
        title,
        keptFeed,
      )
  }

  return {
    /** Removes a row, so that nothing finds it any more. */
    remove(table: RemovableTable, id: number, title: string, keptFeed: string | null = null) {
      leave(table, id, title, keptFeed)
      db.query(`DELETE FROM ${table} WHERE id = ?`).run(id)
    },
    list: () => db.query<Removal, []>('SELECT * FROM removal ORDER BY of_table, row_id').all(),
    find: (table: RemovableTable, id: number) =>
      db.query<Removal, [string, number]>('SELECT * FROM removal WHERE of_table = ? AND row_id = ?').get(table, id),
    /** The number of rows that are to be deleted, without those that belong to them. */
    remaining: ({ of_table, row_id }: Removal) =>
      referencesTo(of_table)
        .filter(({ table }) => isGrowing(of_table, table))
        .reduce(
          (sum, { table, column }) =>
            sum +
            db
              .query<{ total: number }, [number]>(`SELECT count(*) AS total FROM ${table} WHERE ${column} = ?`)
              .get(row_id)!.total,
          0,
        ),
    /** Detaches the file from an episode of a removed podcast; returns the place of the file, null = it has none. */
    takeFile: (id: number): FilePlace | null => {
      const place = db
        .query<FilePlace, [number]>(
          `SELECT file_storage AS storage, file_path AS path FROM episode AS e
            WHERE id = ? AND NOT ${hasPodcast} AND file_path IS NOT NULL`,
        )
        .get(id)
      // The second thread deletes the episode itself: that changes the search index, which may take long.
      if (place) db.query('UPDATE episode SET file_path = NULL, file_size = NULL WHERE id = ?').run(id)
      return place
    },
    /** Deletes up to this many rows with what belongs to them. Returns the number; 0 = everything is gone. */
    deleteSome({ of_table, row_id }: Removal, most: number): number {
      for (const reference of referencesTo(of_table)) {
        const count = deletePiece(db, row_id, reference, most)
        if (count > 0) return count
      }
      db.query('DELETE FROM removal WHERE of_table = ? AND row_id = ?').run(of_table, row_id)
      return 0
    },
  }
}

/** Whether episodes of removed podcasts are still here. */
export const isRemoving = (db: Database): boolean =>
  db.query(`SELECT 1 FROM removal WHERE of_table = 'podcast' LIMIT 1`).get() !== null

/** Whether rows that refer to another table outlive its row. */
export const isGrowing = (parent: string, table: string): boolean =>
  (growing[parent as RemovableTable] as readonly string[] | undefined)?.includes(table) ?? false

const hasRows = (db: Database, id: number, { table, column }: Reference): boolean =>
  db.query(`SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT 1`).get(id) !== null

function deletePiece(db: Database, id: number, { table, column, isKept, key }: Reference, most: number): number {
  const some = `(${key}) IN (SELECT ${key} FROM ${table} WHERE ${column} = ? LIMIT ?)`
  const statement = isKept ? `UPDATE ${table} SET ${column} = NULL WHERE ${some}` : `DELETE FROM ${table} WHERE ${some}`
  // `changes` may count what triggers changed.
  return Math.min(most, db.query(statement).run(id, most).changes)
}

/** Reads from the schema which tables refer to which. */
function readReferences(db: Database): Map<string, Reference[]> {
  const rows = db
    .prepare<{ parent: string; table: string; column: string; rule: string; key: string }, []>(
      `SELECT f."table" AS parent, t.name AS "table", f."from" AS "column", f.on_delete AS rule,
              coalesce((SELECT group_concat(name, ', ') FROM (
                SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk)), 'rowid') AS key
         FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
        WHERE t.type = 'table'`,
    )
    .all()
  const references = rows.map(({ parent, rule, ...row }) => ({ parent, ...row, isKept: rule === 'SET NULL' }))
  return Map.groupBy(references, ({ parent }) => parent)
}
