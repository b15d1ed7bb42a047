import type { Database } from 'bun:sqlite'
import type { StorageName } from './file-place'
import type { Position } from './episodes'
import type { ListenedRow } from './listened'
import { visibleEpisode, visiblePodcast, type Viewer } from './visibility'

/** A podcast as an export describes it; `favoured_at` is null if the user only listened to it. */
export type ExportedPodcast = {
  id: number
  uuid: string
  feed_url: string
  title: string
  renamed: number
  author: string | null
  guid: string | null
  image_url: string | null
  active: number
  added_at: number
  favoured_at: number | null
  /** The user's tags, ordered by name, as JSON. */
  tags: string
}

/** Everything by which another program can find an episode. */
export type NamedInExport = {
  feed_url: string
  podcast_title: string
  feed_guid: string | null
  title: string
  enclosure_url: string
  /** The date in the feed; null = it has none. */
  announced_at: number | null
  published_at: number
  duration: number
  /** Below the media folder; null = not downloaded. */
  file_path: string | null
}

export type ExportedEpisode = NamedInExport & {
  id: number
  uuid: string
  in_feed: number
  removed: number
  /** The other facts needed to recreate an episode that its feed has dropped; null for others. */
  notes: string | null
  author: string | null
  link: string | null
  enclosure_type: string | null
  position: number | null
  total: number | null
  finished: number | null
  played_at: number | null
  liked_at: number | null
  /** Whether a list, a bookmark or the history of the user names it. */
  is_named: number
}

export type ExportedListening = Pick<ListenedRow, 'episode_id' | 'hour' | 'seconds' | 'saved' | 'trimmed'>
export type ExportedSkipMark = {
  episode_id: number
  start_ms: number
  end_ms: number
  skip: number
  created_at: number
}
export type ExportedBookmark = NamedInExport & {
  id: number
  uuid: string
  time: number
  note: string | null
  created_at: number
}
export type ExportedItem = NamedInExport & { place: number; added_at: number | null }
export type ExportedPlayback = NamedInExport & {
  episode_id: number
  position: number
  total: number | null
  finished: number
  played_at: number
}
export type ExportedFile = NamedInExport & {
  id: number
  eid: string
  file_path: string
  file_storage: StorageName
  file_size: number | null
  downloaded_at: number | null
}

const named = `p.feed_url, p.title AS podcast_title, e.feed_guid, e.title, e.enclosure_url, e.announced_at, e.published_at,
  e.duration, e.file_path`

/** Podcasts with anything of a user: added, favoured, tagged, set up, listened to, or with an episode in a list. */
const own = `
  SELECT id FROM podcast WHERE added_by = $userId
  UNION SELECT podcast_id FROM favourite WHERE user_id = $userId
  UNION SELECT x.podcast_id FROM tag t JOIN podcast_tag x ON x.tag_id = t.id WHERE t.user_id = $userId
  UNION SELECT podcast_id FROM podcast_preference WHERE user_id = $userId
  UNION SELECT podcast_id FROM listening WHERE user_id = $userId
  UNION SELECT p.id FROM podcast p
         WHERE EXISTS (SELECT 1 FROM listened s WHERE s.podcast_id = p.id AND s.user_id = $userId)
  UNION SELECT e.podcast_id FROM episode_like l JOIN episode e ON e.id = l.episode_id WHERE l.user_id = $userId
  UNION SELECT e.podcast_id FROM bookmark b JOIN episode e ON e.id = b.episode_id WHERE b.user_id = $userId
  UNION SELECT e.podcast_id FROM skip_mark m JOIN episode e ON e.id = m.episode_id WHERE m.user_id = $userId
  UNION SELECT e.podcast_id FROM queue_item q JOIN episode e ON e.id = q.episode_id WHERE q.user_id = $userId
  UNION SELECT e.podcast_id FROM saved_queue s JOIN saved_queue_item i ON i.saved_queue_id = s.id
          JOIN episode e ON e.id = i.episode_id WHERE s.user_id = $userId AND s.deleted_at IS NULL
  UNION SELECT e.podcast_id FROM playlist y JOIN playlist_item i ON i.playlist_id = y.id
          JOIN episode e ON e.id = i.episode_id WHERE y.user_id = $userId`

type Page = { userId: number; limit: number }

/** Everything of one user, in pages, for an export. */
export const exportStore = (db: Database) => ({
  podcastsFor: (viewer: Viewer) =>
    db
      .query<{ id: number }, { userId: number }>(
        `SELECT p.id FROM podcast p WHERE p.id IN (${own}) AND ${visiblePodcast(viewer)} ORDER BY p.id`,
      )
      .all({ userId: viewer.id })
      .map(({ id }) => id),
  /** Returns null for a podcast that has been deleted in the meantime. */
  podcast: (userId: number, id: number) =>
    db
      .query<ExportedPodcast, { userId: number; id: number }>(
        `SELECT p.id, p.uuid, p.feed_url, p.title, p.renamed, p.author, p.guid, p.image_url, p.active, p.added_at,
                f.created_at AS favoured_at,
                (SELECT json_group_array(name) FROM (
                   SELECT t.name FROM podcast_tag x JOIN tag t ON t.id = x.tag_id
                    WHERE x.podcast_id = p.id AND t.user_id = $userId ORDER BY t.name_key)) AS tags
           FROM podcast p LEFT JOIN favourite f ON f.podcast_id = p.id AND f.user_id = $userId WHERE p.id = $id`,
      )
      .get({ userId, id }),
  /** Number of the podcasts in an export, and of their files with their bytes. */
  sizeFor: (viewer: Viewer) =>
    db
      .query<{ podcasts: number; files: number; bytes: number }, { userId: number }>(
        `WITH own (id) AS (${own}),
              hidden AS (SELECT count(*) AS files, coalesce(sum(e.file_size), 0) AS bytes
                           FROM own CROSS JOIN podcast p ON p.id = own.id CROSS JOIN episode e ON e.podcast_id = p.id
                          WHERE ${viewer.explicit_consent ? '0' : '1'} AND p.explicit = 0 AND e.explicit = 1
                            AND e.file_path IS NOT NULL)
         SELECT count(*) AS podcasts, coalesce(sum(p.file_count), 0) - (SELECT files FROM hidden) AS files,
                coalesce(sum(p.file_bytes), 0) - (SELECT bytes FROM hidden) AS bytes
           FROM own JOIN podcast p ON p.id = own.id WHERE ${visiblePodcast(viewer)}`,
      )
      .get({ userId: viewer.id })!,

  /**
   * Episodes of a podcast, including those without anything of the user, because a page is limited by what it reads.
   */
  episodesFor: (viewer: Viewer, podcastId: number, after: Position, limit: number) =>
    db
      .query<ExportedEpisode, Page & { podcastId: number; at: number; id: number }>(
        `SELECT page.*, h.position, h.total, h.finished, h.updated_at AS played_at, l.created_at AS liked_at,
                EXISTS (SELECT 1 FROM queue_item q WHERE q.user_id = $userId AND q.episode_id = page.id)
             OR EXISTS (SELECT 1 FROM saved_queue_item i JOIN saved_queue s ON s.id = i.saved_queue_id
                         WHERE i.episode_id = page.id AND s.user_id = $userId AND s.deleted_at IS NULL)
             OR EXISTS (SELECT 1 FROM bookmark b WHERE b.episode_id = page.id AND b.user_id = $userId)
             OR EXISTS (SELECT 1 FROM skip_mark m WHERE m.episode_id = page.id AND m.user_id = $userId)
             OR EXISTS (SELECT 1 FROM playlist_item i JOIN playlist y ON y.id = i.playlist_id
                         WHERE i.episode_id = page.id AND y.user_id = $userId)
             OR EXISTS (SELECT 1 FROM listened s WHERE s.episode_id = page.id AND s.user_id = $userId) AS is_named
           FROM (SELECT ${named}, e.id, e.uuid, e.in_feed, e.removed, iif(e.in_feed, NULL, e.notes) AS notes, e.author, e.link,
                        e.enclosure_type
                   FROM podcast p CROSS JOIN episode e ON e.podcast_id = p.id
                  WHERE p.id = $podcastId AND (e.published_at, e.id) > ($at, $id) AND ${visibleEpisode(viewer)}
                  ORDER BY e.published_at, e.id LIMIT $limit) page
           LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = page.id
           LEFT JOIN episode_like l ON l.user_id = $userId AND l.episode_id = page.id
          ORDER BY page.published_at, page.id`,
      )
      .all({ userId: viewer.id, podcastId, at: after.publishedAt, id: after.id, limit }),
  listeningIn: (userId: number, episodeIds: readonly number[]) =>
    db
      .query<ExportedListening, [string, number]>(
        `SELECT s.episode_id, s.hour, s.seconds, s.saved, s.trimmed
           FROM json_each(?) wanted CROSS JOIN listened s ON s.episode_id = wanted.value
          WHERE s.user_id = ? ORDER BY s.episode_id, s.hour`,
      )
      .all(JSON.stringify(episodeIds), userId),
  skipMarksIn: (userId: number, episodeIds: readonly number[]) =>
    db
      .query<ExportedSkipMark, [string, number]>(
        `SELECT m.episode_id, m.start_ms, m.end_ms, m.skip, m.created_at
           FROM json_each(?) wanted CROSS JOIN skip_mark m ON m.episode_id = wanted.value
          WHERE m.user_id = ? ORDER BY m.episode_id, m.id`,
      )
      .all(JSON.stringify(episodeIds), userId),
  filesFor: (viewer: Viewer, podcastId: number, after: Position, limit: number) =>
    db
      .query<ExportedFile, Omit<Page, 'userId'> & { podcastId: number; at: number; id: number }>(
        `SELECT ${named}, e.id, e.eid, e.file_storage, e.file_size, e.downloaded_at
           FROM podcast p CROSS JOIN episode e ON e.podcast_id = p.id
          WHERE p.id = $podcastId AND e.file_path IS NOT NULL AND (e.published_at, e.id) > ($at, $id)
            AND ${visibleEpisode(viewer)}
          ORDER BY e.published_at, e.id LIMIT $limit`,
      )
      .all({ podcastId, at: after.publishedAt, id: after.id, limit }),

  bookmarksFor: (viewer: Viewer, afterId: number, limit: number) =>
    db
      .query<ExportedBookmark, Page & { afterId: number }>(
        `SELECT b.id, b.uuid, b.time, b.note, b.created_at, ${named}
           FROM bookmark b CROSS JOIN episode e ON e.id = b.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE b.user_id = $userId AND b.id > $afterId AND ${visibleEpisode(viewer)} ORDER BY b.id LIMIT $limit`,
      )
      .all({ userId: viewer.id, afterId, limit }),
  queueFor: (viewer: Viewer, afterPlace: number, limit: number) =>
    db
      .query<ExportedItem, Page & { afterPlace: number }>(
        `SELECT q.place, q.added_at, ${named}
           FROM queue_item q CROSS JOIN episode e ON e.id = q.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE q.user_id = $userId AND q.place > $afterPlace AND ${visibleEpisode(viewer)}
          ORDER BY q.place LIMIT $limit`,
      )
      .all({ userId: viewer.id, afterPlace, limit }),
  keptFor: (viewer: Viewer, queueId: number, afterPlace: number, limit: number) =>
    db
      .query<ExportedItem, Omit<Page, 'userId'> & { queueId: number; afterPlace: number }>(
        `SELECT i.place, i.added_at, ${named}
           FROM saved_queue_item i CROSS JOIN episode e ON e.id = i.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE i.saved_queue_id = $queueId AND i.place > $afterPlace AND ${visibleEpisode(viewer)}
          ORDER BY i.place LIMIT $limit`,
      )
      .all({ queueId, afterPlace, limit }),
  listedFor: (viewer: Viewer, playlistId: number, afterPlace: number, limit: number) =>
    db
      .query<ExportedItem, Omit<Page, 'userId'> & { playlistId: number; afterPlace: number }>(
        `SELECT i.place, NULL AS added_at, ${named}
           FROM playlist_item i CROSS JOIN episode e ON e.id = i.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE i.playlist_id = $playlistId AND i.place > $afterPlace AND ${visibleEpisode(viewer)}
          ORDER BY i.place LIMIT $limit`,
      )
      .all({ playlistId, afterPlace, limit }),
  /** Episodes by their ids, in this order, as items of a list. */
  namedFor: (viewer: Viewer, ids: readonly number[]) =>
    db
      .query<ExportedItem, [string]>(
        `SELECT wanted.key AS place, NULL AS added_at, ${named}
           FROM json_each(?) wanted CROSS JOIN episode e ON e.id = wanted.value
           CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE ${visibleEpisode(viewer)} ORDER BY wanted.key`,
      )
      .all(JSON.stringify(ids)),
  /** The episodes that the user played, the earliest first. */
  playedFor: (viewer: Viewer, after: Position, limit: number) =>
    db
      .query<ExportedPlayback, Page & { at: number; id: number }>(
        `SELECT h.episode_id, h.position, h.total, h.finished, h.updated_at AS played_at, ${named}
           FROM playback h CROSS JOIN episode e ON e.id = h.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE h.user_id = $userId AND h.played = 1 AND (h.updated_at, h.episode_id) > ($at, $id)
            AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at, h.episode_id LIMIT $limit`,
      )
      .all({ userId: viewer.id, at: after.publishedAt, id: after.id, limit }),
})
