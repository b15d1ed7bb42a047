import type { Database } from 'bun:sqlite'
import type { EpisodeFacts, KnownEpisode } from './episodes'
import { newIds } from './feeds'
import { described, joinFiles } from './twins'

/** Facts of another item that is the same episode, or of the episode before it was published again. */
export type FormerRow = {
  id: number
  podcast_id: number
  episode_id: number
  kind: 'before' | 'same'
  /** When it was recorded, in milliseconds. */
  at: number
  published_at: number
  feed_guid: string | null
  title: string
  enclosure_url: string
  enclosure_type: string | null
  enclosure_size: number | null
  announced_at: number | null
  announced_duration: number
  digest: string
  in_feed: number
}

const facts = `feed_guid, title, enclosure_url, enclosure_type, enclosure_size, announced_at, announced_duration, digest,
  in_feed`
const note = `INSERT INTO former_episode (podcast_id, episode_id, kind, at, published_at, ${facts})`

/** Records that episodes were published again, and corrections by people: that two are one, or one is two. */
export const formerEpisodeStore = (db: Database) => ({
  /** Items that are the same as an episode, next to the one that describes it. Their ids are negative. */
  knownSameOf: (podcastId: number) =>
    db
      .query<KnownEpisode, [number]>(
        `SELECT -id AS id, 'same:' || id AS guid, feed_guid, title, enclosure_url, enclosure_type, enclosure_size,
                announced_at, announced_duration, digest, in_feed, 0 AS superseded, 0 AS aside, NULL AS item_hash
           FROM former_episode WHERE podcast_id = ? AND kind = 'same' ORDER BY former_episode.id DESC`,
      )
      .all(podcastId),
  editSame(id: number, { duration, ...facts }: EpisodeFacts) {
    const { feed_guid, title, enclosure_url, enclosure_type, enclosure_size, announced_at, digest } = facts
    db.query<null, Record<string, string | number | null>>(
      `UPDATE former_episode
          SET feed_guid = $feed_guid, title = $title, enclosure_url = $enclosure_url, enclosure_type = $enclosure_type,
              enclosure_size = $enclosure_size, announced_at = $announced_at, announced_duration = $duration,
              digest = $digest, in_feed = 1
        WHERE id = $id`,
    ).run({ id, duration, feed_guid, title, enclosure_url, enclosure_type, enclosure_size, announced_at, digest })
  },
  markSameInFeed(ids: readonly number[], inFeed: boolean) {
    db.query('UPDATE former_episode SET in_feed = ? WHERE id IN (SELECT value FROM json_each(?))').run(
      Number(inFeed),
      JSON.stringify(ids),
    )
  },
  /** Keeps what the feed first said about an episode that it has published again. Call before the edit. */
  noteAgain(id: number, now: number) {
    db.query(
      `${note}
       SELECT podcast_id, id, 'before', ?2, published_at, ${facts}
         FROM episode WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM former_episode WHERE episode_id = ?1 AND kind = 'before')`,
    ).run(id, now)
    markFirst(db, id)
  },
  /** Keeps the marks of an episode that is about to be merged, if the other one describes both. */
  noteSame(id: number, now: number) {
    db.query(`${note} SELECT podcast_id, id, 'same', ?2, published_at, ${facts} FROM episode WHERE id = ?1`).run(
      id,
      now,
    )
    markFirst(db, id)
  },
  markFirst: (id: number) => markFirst(db, id),
  /** Finds the latest record of an episode. */
  latestOf: (episodeId: number) =>
    db
      .query<FormerRow, [number]>('SELECT * FROM former_episode WHERE episode_id = ? ORDER BY id DESC LIMIT 1')
      .get(episodeId),
  /**
   * Makes two episodes of one that was published again. What people did stays with the older one; a file stays with the
   * recording that it is. Returns the id of the new row.
   */
  splitNewer: (former: FormerRow, now: number) => settleApart(db, former, splitOffNewer(db, former, now)),
  /** Undoes that two episodes are the same. Returns the id of the new row. */
  splitSame: (former: FormerRow, now: number) => settleApart(db, former, splitOffSame(db, former, now)),
  /** Pairs that a person declared to be two. */
  apartOf: (podcastId: number) =>
    db
      .query<{ episode_id: number; other_id: number }, [number]>(
        `SELECT a.episode_id, a.other_id FROM episode e CROSS JOIN episode_apart a ON a.episode_id = e.id
          WHERE e.podcast_id = ?`,
      )
      .all(podcastId),
})

/** Writes into the row when the episode was first published. */
function markFirst(db: Database, id: number) {
  db.query(
    `UPDATE episode
        SET first_published_at =
              (SELECT min(min(f.published_at), episode.published_at) FROM former_episode f WHERE f.episode_id = ?1)
      WHERE id = ?1`,
  ).run(id)
}

function settleApart(db: Database, { id, episode_id }: FormerRow, newId: number): number {
  db.query('DELETE FROM former_episode WHERE id = ?').run(id)
  markFirst(db, episode_id)
  db.query('INSERT INTO episode_apart (episode_id, other_id) VALUES (?, ?)').run(episode_id, newId)
  return newId
}

/** The new row gets what the feed says now, with its guid; the old one gets what the feed said first. */
function splitOffNewer(db: Database, { id, episode_id, at }: FormerRow, now: number): number {
  const { guid } = db.query<{ guid: string }, [number]>('SELECT guid FROM episode WHERE id = ?').get(episode_id)!
  db.query(`UPDATE episode SET guid = guid || '#' || eid WHERE id = ?`).run(episode_id)
  const added = db
    .query<{ id: number }, Record<string, string | number>>(
      `INSERT INTO episode (uuid, eid, podcast_id, guid, published_at, first_seen_at, duration, digest, ${described})
       SELECT $uuid, $eid, podcast_id, $guid, coalesce(min(announced_at, $now), published_at), $now, announced_duration, '', ${described}
         FROM episode WHERE id = $episode
       RETURNING id`,
    )
    .get({ ...newIds(), guid, now, episode: episode_id })!
  const file = db
    .query<{ at: number | null }, [number]>('SELECT downloaded_at AS at FROM episode WHERE id = ?')
    .get(episode_id)!
  if (file.at !== null && file.at > at) joinFiles(db, { kept: added.id, gone: episode_id })
  db.query(
    `UPDATE episode
        SET (${facts}, published_at) = (SELECT ${facts}, published_at FROM former_episode WHERE id = $former),
            in_feed = 0, newer_recording = 0
      WHERE id = $episode`,
  ).run({ former: id, episode: episode_id })
  db.query(`UPDATE episode SET duration = announced_duration WHERE id = ? AND file_path IS NULL`).run(episode_id)
  return added.id
}

/** The next reading that lists the item adds its notes: the row has no digest. */
function splitOffSame(db: Database, { id }: FormerRow, now: number): number {
  return db
    .query<{ id: number }, Record<string, string | number>>(
      `INSERT INTO episode (uuid, eid, podcast_id, guid, title, notes, enclosure_url, enclosure_type, enclosure_size,
              published_at, announced_at, first_seen_at, duration, announced_duration, type, explicit, digest, feed_guid,
              in_feed)
       SELECT $uuid, $eid, f.podcast_id, 'same:' || $uuid, f.title, '', f.enclosure_url, f.enclosure_type,
              f.enclosure_size, f.published_at, f.announced_at, $now, f.announced_duration, f.announced_duration, 'full',
              e.explicit, '', f.feed_guid, f.in_feed
         FROM former_episode f JOIN episode e ON e.id = f.episode_id WHERE f.id = $id
       RETURNING id`,
    )
    .get({ ...newIds(), now, id })!.id
}
