import type { Database } from 'bun:sqlite'
import type { EpisodeColumns } from './episodes'
import { hasPodcast } from './visibility'

/** The columns of an episode that say which one it is, and how long. */
export type KnownEpisode = Pick<EpisodeColumns, 'id' | 'eid' | 'podcast_id' | 'duration' | 'feed_guid'>

/** A user's position in an episode, with the names that podcast apps know it by. */
export type PlaybackForSync = {
  episode_id: number
  feed_url: string
  enclosure_url: string
  feed_guid: string | null
  started: number | null
  position: number
  total: number | null
  updated_at: number
}

const select = 'SELECT id, eid, podcast_id, duration, feed_guid FROM episode e'

/** Finds the episode that a podcast app means, and a user's position in it. */
export const syncEpisodes = (db: Database) => ({
  mediaOf: (podcastId: number) =>
    db
      .query<{ id: number; url: string }, [number]>('SELECT id, enclosure_url AS url FROM episode WHERE podcast_id = ?')
      .all(podcastId),
  /**
   * Finds the episode of a publisher's guid: the one that the feed lists under it now, else the one that had it last. Our
   * own guid differs where the publisher gave it to several.
   */
  findByGuid: (podcastId: number, guid: string) =>
    db
      .query<KnownEpisode, [number, string]>(
        `${select} WHERE id = coalesce(
           (SELECT id FROM episode WHERE podcast_id = ?1 AND guid = ?2 AND in_feed = 1),
           (SELECT id FROM episode WHERE podcast_id = ?1 AND feed_guid = ?2 AND guid <> feed_guid AND in_feed = 1
             ORDER BY id DESC LIMIT 1),
           (SELECT id FROM episode WHERE podcast_id = ?1 AND guid = ?2),
           (SELECT episode_id FROM former_episode WHERE podcast_id = ?1 AND feed_guid = ?2 ORDER BY id DESC LIMIT 1))`,
      )
      .get(podcastId, guid),
  /** Newest first. Several episodes share an address in feeds that put the latest one in the same place. */
  findByMedia: (podcastId: number, url: string) =>
    db
      .query<KnownEpisode, [number, string]>(`${select} WHERE podcast_id = ? AND enclosure_url = ? ORDER BY id DESC`)
      .all(podcastId, url),
  /** The first episode of any podcast at an address. */
  findByAddress: (url: string) =>
    db
      .query<KnownEpisode, [string]>(
        `SELECT e.id, e.eid, e.podcast_id, e.duration, e.feed_guid
           FROM podcast p CROSS JOIN episode e ON e.podcast_id = p.id AND e.enclosure_url = ? LIMIT 1`,
      )
      .get(url),
  findByEid: (eid: string) => db.query<KnownEpisode, [string]>(`${select} WHERE eid = ? AND ${hasPodcast}`).get(eid),
  findKnown: (id: number) => db.query<KnownEpisode, [number]>(`${select} WHERE id = ? AND ${hasPodcast}`).get(id),
  /** Positions of a user, in all episodes or in some. */
  playbackOf: (userId: number, episodeIds: readonly number[] | null) =>
    db
      .query<PlaybackForSync, { userId: number; ids?: string }>(
        // A finished episode of unknown length ends where it was left.
        `SELECT e.id AS episode_id, p.feed_url, e.enclosure_url, e.feed_guid, h.position, h.updated_at,
                iif(h.finished AND h.total IS NULL, 0, h.started) AS started,
                iif(h.finished AND h.total IS NULL, h.position, h.total) AS total
           FROM playback h JOIN episode e ON e.id = h.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE h.user_id = $userId
            ${episodeIds === null ? '' : 'AND h.episode_id IN (SELECT value FROM json_each($ids))'}`,
      )
      .all({ userId, ...(episodeIds !== null && { ids: JSON.stringify(episodeIds) }) }),
  /** Positions of episodes that are unplayed since a time in milliseconds. */
  unplayed: (episodeIds: readonly number[], since: number) =>
    db
      .query<PlaybackForSync, [number, string]>(
        `SELECT e.id AS episode_id, p.feed_url, e.enclosure_url, e.feed_guid, 0 AS started, 0 AS position,
                NULL AS total, ? AS updated_at
           FROM json_each(?) gone JOIN episode e ON e.id = gone.value JOIN podcast p ON p.id = e.podcast_id`,
      )
      .all(since, JSON.stringify(episodeIds)),
})
