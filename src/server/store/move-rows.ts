import type { Database } from 'bun:sqlite'

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
              (user_id, podcast_id, speed, boost, skip_intro, skip_outro, skip_marked, queue_new, queue_most, form)
       SELECT ?1 ->> 'user_id', ?1 ->> 'podcast_id', ?1 ->> 'speed', ?1 ->> 'boost', ?1 ->> 'skip_intro',
              ?1 ->> 'skip_outro', coalesce(?1 ->> 'skip_marked', 0), ?1 ->> 'queue_new',
              coalesce(?1 ->> 'queue_most', 3), ?1 ->> 'form'`,
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
  /** Sets the seconds that a user listened to an episode in an hour; 0 = none. */
  setListened(key: { user_id: number; hour: number; episode_id: number }, seconds: number) {
    if (seconds <= 0) this.removeRow('listened', key)
    else
      db.query<null, RowKey>(
        `UPDATE listened SET seconds = $seconds WHERE user_id = $user_id AND hour = $hour AND episode_id = $episode_id`,
      ).run({ ...key, seconds })
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
