import type { Database } from 'bun:sqlite'
import type { Removal } from './removals'
import { visibleEpisode, visibleToUser, type Viewer } from './visibility'

/** A passage of an episode that everybody may hear who knows its code; milliseconds. */
export type ClipRow = {
  id: number
  uuid: string
  code: string
  user_id: number
  episode_id: number
  start_ms: number
  end_ms: number
  title: string
  quote: string
  file_type: string
  created_at: number
  ends_at: number
}
export type NewClipRow = Omit<ClipRow, 'id'>

/** A clip with what is shown of its episode. */
export type ClipOfEpisode = ClipRow & {
  episode_uuid: string
  episode_title: string
  episode_link: string | null
  podcast_uuid: string
  podcast_title: string
  podcast_link: string | null
  language: string | null
  is_explicit: number
}

const select = `
  SELECT c.*, e.uuid AS episode_uuid, e.title AS episode_title, e.link AS episode_link, p.uuid AS podcast_uuid,
         p.title AS podcast_title, p.link AS podcast_link, p.language, max(e.explicit, p.explicit) AS is_explicit
    FROM clip c JOIN episode e ON e.id = c.episode_id JOIN podcast p ON p.id = e.podcast_id`

/** Passages that users show to everybody who knows the address. */
export const clipStore = (db: Database) => ({
  add(clip: NewClipRow) {
    db.query<null, NewClipRow>(
      `INSERT INTO clip (uuid, code, user_id, episode_id, start_ms, end_ms, title, quote, file_type, created_at, ends_at)
       VALUES ($uuid, $code, $user_id, $episode_id, $start_ms, $end_ms, $title, $quote, $file_type, $created_at, $ends_at)`,
    ).run(clip)
  },
  /** The latest first. */
  listFor: (viewer: Viewer, now: number) =>
    db
      .query<ClipOfEpisode, [number, number]>(
        `${select} WHERE c.user_id = ? AND c.ends_at > ? AND ${visibleEpisode(viewer)} ORDER BY c.created_at DESC, c.id DESC`,
      )
      .all(viewer.id, now),
  /** All clips, by their owners. */
  list: () => db.query<Pick<ClipRow, 'user_id' | 'uuid'>, []>('SELECT user_id, uuid FROM clip').all(),
  /** Clips of an account, or of episodes of a podcast, that is being removed. */
  ofRemoved: ({ of_table, row_id }: Pick<Removal, 'of_table' | 'row_id'>) =>
    db
      .query<Pick<ClipRow, 'user_id' | 'uuid'>, { user: number | null; podcast: number | null }>(
        `SELECT user_id, uuid FROM clip WHERE user_id = $user
          UNION ALL
         SELECT c.user_id, c.uuid FROM clip c CROSS JOIN episode e ON e.id = c.episode_id WHERE e.podcast_id = $podcast`,
      )
      .all({ user: of_table === 'user' ? row_id : null, podcast: of_table === 'podcast' ? row_id : null }),
  countOf: (userId: number) =>
    db.query<{ total: number }, [number]>('SELECT count(*) AS total FROM clip WHERE user_id = ?').get(userId)!.total,
  /** A clip that has not ended, whose owner may see the episode, and whose episode has its file. */
  findPublic: (code: string, now: number) =>
    db
      .query<ClipOfEpisode, [string, number]>(
        `${select} JOIN user u ON u.id = c.user_id
          WHERE c.code = ? AND c.ends_at > ? AND e.file_path IS NOT NULL AND ${visibleToUser}`,
      )
      .get(code, now),
  /** Removes a clip of a user; false = there is none. */
  remove: (userId: number, uuid: string): boolean =>
    db.query('DELETE FROM clip WHERE user_id = ? AND uuid = ?').run(userId, uuid).changes > 0,
  /** Removes clips that have ended, and those whose episode has lost its file. */
  removeEnded(now: number) {
    db.query(
      `DELETE FROM clip WHERE ends_at <= ?
           OR NOT EXISTS (SELECT 1 FROM episode e WHERE e.id = clip.episode_id AND e.file_path IS NOT NULL)`,
    ).run(now)
  },
  has: (uuid: string) => db.query('SELECT 1 FROM clip WHERE uuid = ?').get(uuid) !== null,
})
