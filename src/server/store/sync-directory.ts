import type { Database } from 'bun:sqlite'
import { hasFeed } from './folder-feeds'
import type { PodcastColumns } from './podcasts'
import { sortByTitle } from './titles'
import { visibleEpisode, visiblePodcast, type Viewer } from './visibility'

/** An episode as podcast apps list it. */
export type EpisodeForSync = {
  id: number
  uuid: string
  title: string
  enclosure_url: string
  link: string | null
  published_at: number
  podcast_title: string
  feed_url: string
}

const episodeForSync =
  'e.id, e.uuid, e.title, e.enclosure_url, e.link, e.published_at, p.title AS podcast_title, p.feed_url'

type PodcastForSync = Pick<
  PodcastColumns,
  'id' | 'uuid' | 'title' | 'author' | 'summary' | 'image_url' | 'link' | 'feed_url'
> & {
  /** Number of users with the podcast among their favourites. */
  subscribers: number
}

/** The library as podcast apps list and search it. */
export const syncDirectory = (db: Database) => ({
  /** Most favoured first, then by title. */
  podcasts: (viewer: Viewer) =>
    sortByTitle(
      db
        .query<PodcastForSync, []>(
          `SELECT p.id, p.uuid, p.title, p.author, p.summary, p.image_url, p.link, p.feed_url,
                  (SELECT count(*) FROM favourite f WHERE f.podcast_id = p.id) AS subscribers
             FROM podcast p WHERE ${hasFeed('p')} AND ${visiblePodcast(viewer)}`,
        )
        .all(),
    ).sort((a, b) => b.subscribers - a.subscribers),
  /** Newest first; `from` in milliseconds. */
  newest: (viewer: Viewer, podcastIds: readonly number[], from: number, limit: number) =>
    db
      .query<EpisodeForSync, [number, string, number]>(
        `SELECT ${episodeForSync} FROM episode e JOIN podcast p ON p.id = e.podcast_id
          WHERE e.published_at >= ? AND +e.podcast_id IN (SELECT value FROM json_each(?)) AND ${hasFeed('p')}
            AND ${visibleEpisode(viewer)}
          ORDER BY e.published_at DESC, e.id DESC LIMIT ?`,
      )
      .all(from, JSON.stringify(podcastIds), limit),
  liked: (viewer: Viewer) =>
    db
      .query<EpisodeForSync, [number]>(
        `SELECT ${episodeForSync}
           FROM episode_like l JOIN episode e ON e.id = l.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE l.user_id = ? AND ${hasFeed('p')} AND ${visibleEpisode(viewer)}`,
      )
      .all(viewer.id),
})
