import type { Database } from 'bun:sqlite'
import { findPodcast, type PodcastRow } from './podcasts'

export type NewPodcast = {
  title: string
  folder: string
  feedUrl: string
  privacy: number
  userId: number
  now: number
  /** When its feed is due; at once unless given. */
  dueAt?: number
}

/** Changes that people make to podcasts. */
export const podcastChanges = (db: Database) => ({
  add({ dueAt, ...podcast }: NewPodcast): PodcastRow {
    const { id } = db
      .query<{ id: number }, Record<string, string | number>>(
        `INSERT INTO podcast (uuid, title, folder, feed_url, private, added_by, added_at, next_check_at)
         VALUES ($uuid, $title, $folder, $feedUrl, $privacy, $userId, $now, $dueAt) RETURNING id`,
      )
      .get({ uuid: crypto.randomUUID(), dueAt: dueAt ?? podcast.now, ...podcast })!
    return findPodcast(db, id)!
  },
  /** Sets a title that the feed no longer overwrites. */
  rename(id: number, title: string) {
    db.query('UPDATE podcast SET title = ?, renamed = 1 WHERE id = ?').run(title, id)
  },
  setImage(id: number, url: string | null) {
    db.query('UPDATE podcast SET image_url = ? WHERE id = ?').run(url, id)
  },
  /** Activating a podcast also clears a stop: its feed is due at once. */
  setActive(id: number, active: boolean, now: number) {
    db.query<null, Record<string, number>>(
      `UPDATE podcast
          SET active = $active, gone = iif($active, 0, gone), failures = iif($active, 0, failures),
              next_check_at = iif($active, $now, next_check_at)
        WHERE id = $id`,
    ).run({ id, active: Number(active), now })
  },
  /** Makes a podcast a favourite, or no longer; answers whether that changed anything. */
  favour(userId: number, podcastId: number, favoured: boolean, now: number): boolean {
    if (!favoured)
      return db.query('DELETE FROM favourite WHERE user_id = ? AND podcast_id = ?').run(userId, podcastId).changes > 0
    return (
      db
        .query('INSERT OR IGNORE INTO favourite (user_id, podcast_id, created_at) VALUES (?, ?, ?)')
        .run(userId, podcastId, now).changes > 0
    )
  },
})
