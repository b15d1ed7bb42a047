import type { ErrorCode } from '../../shared/error-code'
import type { Database } from 'bun:sqlite'
import type { PodcastFacts, Validators } from './podcasts'
import type { EpisodeColumns, EpisodeFacts, ItemHash, KnownEpisode } from './episodes'

/** Result of checking a feed; times in milliseconds. */
type CheckOutcome = {
  checkedAt: number
  nextCheckAt: number
  intervalMs: number | null
  failures: number
  error: { code: ErrorCode; message: string } | null
  warnings: boolean
  gone: boolean
}

/** The time of the next check of a feed that somebody asked for: it precedes all that are due. */
export const ASKED = 0

/** The state of feeds between two checks. */
export const feedStates = (db: Database) => ({
  /** Ids of the podcasts whose feeds are due, longest waiting first. */
  due: (now: number, autoUpdate: boolean, limit: number) =>
    db
      .query<{ id: number }, [number, number, number]>(
        `SELECT id FROM podcast p LEFT JOIN podcast_settings s ON s.podcast_id = p.id
          WHERE active = 1 AND gone = 0 AND next_check_at <= ? AND coalesce(s.auto_update, ?) = 1
          ORDER BY next_check_at LIMIT ?`,
      )
      .all(now, Number(autoUpdate), limit)
      .map(row => row.id),
  /** Asks for a check by any process: the next recorded one counts as the answer. Also for a feed that is gone. */
  ask(id: number) {
    db.query(
      `UPDATE podcast SET next_check_at = ${ASKED}, gone = 0 WHERE id = ? AND active = 1 AND ${hasFeed('podcast')}`,
    ).run(id)
  },
  /** Ids of the podcasts whose feeds somebody asked to check. */
  asked: () =>
    db
      .query<{ id: number }, []>(`SELECT id FROM podcast WHERE active = 1 AND gone = 0 AND next_check_at <= ${ASKED}`)
      .all()
      .map(row => row.id),
  describe(id: number, title: string, facts: PodcastFacts) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE podcast
          SET title = iif(renamed, title, $title), author = $author, summary = $summary, language = $language,
              keywords = $keywords, link = $link, guid = $guid, medium = $medium, explicit = $explicit,
              serial = $serial, image_url = $image_url, extras = $extras, built_at = $built_at,
              feed_items = $feed_items, feed_unplayable = $feed_unplayable,
              guid_evidence = $guid_evidence
        WHERE id = $id`,
    ).run({ id, title, ...facts })
  },
  guidEvidenceOf: (id: number) =>
    db.query<Pick<PodcastFacts, 'guid_evidence'>, [number]>('SELECT guid_evidence FROM podcast WHERE id = ?').get(id)
      ?.guid_evidence ?? null,
  /** Stores the validators of a document that was read completely: only those may make a request conditional. */
  keepValidators(id: number, { etag, lastModified, digest }: Validators, wholeAt: number) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE podcast
          SET etag = $etag, last_modified = $lastModified, body_digest = $digest, fetched_whole_at = $wholeAt
        WHERE id = $id`,
    ).run({ id, etag, lastModified, digest, wholeAt })
  },
  recordCheck(id: number, { error, warnings, gone, ...times }: CheckOutcome) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE podcast
          SET checked_at = $checkedAt, next_check_at = $nextCheckAt, interval_ms = $intervalMs,
              failures = $failures, error_code = $code, error_message = $message,
              error_since = iif($code IS NULL, NULL, coalesce(error_since, $checkedAt)),
              warnings = $warnings, gone = $gone
        WHERE id = $id`,
    ).run({
      id,
      ...times,
      code: error?.code ?? null,
      message: error?.message ?? null,
      warnings: Number(warnings),
      gone: Number(gone),
    })
  },
})

/** A feed that moves at each check would fill the table, which every sync reads. */
const MAX_ALIASES = 100
const unlessMany = `SELECT $url, $id WHERE (SELECT count(*) FROM feed_alias WHERE podcast_id = $id) < ${MAX_ALIASES}`

/** Addresses of feeds, and the sealed user names and passwords that some of them ask for. */
export const feedAddresses = (db: Database) => ({
  /** Gives a podcast a new feed address; the old one stays known as an alias. */
  move(
    id: number,
    from: string,
    to: string,
    { privacy, keepsCredential }: { privacy: number; keepsCredential: boolean },
  ) {
    db.query('DELETE FROM feed_alias WHERE url = ?').run(to)
    db.query(`INSERT OR REPLACE INTO feed_alias (url, podcast_id) ${unlessMany}`).run({ id, url: from })
    db.query('UPDATE podcast SET feed_url = ?, private = ?, announced_feed_url = NULL WHERE id = ?').run(
      to,
      privacy,
      id,
    )
    if (!keepsCredential) db.query('DELETE FROM feed_credential WHERE podcast_id = ?').run(id)
  },
  /** Remembers an announced address that does not answer yet; null = none is announced. */
  announceMove(id: number, url: string | null) {
    db.query('UPDATE podcast SET announced_feed_url = ?1 WHERE id = ?2 AND announced_feed_url IS NOT ?1').run(url, id)
  },
  addAlias(id: number, url: string) {
    db.query(`INSERT OR IGNORE INTO feed_alias (url, podcast_id) ${unlessMany}`).run({ id, url })
  },

  findCredential: (id: number) =>
    db.query<{ sealed: Uint8Array }, [number]>('SELECT sealed FROM feed_credential WHERE podcast_id = ?').get(id)
      ?.sealed ?? null,
  setCredential(id: number, sealed: Uint8Array) {
    db.query('INSERT OR REPLACE INTO feed_credential (podcast_id, sealed) VALUES (?, ?)').run(id, sealed)
  },
  removeCredential(id: number) {
    db.query('DELETE FROM feed_credential WHERE podcast_id = ?').run(id)
  },
})

/** Columns by which an episode is recognised. */
export const knownColumns = `id, guid, feed_guid, title, enclosure_url, enclosure_type, enclosure_size, announced_at,
  announced_duration, digest, in_feed, superseded, aside,
  (SELECT hash FROM read_item WHERE episode_id = episode.id) AS item_hash`

/**
 * The two identifiers of a new episode. Both grow with time, so that episodes that are added together are neighbours in
 * the indexes, and a transaction changes few pages of them.
 */
export const newIds = () => ({ uuid: Bun.randomUUIDv7(), eid: Bun.randomUUIDv7() })

/** Episodes as their feeds describe them. */
export const feedEpisodes = (db: Database) => ({
  knownOf: (podcastId: number) =>
    db
      .query<KnownEpisode, [number]>(
        `SELECT ${knownColumns} FROM episode WHERE podcast_id = ? ORDER BY published_at, id`,
      )
      .all(podcastId),
  /** Adds an episode; returns its id. */
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
      .get({ ...newIds(), podcastId, publishedAt, now, ...facts })!.id,
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
  /** Stores the hashes of the items from which episodes were read. Call after `edit`, which forgets them. */
  keepHashes(hashes: readonly ItemHash[]) {
    db.query(
      `INSERT OR REPLACE INTO read_item (episode_id, hash)
       SELECT value ->> '$.id', value ->> '$.hash' FROM json_each(?)`,
    ).run(JSON.stringify(hashes))
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

// Why: docs/internals/decisions/0030

/**
 * The scheme of podcasts without a feed: folders of files. It is where others have the address of their feed, which
 * must be unique, and before the addresses of their episodes; nothing is ever requested from it or handed to others.
 */
export const FOLDER_SCHEME = 'castellan-folder:'

export const isFolderAddress = (address: string) => address.startsWith(FOLDER_SCHEME)

/** SQL for a podcast that has a feed. */
export const hasFeed = (alias: string) => `substr(${alias}.feed_url, 1, ${FOLDER_SCHEME.length}) <> '${FOLDER_SCHEME}'`
