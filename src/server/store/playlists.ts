import { required } from '../platform/problem'
import type { Database } from 'bun:sqlite'
import { type EpisodeForUser, selectEpisodeForUser } from './episodes'
import { facts } from './smart-conditions'
import { nameKey } from './users'
import { hasPodcast, type Viewer, visibleEpisode } from './visibility'

/**
 * `rules`: those by which it fills itself, as JSON, of which `keep_downloaded` is one; null = its episodes are chosen.
 * `played_at`: when its user last began to play it, in milliseconds; null = never.
 */
export type PlaylistRow = {
  id: number
  uuid: string
  user_id: number
  name: string
  created_at: number
  rules: string | null
  keep_downloaded: number
  description: string | null
  played_at: number | null
}

/** A playlist that keeps its first episodes downloaded, and what its user sees. */
export type KeptPlaylist = PlaylistRow & { explicit_consent: number }

/** A number of episodes, and their seconds. */
export type EpisodesSize = { episodes: number; seconds: number }

/** Playlists of users. */
export const playlistStore = (db: Database) => ({
  listFor: (userId: number) =>
    db.query<PlaylistRow, [number]>('SELECT * FROM playlist WHERE user_id = ? ORDER BY name_key').all(userId),
  findFor: (userId: number, uuid: string) =>
    db.query<PlaylistRow, [number, string]>('SELECT * FROM playlist WHERE user_id = ? AND uuid = ?').get(userId, uuid),
  /** Throws `playlist-not-found`. */
  require(userId: number, uuid: string): PlaylistRow {
    return required(this.findFor(userId, uuid), 'playlist')
  },
  findByName: (userId: number, name: string) =>
    db
      .query<PlaylistRow, [number, string]>('SELECT * FROM playlist WHERE user_id = ? AND name_key = ?')
      .get(userId, nameKey(name)),

  /** The chosen episodes in playing order, without hidden ones. */
  itemsFor: (viewer: Viewer, playlistId: number) =>
    db
      .query<EpisodeForUser, { userId: number; playlistId: number }>(
        `${selectEpisodeForUser} JOIN playlist_item i ON i.episode_id = e.id
          WHERE i.playlist_id = $playlistId AND ${visibleEpisode(viewer)} ORDER BY i.place`,
      )
      .all({ userId: viewer.id, playlistId }),
  /** Their ids alone. */
  idsFor: (viewer: Viewer, playlistId: number): number[] =>
    db
      .query<{ id: number }, [number]>(
        `SELECT e.id FROM playlist_item i CROSS JOIN episode e ON e.id = i.episode_id
           CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE i.playlist_id = ? AND ${visibleEpisode(viewer)} ORDER BY i.place`,
      )
      .all(playlistId)
      .map(({ id }) => id),

  /** Their number and seconds, without reading their rows. */
  sizeFor: (viewer: Viewer, playlistId: number) =>
    db
      .query<EpisodesSize, [number]>(
        `SELECT count(*) AS episodes, coalesce(sum(e.duration), 0) AS seconds
           FROM playlist_item i CROSS JOIN ${facts} ON e.id = i.episode_id
           CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE i.playlist_id = ? AND ${visibleEpisode(viewer)}`,
      )
      .get(playlistId)!,

  /** The first different podcasts of the first hundred chosen episodes, by their uuids. */
  podcastsFor(viewer: Viewer, playlistId: number, limit: number): string[] {
    const rows = db
      .query<{ uuid: string }, [number]>(
        `SELECT p.uuid FROM playlist_item i CROSS JOIN episode e ON e.id = i.episode_id
           CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE i.playlist_id = ? AND ${visibleEpisode(viewer)} ORDER BY i.place LIMIT 100`,
      )
      .all(playlistId)
    return [...new Set(rows.map(({ uuid }) => uuid))].slice(0, limit)
  },

  /** In playing order, hidden episodes included. */
  episodeIds: (playlistId: number): number[] =>
    db
      .query<{ episode_id: number }, [number]>(
        `SELECT i.episode_id FROM playlist_item i JOIN episode e ON e.id = i.episode_id
          WHERE i.playlist_id = ? AND ${hasPodcast} ORDER BY i.place`,
      )
      .all(playlistId)
      .map(({ episode_id }) => episode_id),

  /** `rules`: JSON; null = its episodes are chosen. */
  add: (userId: number, name: string, now: number, rules: string | null = null) =>
    db
      .query<PlaylistRow, Record<string, string | number | null>>(
        `INSERT INTO playlist (uuid, user_id, name, name_key, created_at, rules)
         VALUES ($uuid, $userId, $name, $nameKey, $now, $rules) RETURNING *`,
      )
      .get({ uuid: crypto.randomUUID(), userId, name, nameKey: nameKey(name), now, rules })!,
  setRules(id: number, rules: string) {
    db.query('UPDATE playlist SET rules = ? WHERE id = ?').run(rules, id)
  },
  countWithRules: (userId: number): number =>
    db
      .query<{ total: number }, [number]>(
        'SELECT count(*) AS total FROM playlist WHERE user_id = ? AND rules IS NOT NULL',
      )
      .get(userId)!.total,
  /** Playlists that keep episodes downloaded, of users who may download. */
  listKept: () =>
    db
      .query<KeptPlaylist, []>(
        `SELECT y.*, u.explicit_consent FROM playlist y INDEXED BY playlist_kept JOIN user u ON u.id = y.user_id
          WHERE y.keep_downloaded > 0 AND u.role <> 'user' ORDER BY y.id`,
      )
      .all(),
  describe(id: number, description: string | null) {
    db.query('UPDATE playlist SET description = ? WHERE id = ?').run(description, id)
  },
  notePlayed(id: number, now: number) {
    db.query('UPDATE playlist SET played_at = ? WHERE id = ?').run(now, id)
  },
  rename(id: number, name: string) {
    db.query('UPDATE playlist SET name = ?, name_key = ? WHERE id = ?').run(name, nameKey(name), id)
  },
  /** Replaces all items, in playing order; a repeated episode keeps its first place. */
  replaceItems(id: number, episodeIds: readonly number[]) {
    db.query('DELETE FROM playlist_item WHERE playlist_id = ?').run(id)
    db.query(
      `INSERT OR IGNORE INTO playlist_item (playlist_id, episode_id, place)
       SELECT ?, value, key FROM json_each(?)`,
    ).run(id, JSON.stringify(episodeIds))
  },
  /** Whether an episode is in a playlist. */
  holds: (id: number, episodeId: number) =>
    db
      .query<{ one: number }, [number, number]>(
        'SELECT 1 AS one FROM playlist_item WHERE playlist_id = ? AND episode_id = ?',
      )
      .get(id, episodeId) !== null,
  /** Appends an episode; returns false for one that is in the playlist, and for a playlist of `most` items. */
  append: (id: number, episodeId: number, most: number): boolean =>
    db
      .query<null, { id: number; episodeId: number; most: number }>(
        `INSERT OR IGNORE INTO playlist_item (playlist_id, episode_id, place)
         SELECT $id, $episodeId, coalesce(max(place) + 1, 0) FROM playlist_item
          WHERE playlist_id = $id HAVING count(*) < $most`,
      )
      .run({ id, episodeId, most }).changes > 0,
  /** Appends episodes in this order, up to `most` items; one that is in the playlist keeps its place. */
  appendAll(id: number, episodeIds: readonly number[], most: number) {
    const held = new Set(this.episodeIds(id))
    const added = [...new Set(episodeIds)]
      .filter(episodeId => !held.has(episodeId))
      .slice(0, Math.max(0, most - held.size))
    db.query(
      `INSERT INTO playlist_item (playlist_id, episode_id, place)
       SELECT $id, value, key + (SELECT coalesce(max(place) + 1, 0) FROM playlist_item WHERE playlist_id = $id)
         FROM json_each($added)`,
    ).run({ id, added: JSON.stringify(added) })
  },
  removeItem(id: number, episodeId: number) {
    db.query('DELETE FROM playlist_item WHERE playlist_id = ? AND episode_id = ?').run(id, episodeId)
  },
  remove(id: number) {
    db.query('DELETE FROM playlist WHERE id = ?').run(id)
  },
})

/** Episodes that hold a place among those that a playlist by rules keeps downloaded. */
export const keptEpisodeStore = (db: Database) => ({
  of: (playlistId: number): number[] =>
    db
      .query<{ episode_id: number }, [number]>('SELECT episode_id FROM kept_episode WHERE playlist_id = ?')
      .all(playlistId)
      .map(({ episode_id }) => episode_id),
  /** Those of them that nobody has removed, and that their user has not finished. */
  lastingOf: (playlistId: number, userId: number): number[] =>
    db
      .query<{ id: number }, [number, number]>(
        `SELECT e.id FROM kept_episode k CROSS JOIN episode e ON e.id = k.episode_id
          WHERE k.playlist_id = ? AND e.removed = 0
            AND NOT EXISTS (SELECT 1 FROM playback h
                             WHERE h.user_id = ? AND h.episode_id = e.id AND h.finished = 1)`,
      )
      .all(playlistId, userId)
      .map(({ id }) => id),
  /** Those of some episodes, in their order, that have a file and that a user has not finished. */
  hereAmong: (userId: number, ids: readonly number[]): number[] =>
    db
      .query<{ id: number }, [string, number]>(
        `SELECT e.id FROM json_each(?) wanted CROSS JOIN episode e ON e.id = wanted.value
          WHERE e.file_path IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM playback h
                             WHERE h.user_id = ? AND h.episode_id = e.id AND h.finished = 1)
          ORDER BY wanted.key`,
      )
      .all(JSON.stringify(ids), userId)
      .map(({ id }) => id),
  /** Replaces the episodes of a playlist. */
  replace(playlistId: number, episodeIds: readonly number[]) {
    const wanted = JSON.stringify(episodeIds)
    db.query(
      'DELETE FROM kept_episode WHERE playlist_id = ? AND episode_id NOT IN (SELECT value FROM json_each(?))',
    ).run(playlistId, wanted)
    db.query('INSERT OR IGNORE INTO kept_episode (playlist_id, episode_id) SELECT ?, value FROM json_each(?)').run(
      playlistId,
      wanted,
    )
  },
})
