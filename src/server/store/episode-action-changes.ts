import type { Database } from 'bun:sqlite'
import { reportsPosition, type NewAction } from './episode-actions'

/** Stores what podcast apps report about episodes. */
export const episodeActionChanges = (db: Database) => ({
  /**
   * Adds an action; answers its id, null = it is known already. An action without a guid takes the one that another app
   * reported for the same media.
   */
  addAction: (row: NewAction): number | null =>
    db
      .query<{ id: number }, NewAction>(
        `INSERT OR IGNORE INTO episode_action (user_id, feed_key, feed_url, media_key, media_url, guid, action, device,
                at, said_at, started, position, total, received_at, episode_id)
         VALUES ($user_id, $feed_key, $feed_url, $media_key, $media_url,
                coalesce($guid, (SELECT guid FROM episode_action k
                                  WHERE k.user_id = $user_id AND k.media_key = $media_key AND k.guid IS NOT NULL LIMIT 1)),
                $action, $device,
                $at, $said_at, $started, $position, $total, $received_at, $episode_id)
      RETURNING id`,
      )
      .get(row)?.id ?? null,
  /** Links earlier actions to an episode that has entered the library since. */
  linkActions(userId: number, { mediaKey, guid }: { mediaKey: string; guid: string | null }, episodeId: number) {
    db.query<null, { userId: number; mediaKey: string; guid: string | null; episodeId: number }>(
      `UPDATE episode_action SET episode_id = $episodeId
        WHERE user_id = $userId AND media_key = $mediaKey AND episode_id IS NULL AND (guid IS NULL OR guid IS $guid)`,
    ).run({ userId, mediaKey, guid, episodeId })
  },
  linkAction(id: number, episodeId: number) {
    db.query('UPDATE episode_action SET episode_id = ? WHERE id = ?').run(episodeId, id)
  },
  /**
   * Forgets a device's earlier actions about an episode: a browser reports its position every fifteen seconds. Returns
   * how many there were.
   */
  replaceActions: (userId: number, episodeId: number, device: string): number =>
    db
      .query(`DELETE FROM episode_action WHERE user_id = ? AND episode_id = ? AND device = ?`)
      .run(userId, episodeId, device).changes,
  /** Forgets a device's actions about an episode, of all users. */
  removeActionsOf(episodeId: number, device: string) {
    db.query('DELETE FROM episode_action WHERE episode_id = ? AND device = ?').run(episodeId, device)
  },
  /** The same for up to `most` actions on episodes of a podcast; returns their number. */
  removeActionsOfPodcast: (podcastId: number, device: string, most: number): number =>
    db
      .query(
        `DELETE FROM episode_action WHERE id IN (
           SELECT a.id FROM episode e JOIN episode_action a ON a.episode_id = e.id
            WHERE e.podcast_id = ? AND a.device = ? LIMIT ?)`,
      )
      .run(podcastId, device, most).changes,
  /** Sends the positions in a podcast's episodes to all devices again, as if they had arrived in this second. */
  resendPositions(userId: number, podcastId: number, at: number) {
    db.query<null, { userId: number; podcastId: number; at: number }>(
      `UPDATE episode_action AS a SET received_at = $at
        WHERE user_id = $userId AND episode_id IN (SELECT id FROM episode WHERE podcast_id = $podcastId)
          AND ${reportsPosition('a')}
          AND NOT EXISTS (SELECT 1 FROM episode_action b
               WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key AND ${reportsPosition('b')}
                 AND (b.at, b.id) > (a.at, a.id))`,
    ).run({ userId, podcastId, at })
  },
})
