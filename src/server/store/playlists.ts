import type { Database } from 'bun:sqlite'
import { selectEpisodeForUser, type EpisodeForUser } from './episodes'
import { required } from './required'
import { nameKey } from './users'
import { visibleEpisode, type Viewer } from './visibility'

export type PlaylistRow = { id: number; uuid: string; user_id: number; name: string; created_at: number }

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

  /** In playing order, without hidden episodes. */
  itemsFor: (viewer: Viewer, playlistId: number) =>
    db
      .query<EpisodeForUser, { userId: number; playlistId: number }>(
        `${selectEpisodeForUser} JOIN playlist_item i ON i.episode_id = e.id
          WHERE i.playlist_id = $playlistId AND ${visibleEpisode(viewer)} ORDER BY i.place`,
      )
      .all({ userId: viewer.id, playlistId }),

  /** In playing order, hidden episodes included. */
  episodeIds: (playlistId: number): number[] =>
    db
      .query<{ episode_id: number }, [number]>(
        'SELECT episode_id FROM playlist_item WHERE playlist_id = ? ORDER BY place',
      )
      .all(playlistId)
      .map(({ episode_id }) => episode_id),

  add: (userId: number, name: string, now: number) =>
    db
      .query<PlaylistRow, Record<string, string | number>>(
        `INSERT INTO playlist (uuid, user_id, name, name_key, created_at)
         VALUES ($uuid, $userId, $name, $nameKey, $now) RETURNING *`,
      )
      .get({ uuid: crypto.randomUUID(), userId, name, nameKey: nameKey(name), now })!,
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
  /** Appends an episode; answers false for one that is in the playlist, and for a playlist of `most` items. */
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
