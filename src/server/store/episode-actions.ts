import type { Database } from 'bun:sqlite'

export const actionKinds = ['download', 'play', 'delete', 'new', 'flattr'] as const
export type ActionKind = (typeof actionKinds)[number]

/** Condition on actions that report a position. */
export const reportsPosition = (row: string) => `${row}.action IN ('play', 'new')`

/** A report of an app about an episode; times in seconds. */
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
  /** The time in the report; null = none. `at` is never in the future. */
  said_at: number | null
  started: number | null
  position: number | null
  total: number | null
  received_at: number
  /** The episode of the library that it is about; null = not in the library. */
  episode_id: number | null
}
export type NewAction = Omit<ActionRow, 'id'>

/** An action with what the library knows about its episode; null where the library does not have the episode. */
export type ActionForSync = ActionRow & {
  podcast_id: number | null
  podcast_feed: string | null
  eid: string | null
  own_guid: string | null
  feed_guid: string | null
  enclosure_url: string | null
  media_type: string | null
  is_explicit: number
  /** The greatest duration that the library or any report has; 0 = unknown. */
  known_total: number
}

export type ActionFilter = {
  since: number
  /** Limits to one podcast, by its address and, if it is in the library, by its row. */
  podcast?: { feedKey: string; id: number | null } | null
  episodeIds?: readonly number[] | null
  /** Limits to actions that report a position. */
  isOfPlaces?: boolean
  /** One action for each episode: the last that reports a position, else the last of any kind. */
  isAggregated?: boolean
}

/** Reads what podcast apps reported about episodes. */
export const episodeActions = (db: Database) => ({
  /** The last action of each episode and kind that arrived since a second, in order of arrival. */
  actions(userId: number, filter: ActionFilter): ActionForSync[] {
    const { since, podcast = null, episodeIds = null } = filter
    return db.query<ActionForSync, Record<string, string | number | null>>(actionQuery(filter)).all({
      userId,
      since,
      feedKey: podcast?.feedKey ?? null,
      podcastId: podcast?.id ?? null,
      ...(episodeIds && { ids: JSON.stringify(episodeIds) }),
    })
  },
  /** Second in which the first action since then arrived from another device than these; null = none. */
  firstAction: (userId: number, since: number, except: readonly string[]) =>
    db
      .query<{ at: number | null }, { userId: number; since: number; except: string }>(
        `SELECT min(received_at) AS at FROM episode_action
          WHERE user_id = $userId AND received_at >= $since AND device NOT IN (SELECT value FROM json_each($except))`,
      )
      .get({ userId, since, except: JSON.stringify(except) })!.at,
  /** The last play of the same episode on the same device before this action. */
  findPlayBefore: (id: number) =>
    db
      .query<{ started: number | null; position: number | null }, [number]>(
        `SELECT b.started, b.position FROM episode_action a JOIN episode_action b
             ON b.user_id = a.user_id AND b.episode_key = a.episode_key AND b.device = a.device AND b.action = 'play'
            AND (b.at, b.id) < (a.at, a.id)
          WHERE a.id = ? ORDER BY b.at DESC, b.id DESC LIMIT 1`,
      )
      .get(id),
  /** All actions about a feed, the latest last. */
  actionsOfFeed: (feedKey: string) =>
    db.query<ActionRow, [string]>('SELECT * FROM episode_action WHERE feed_key = ? ORDER BY at, id').all(feedKey),
  /** Actions that give the address of an episode as that of its podcast, and whose episode is not known; the latest last. */
  actionsOfAddresses: () =>
    db
      .query<ActionRow, []>(
        `SELECT * FROM episode_action INDEXED BY episode_action_of_address
          WHERE feed_key = media_key AND episode_id IS NULL ORDER BY at, id LIMIT 500`,
      )
      .all(),
})

function actionQuery({ episodeIds, isOfPlaces, isAggregated }: ActionFilter): string {
  const other = `SELECT 1 FROM episode_action b WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key`
  const [isPosition, otherIsPosition] = [reportsPosition('a'), reportsPosition('b')]
  const replaces = isAggregated
    ? `(NOT ${isPosition} OR ${otherIsPosition})`
    : `(b.action = a.action OR ${isPosition} AND ${otherIsPosition})`
  const conditions = [
    'a.user_id = $userId AND a.received_at >= $since',
    '($feedKey IS NULL OR a.feed_key = $feedKey OR e.podcast_id = $podcastId)',
    episodeIds && 'a.episode_id IN (SELECT value FROM json_each($ids))',
    isOfPlaces && isPosition,
    `NOT EXISTS (${other} AND (b.at, b.id) > (a.at, a.id) AND ${replaces})`,
    isAggregated && `(${isPosition} OR NOT EXISTS (${other} AND ${otherIsPosition}))`,
  ].filter(Boolean)
  return `
    SELECT a.*, e.podcast_id, p.feed_url AS podcast_feed, e.eid, e.guid AS own_guid, e.feed_guid, e.enclosure_url,
           coalesce(e.file_type, e.enclosure_type) AS media_type,
           coalesce(e.explicit = 1 OR p.explicit = 1, 0) AS is_explicit,
           max(coalesce(e.duration, 0),
               coalesce((SELECT max(b.total) FROM episode_action b
                          WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key), 0)) AS known_total
      FROM episode_action a
      LEFT JOIN episode e ON e.id = a.episode_id
      LEFT JOIN podcast p ON p.id = e.podcast_id
     WHERE ${conditions.join(' AND ')}
     ORDER BY a.received_at, a.id`
}
