import type { Database } from 'bun:sqlite'
import type { EpisodeColumns, EpisodeFacts, KnownEpisode } from './episodes'

/** Columns by which an episode is recognised. */
export const knownColumns = `id, guid, feed_guid, title, enclosure_url, enclosure_type, enclosure_size, announced_at,
  announced_duration, digest, in_feed, superseded, aside`

/** Episodes as their feeds describe them. */
export const feedEpisodes = (db: Database) => ({
  knownOf: (podcastId: number) =>
    db
      .query<KnownEpisode, [number]>(
        `SELECT ${knownColumns} FROM episode WHERE podcast_id = ? ORDER BY published_at, id`,
      )
      .all(podcastId),
  /** Adds an episode; answers its id. */
  add: (podcastId: number, facts: EpisodeFacts, publishedAt: number, now: number): number =>
    db
      .query<{ id: number }, Record<string, string | number | null>>(
        `INSERT INTO episode (uuid, eid, podcast_id, guid, title, notes, link, enclosure_url, enclosure_type,
                enclosure_size, image_url, published_at, announced_at, first_seen_at, duration, announced_duration, season, number,
                type, explicit, chapters_url, transcripts, extras, digest, feed_guid, author, aside)
         VALUES ($uuid, $eid, $podcastId, $guid, $title, $notes, $link, $enclosure_url, $enclosure_type,
                $enclosure_size, $image_url, $publishedAt, $announced_at, $now, $duration, $duration, $season, $number,
                $type, $explicit, $chapters_url, $transcripts, $extras, $digest, $feed_guid, $author, $aside)
         RETURNING id`,
      )
      .get({ uuid: Bun.randomUUIDv7(), eid: crypto.randomUUID(), podcastId, publishedAt, now, ...facts })!.id,
  /** Applies an edited item; the measured duration of a downloaded file stays. */
  edit(id: number, facts: EpisodeFacts) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE episode
          SET guid = $guid, title = $title, notes = $notes, link = $link, author = $author, enclosure_url = $enclosure_url,
              enclosure_type = $enclosure_type, enclosure_size = $enclosure_size, image_url = $image_url,
              published_at = iif($announced_at IS NULL, published_at, min($announced_at, first_seen_at)),
              announced_at = $announced_at,
              announced_duration = $duration,
              duration = iif(file_path IS NOT NULL AND duration > 0, duration, $duration),
              season = $season, number = $number, type = $type, explicit = $explicit, chapters_url = $chapters_url,
              transcripts = $transcripts, extras = $extras, digest = $digest, feed_guid = $feed_guid, aside = $aside, in_feed = 1
        WHERE id = $id`,
    ).run({ id, ...facts })
  },
  markInFeed(ids: readonly number[], inFeed: boolean) {
    db.query('UPDATE episode SET in_feed = ? WHERE id IN (SELECT value FROM json_each(?))').run(
      Number(inFeed),
      JSON.stringify(ids),
    )
  },
  /** Marks whether a newer episode has taken over the media address. */
  markSuperseded(id: number, superseded: boolean) {
    db.query('UPDATE episode SET superseded = ? WHERE id = ?').run(Number(superseded), id)
  },
  /** The `eid`s of a podcast's episodes by their media address; of those with one address, the newest. */
  eidsByAddress(podcastId: number, addresses: readonly string[]): Map<string, string> {
    if (addresses.length === 0) return new Map()
    const rows = db
      .query<{ eid: string; enclosure_url: string }, [string, number]>(
        `SELECT e.eid, e.enclosure_url FROM json_each(?) wanted CROSS JOIN episode e
          WHERE e.podcast_id = ? AND e.enclosure_url = wanted.value ORDER BY e.published_at, e.id`,
      )
      .all(JSON.stringify(addresses), podcastId)
    return new Map(rows.map(({ eid, enclosure_url }) => [enclosure_url, eid]))
  },
  /** Whether other episodes of the podcast have the same media address. */
  sharesAddress: ({ podcast_id, enclosure_url }: Pick<EpisodeColumns, 'podcast_id' | 'enclosure_url'>) =>
    db
      .query<{ one: number }, [number, string]>(
        'SELECT 1 AS one FROM episode WHERE podcast_id = ? AND enclosure_url = ? LIMIT 2',
      )
      .all(podcast_id, enclosure_url).length > 1,
})
