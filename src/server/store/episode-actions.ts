import type { Database } from 'bun:sqlite'

export const actionKinds = ['download', 'play', 'delete', 'new', 'flattr'] as const
export type ActionKind = (typeof actionKinds)[number]

/** Selects the actions that say where somebody is. */
const saysPlace = (row: string) => `${row}.action IN ('play', 'new')`

/** What an app said of an episode; times in seconds. */
export type ActionRow = {
  id: number
  user_id: number
  feed_key: string
  feed_url: string
  media_key: string
  media_url: string
  guid: string | null
  action: ActionKind
  device: string
  at: number
  /** As the app said it. */
  said_at: number | null
  started: number | null
  position: number | null
  total: number | null
  received_at: number
  /** The episode of the library that it is about. */
  episode_id: number | null
}
export type NewAction = Omit<ActionRow, 'id'>

/** An action with what the library knows of its episode; all of that is null where the library does not have it. */
export type ActionForSync = ActionRow & {
  podcast_id: number | null
  podcast_feed: string | null
  eid: string | null
  own_guid: string | null
  feed_guid: string | null
  enclosure_url: string | null
  media_type: string | null
  is_explicit: number
  /** The largest length that the library or any report has; 0 = none. */
  known_total: number
}

export type ActionFilter = {
  since: number
  /** Of one podcast, by its address and, where the library has it, by its row. */
  podcast?: { feedKey: string; id: number | null } | null
  episodeIds?: readonly number[] | null
  /** Only what says where somebody is. */
  isOfPlaces?: boolean
  /** One action of each episode: where somebody is, else what happened last. */
  isAggregated?: boolean
}

/** As much of an episode as it takes to say where somebody is in it. */
export type KnownEpisode = { id: number; eid: string; podcast_id: number; duration: number; feed_guid: string | null }
const known = 'id, eid, podcast_id, duration, feed_guid'

/** Where a user is in an episode, with the names that apps have for it. */
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

export const episodeActions = (db: Database) => ({
  mediaOf: (podcastId: number) =>
    db
      .query<{ id: number; url: string }, [number]>('SELECT id, enclosure_url AS url FROM episode WHERE podcast_id = ?')
      .all(podcastId),
  findByGuid: (podcastId: number, guid: string) =>
    db
      .query<KnownEpisode, [number, string]>(`SELECT ${known} FROM episode WHERE podcast_id = ? AND guid = ?`)
      .get(podcastId, guid),
  /** Several where a publisher has one address for whatever is the latest; the newest first. */
  findByMedia: (podcastId: number, url: string) =>
    db
      .query<KnownEpisode, [number, string]>(
        `SELECT ${known} FROM episode WHERE podcast_id = ? AND enclosure_url = ? ORDER BY id DESC`,
      )
      .all(podcastId, url),
  findByEid: (eid: string) => db.query<KnownEpisode, [string]>(`SELECT ${known} FROM episode WHERE eid = ?`).get(eid),
  findKnown: (id: number) => db.query<KnownEpisode, [number]>(`SELECT ${known} FROM episode WHERE id = ?`).get(id),

  /** Its id; null where it is known already. A guid that one app knows, others that leave it out need not know. */
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
  /** What was said of an episode by this address before the library had it under it. */
  linkActions(userId: number, { mediaKey, guid }: { mediaKey: string; guid: string | null }, episodeId: number) {
    db.query<null, { userId: number; mediaKey: string; guid: string | null; episodeId: number }>(
      `UPDATE episode_action SET episode_id = $episodeId
        WHERE user_id = $userId AND media_key = $mediaKey AND episode_id IS NULL AND (guid IS NULL OR guid IS $guid)`,
    ).run({ userId, mediaKey, guid, episodeId })
  },
  linkAction(id: number, episodeId: number) {
    db.query('UPDATE episode_action SET episode_id = ? WHERE id = ?').run(episodeId, id)
  },
  /** Of this device only the last of an episode counts: it is the browser, which reports every fifteen seconds. */
  replaceActions(userId: number, episodeId: number, device: string) {
    db.query(`DELETE FROM episode_action WHERE user_id = ? AND episode_id = ? AND device = ?`).run(
      userId,
      episodeId,
      device,
    )
  },
  /** The last of each episode and kind from a second on, in the order of their arrival. */
  actions: (
    userId: number,
    { since, podcast = null, episodeIds = null, isOfPlaces = false, isAggregated = false }: ActionFilter,
  ) =>
    db
      .query<ActionForSync, Record<string, string | number | null>>(
        `SELECT a.*, e.podcast_id, p.feed_url AS podcast_feed, e.eid, e.guid AS own_guid, e.feed_guid, e.enclosure_url,
                coalesce(e.file_type, e.enclosure_type) AS media_type,
                coalesce(e.explicit = 1 OR p.explicit = 1, 0) AS is_explicit,
                max(coalesce(e.duration, 0),
                    coalesce((SELECT max(b.total) FROM episode_action b
                               WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key), 0)) AS known_total
           FROM episode_action a
           LEFT JOIN episode e ON e.id = a.episode_id
           LEFT JOIN podcast p ON p.id = e.podcast_id
          WHERE a.user_id = $userId AND a.received_at >= $since
            AND ($feedKey IS NULL OR a.feed_key = $feedKey OR e.podcast_id = $podcastId)
            ${episodeIds ? 'AND a.episode_id IN (SELECT value FROM json_each($ids))' : ''}
            ${isOfPlaces ? `AND ${saysPlace('a')}` : ''}
            AND NOT EXISTS (SELECT 1 FROM episode_action b
                 WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key AND (b.at, b.id) > (a.at, a.id)
                   AND ${isAggregated ? `(NOT ${saysPlace('a')} OR ${saysPlace('b')})` : `(b.action = a.action OR ${saysPlace('a')} AND ${saysPlace('b')})`})
            ${
              isAggregated
                ? `AND (${saysPlace('a')} OR NOT EXISTS (SELECT 1 FROM episode_action b
                     WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key AND ${saysPlace('b')}))`
                : ''
            }
          ORDER BY a.received_at, a.id`,
      )
      .all({
        userId,
        since,
        feedKey: podcast?.feedKey ?? null,
        podcastId: podcast?.id ?? null,
        ...(episodeIds && { ids: JSON.stringify(episodeIds) }),
      }),
  /** When the first action since then arrived, but for those of some devices. */
  firstAction: (userId: number, since: number, except: readonly string[]) =>
    db
      .query<{ at: number | null }, { userId: number; since: number; except: string }>(
        `SELECT min(received_at) AS at FROM episode_action
          WHERE user_id = $userId AND received_at >= $since AND device NOT IN (SELECT value FROM json_each($except))`,
      )
      .get({ userId, since, except: JSON.stringify(except) })!.at,
  /** What a device said last of an episode before then. */
  findPlayBefore: (id: number) =>
    db
      .query<{ started: number | null; position: number | null }, [number]>(
        `SELECT b.started, b.position FROM episode_action a JOIN episode_action b
             ON b.user_id = a.user_id AND b.episode_key = a.episode_key AND b.device = a.device AND b.action = 'play'
            AND (b.at, b.id) < (a.at, a.id)
          WHERE a.id = ? ORDER BY b.at DESC, b.id DESC LIMIT 1`,
      )
      .get(id),
  /** What is known of a feed's episodes that the library may have by now, the latest last. */
  actionsOfFeed: (feedKey: string) =>
    db.query<ActionRow, [string]>('SELECT * FROM episode_action WHERE feed_key = ? ORDER BY at, id').all(feedKey),

  /** Where somebody is in the episodes of a podcast is told again, as if it had arrived at this second. */
  resendPositions(userId: number, podcastId: number, at: number) {
    db.query<null, { userId: number; podcastId: number; at: number }>(
      `UPDATE episode_action AS a SET received_at = $at
        WHERE user_id = $userId AND episode_id IN (SELECT id FROM episode WHERE podcast_id = $podcastId)
          AND ${saysPlace('a')}
          AND NOT EXISTS (SELECT 1 FROM episode_action b
               WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key AND ${saysPlace('b')}
                 AND (b.at, b.id) > (a.at, a.id))`,
    ).run({ userId, podcastId, at })
  },

  playbackOf: (userId: number, episodeIds: readonly number[] | null) =>
    db
      .query<PlaybackForSync, { userId: number; ids?: string }>(
        `SELECT e.id AS episode_id, p.feed_url, e.enclosure_url, e.feed_guid, h.started, h.position, h.total, h.updated_at
           FROM playback h JOIN episode e ON e.id = h.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE h.user_id = $userId
            ${episodeIds === null ? '' : 'AND h.episode_id IN (SELECT value FROM json_each($ids))'}`,
      )
      .all({ userId, ...(episodeIds !== null && { ids: JSON.stringify(episodeIds) }) }),
})
