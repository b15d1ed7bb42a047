import type { ForeignDatabase } from '../../store/foreign-database'

export const usePocketCasts = (db: ForeignDatabase) =>
  db.use({
    podcasts: {
      keys: ['uuid', 'folder_uuid'],
      must: ['title', 'subscribed'],
      may: ['override_global_effects', 'playback_speed', 'start_from', 'skip_last'],
    },
    podcast_episodes: {
      keys: ['uuid', 'podcast_id'],
      must: ['title', 'download_url', 'played_up_to', 'playing_status'],
      may: `published_date duration starred last_starred_date last_playback_interaction_date episode_description
        file_type`.split(/\s+/),
    },
    up_next_episodes: { keys: ['episodeUuid', 'podcastUuid'], must: ['position'], may: ['title', 'downloadUrl'] },
    bookmarks: { keys: ['episode_uuid', 'podcast_uuid'], must: ['time'], may: ['title', 'created_at', 'deleted'] },
    folders: { keys: ['uuid'], must: ['name'], may: ['deleted'] },
    playlists: { keys: ['uuid'], may: ['title', 'manual', 'deleted'] },
    manual_playlist_episodes: {
      keys: ['playlist_uuid', 'episode_uuid'],
      may: ['podcast_uuid', 'title', 'download_url', 'published_at', 'sort_position'],
    },
  })

const wasPlayed = '(e.playing_status > 0 OR e.played_up_to > 0)'

export const pocketCastsQueries = {
  podcasts: `
    SELECT p.*, f.name AS folder,
           p.uuid IN (SELECT e.podcast_id FROM podcast_episodes e WHERE ${wasPlayed} OR e.starred = 1) AS used
      FROM podcasts p LEFT JOIN folders f ON f.uuid = p.folder_uuid AND coalesce(f.deleted, 0) = 0
     ORDER BY p.uuid, f.name`,
  positions: `
    SELECT e.*, e.podcast_id AS podcast FROM podcast_episodes e WHERE ${wasPlayed} ORDER BY e.podcast_id, e.uuid`,
  likes: `
    SELECT e.*, e.podcast_id AS podcast FROM podcast_episodes e WHERE e.starred = 1 ORDER BY e.podcast_id, e.uuid`,
  /** An episode of the queue or of a playlist may have no separate row. */
  queue: `
    SELECT e.*, coalesce(e.podcast_id, u.podcastUuid) AS podcast, coalesce(e.title, u.title) AS title,
           coalesce(e.download_url, u.downloadUrl) AS download_url
      FROM up_next_episodes u LEFT JOIN podcast_episodes e ON e.uuid = u.episodeUuid
     ORDER BY u.position, u.episodeUuid`,
  bookmarks: `
    SELECT e.*, coalesce(e.podcast_id, b.podcast_uuid) AS podcast, b.time AS moment, b.title AS note, b.created_at
      FROM bookmarks b LEFT JOIN podcast_episodes e ON e.uuid = b.episode_uuid
     WHERE coalesce(b.deleted, 0) = 0 ORDER BY b.episode_uuid, b.time`,
  playlists: `
    SELECT e.*, l.title AS list, coalesce(e.podcast_id, x.podcast_uuid) AS podcast, coalesce(e.title, x.title) AS title,
           coalesce(e.download_url, x.download_url) AS download_url,
           coalesce(e.published_date, x.published_at) AS published_date
      FROM playlists l JOIN manual_playlist_episodes x ON x.playlist_uuid = l.uuid
      LEFT JOIN podcast_episodes e ON e.uuid = x.episode_uuid
     WHERE l.manual = 1 AND coalesce(l.deleted, 0) = 0 ORDER BY l.uuid, x.sort_position, x.episode_uuid`,
}
