import type { Database } from 'bun:sqlite'
import { hasFeed } from './folder-feeds'
import { visiblePodcast } from './visibility'

/** Feeds of the library, by which podcast apps name podcasts. */
export const syncFeeds = (db: Database) => ({
  /** Every address under which the library knows a podcast. */
  feeds: () =>
    db
      .query<{ id: number; uuid: string; url: string }, []>(
        `SELECT id, uuid, feed_url AS url FROM podcast
          UNION ALL SELECT a.podcast_id, p.uuid, a.url FROM feed_alias a JOIN podcast p ON p.id = a.podcast_id`,
      )
      .all(),
  feedsOf: (podcastId: number) =>
    db
      .query<{ url: string }, [number, number]>(
        'SELECT feed_url AS url FROM podcast WHERE id = ? UNION ALL SELECT url FROM feed_alias WHERE podcast_id = ?',
      )
      .all(podcastId, podcastId)
      .map(({ url }) => url),
  explicitPodcasts: () =>
    db
      .query<{ id: number }, []>('SELECT id FROM podcast WHERE explicit = 1')
      .all()
      .map(({ id }) => id),
  /** Podcasts that a user's devices receive: those that the user added or favours. */
  podcastsOf: (userId: number, explicit: boolean) =>
    db
      .query<{ id: number; feed_url: string }, [number, number]>(
        `SELECT p.id, p.feed_url FROM podcast p
          WHERE (p.added_by = ? OR EXISTS (SELECT 1 FROM favourite f WHERE f.user_id = ? AND f.podcast_id = p.id))
            AND ${hasFeed('p')} AND ${visiblePodcast({ explicit_consent: Number(explicit) })}`,
      )
      .all(userId, userId),
})
