import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../src/server/data-folder'

const ofEpisode = (table: string, value: string, more = '') => `
  SELECT u.username || ' ' || p.feed_url || ' ' || e.guid ${more} AS key, p.feed_url AS feed, ${value} AS value
    FROM ${table} x JOIN user u ON u.id = x.user_id JOIN episode e ON e.id = x.episode_id
    JOIN podcast p ON p.id = e.podcast_id`
const ofPodcast = (table: string, value: string) => `
  SELECT u.username || ' ' || p.feed_url AS key, p.feed_url AS feed, ${value} AS value
    FROM ${table} x JOIN user u ON u.id = x.user_id JOIN podcast p ON p.id = x.podcast_id`

/** Everything that people have of podcasts and episodes, by keys that mean the same in every library. */
const queries = {
  favourites: ofPodcast('favourite', 'x.created_at'),
  preferences: ofPodcast(
    'podcast_preference',
    'json_array(x.speed, x.boost, x.skip_intro, x.skip_outro, x.queue_new, x.queue_most, x.form)',
  ),
  rules: `SELECT p.feed_url AS key, p.feed_url AS feed, json_array(x.auto_download, x.include, x.exclude) AS value
            FROM podcast_settings x JOIN podcast p ON p.id = x.podcast_id`,
  positions: ofEpisode('playback', 'json_array(x.position, x.total, x.finished, x.device, x.updated_at)'),
  likes: ofEpisode('episode_like', 'x.created_at'),
  queue: ofEpisode('queue_item', 'x.uuid'),
  bookmarks: ofEpisode('bookmark', "coalesce(x.note, '')", "|| ' ' || x.uuid"),
  tagged: `SELECT u.username || ' ' || t.name || ' ' || p.feed_url AS key, p.feed_url AS feed, 1 AS value
             FROM podcast_tag x JOIN tag t ON t.id = x.tag_id JOIN user u ON u.id = t.user_id
             JOIN podcast p ON p.id = x.podcast_id`,
  listed: `SELECT u.username || ' ' || l.name || ' ' || p.feed_url || ' ' || e.guid AS key, p.feed_url AS feed, 1 AS value
             FROM playlist_item x JOIN playlist l ON l.id = x.playlist_id JOIN user u ON u.id = l.user_id
             JOIN episode e ON e.id = x.episode_id JOIN podcast p ON p.id = e.podcast_id`,
  tags: `SELECT u.username || ' ' || t.name AS key, NULL AS feed, json_array(t.color, t.description) AS value
           FROM tag t JOIN user u ON u.id = t.user_id`,
  playlists: `SELECT u.username || ' ' || l.name AS key, NULL AS feed, 1 AS value
                FROM playlist l JOIN user u ON u.id = l.user_id`,
  podcasts: `SELECT feed_url AS key, feed_url AS feed, json_array(iif(renamed, title, ''), active) AS value FROM podcast`,
  episodes: `SELECT p.feed_url || ' ' || e.guid AS key, p.feed_url AS feed, json_array(e.in_feed, e.removed) AS value
               FROM episode e JOIN podcast p ON p.id = e.podcast_id`,
}

export type Kind = keyof typeof queries
export type KeyedRow = { key: string; feed: string | null; value: string | number }
export type KeyedRows = Record<Kind, Map<string, KeyedRow>>

export function keyedRowsOf(folder: string): KeyedRows {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  try {
    const entries = Object.entries(queries).map(([kind, sql]) => {
      const rows = db.query<KeyedRow, []>(sql).all()
      return [kind, new Map(rows.map(row => [row.key, row]))]
    })
    return Object.fromEntries(entries) as KeyedRows
  } finally {
    db.close()
  }
}

/** Podcasts whose counts of played and finished episodes are not those of the positions; not while they are removed. */
export function wrongCountsOf(folder: string): unknown[] {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  try {
    return db
      .query(
        `SELECT * FROM (SELECT user_id, podcast_id, sum(played) AS played, sum(finished) AS finished FROM (
             SELECT user_id, podcast_id, played, finished FROM playback
             UNION ALL SELECT user_id, podcast_id, -played, -finished FROM listening)
           GROUP BY user_id, podcast_id)
          WHERE (played <> 0 OR finished <> 0)
            AND podcast_id IN (SELECT id FROM podcast) AND user_id IN (SELECT id FROM user)`,
      )
      .all()
  } finally {
    db.close()
  }
}
