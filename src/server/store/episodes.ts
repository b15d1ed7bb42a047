import type { Database } from 'bun:sqlite'
import type { DownloadState } from '../../shared/api/episode'
import { required } from './required'
import { visibleEpisode, type Viewer } from './visibility'

export type EpisodeRow = {
  id: number
  uuid: string
  eid: string
  podcast_id: number
  guid: string
  title: string
  notes: string
  link: string | null
  enclosure_url: string
  enclosure_type: string | null
  enclosure_size: number | null
  image_url: string | null
  published_at: number
  announced_at: number | null
  first_seen_at: number
  duration: number
  season: number | null
  number: number | null
  type: 'full' | 'trailer' | 'bonus'
  explicit: number
  chapters_url: string | null
  transcripts: string | null
  extras: string | null
  digest: string
  in_feed: number
  /** The guid as the feed gives it, null = none. `guid` is the one that is the episode's own within its podcast. */
  feed_guid: string | null
  /** A newer episode of the podcast lies at its address now. */
  superseded: number
  file_path: string | null
  file_size: number | null
  file_type: string | null
  downloaded_at: number | null
  removed: number
  search_place: number | null
  has_own_chapters: number
  numbered: number
  chapters_unread: 'too-large' | 'too-slow' | null
  /** Joined. */
  podcast_uuid: string
  podcast_feed: string
  podcast_image: string | null
  podcast_cover: string | null
  cover: string | null
  download_state: DownloadState | null
}

/** An episode with what one user did with it. */
export type EpisodeForUser = EpisodeRow & {
  liked: number
  playback_started: number | null
  playback_position: number | null
  playback_total: number | null
  playback_finished: number | null
  playback_device: string | null
  playback_at: number | null
}

/** An episode with what files are named after. */
export type NamedEpisode = Pick<
  EpisodeRow,
  'id' | 'eid' | 'podcast_id' | 'title' | 'notes' | 'published_at' | 'duration' | 'guid' | 'enclosure_url' | 'file_path'
>
const namedColumns = 'id, eid, podcast_id, title, notes, published_at, duration, guid, enclosure_url, file_path'

/** A file that is here, with what its episode is recognised by. */
export type FileOfEpisode = Pick<
  EpisodeRow,
  'id' | 'file_type' | 'guid' | 'title' | 'enclosure_url' | 'announced_at' | 'numbered'
> & { file_path: string }

export type MediaRow = Pick<EpisodeRow, 'id' | 'title' | 'file_path' | 'file_size' | 'file_type' | 'enclosure_url'>

/** What the feed says of an episode, ready to be stored. */
export type EpisodeFacts = Pick<
  EpisodeRow,
  | 'guid'
  | 'feed_guid'
  | 'title'
  | 'notes'
  | 'link'
  | 'enclosure_url'
  | 'enclosure_type'
  | 'enclosure_size'
  | 'image_url'
  | 'announced_at'
  | 'duration'
  | 'season'
  | 'number'
  | 'type'
  | 'explicit'
  | 'chapters_url'
  | 'transcripts'
  | 'extras'
  | 'digest'
  | 'feed_guid'
>

/** What is needed to recognise an episode in a feed. */
export type KnownEpisode = Pick<
  EpisodeRow,
  | 'id'
  | 'guid'
  | 'feed_guid'
  | 'title'
  | 'enclosure_url'
  | 'enclosure_type'
  | 'enclosure_size'
  | 'announced_at'
  | 'duration'
  | 'digest'
  | 'in_feed'
  | 'superseded'
>

/** A file that is here. `numbered`: its number stands in its title. */
export type EpisodeFile = {
  path: string
  size: number
  type: string
  duration: number | null
  now: number
  numbered?: number
}

/** A place in a list sorted by (published_at, id). */
export type Position = { publishedAt: number; id: number }

export type EpisodeFilter = {
  after?: Position | undefined
  before?: number | undefined
  unfinishedOnly?: boolean
  downloaded?: boolean
  text?: string | undefined
  oldestFirst?: boolean
}

const joined = `
  p.uuid AS podcast_uuid, p.feed_url AS podcast_feed, p.image_url AS podcast_image,
  (SELECT digest FROM cover c WHERE c.podcast_id = p.id AND c.url = p.image_url) AS podcast_cover,
  (SELECT digest FROM cover c WHERE c.podcast_id = p.id AND c.url = e.image_url) AS cover,
  (SELECT state FROM download d WHERE d.episode_id = e.id) AS download_state`

const plain = `SELECT e.*, ${joined} FROM episode e JOIN podcast p ON p.id = e.podcast_id`

export const playbackColumns = `
  h.started AS playback_started, h.position AS playback_position, h.total AS playback_total, h.finished AS playback_finished,
  h.device AS playback_device, h.updated_at AS playback_at`

export const episodeForUser = `
  SELECT e.*, ${joined}, ${playbackColumns},
         EXISTS (SELECT 1 FROM episode_like k WHERE k.user_id = $userId AND k.episode_id = e.id) AS liked
    FROM episode e
    JOIN podcast p ON p.id = e.podcast_id
    LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id`

/** The beginning of a list, newest or oldest first, from a place on. `limit` rows and one more tell if there is more. */
export function pageQuery(
  { after, before, unfinishedOnly, downloaded, text, oldestFirst }: EpisodeFilter,
  viewer: Viewer,
): string {
  const beyond = oldestFirst ? '>' : '<'
  const direction = oldestFirst ? 'ASC' : 'DESC'
  const conditions = [
    'e.podcast_id = $podcastId',
    visibleEpisode(viewer),
    after && `(e.published_at, e.id) ${beyond} ($afterDate, $afterId)`,
    before !== undefined && 'e.published_at < $before',
    unfinishedOnly && 'coalesce(h.finished, 0) = 0',
    downloaded && 'e.file_path IS NOT NULL',
    text && `(e.title LIKE $text ESCAPE '\\' OR e.notes LIKE $text ESCAPE '\\')`,
  ].filter(Boolean)
  return `${episodeForUser} WHERE ${conditions.join(' AND ')}
          ORDER BY e.published_at ${direction}, e.id ${direction} LIMIT $limit`
}

export function episodeStore(db: Database) {
  const find = (where: string) => db.query<EpisodeRow, [string | number]>(`${plain} ${where}`)

  const findVisible = (viewer: Viewer, uuid: string) =>
    find(`WHERE e.id = (SELECT id FROM episode WHERE uuid = ?1 OR eid = ?1) AND ${visibleEpisode(viewer)}`).get(uuid)
  const findFor = (viewer: Viewer, uuid: string) =>
    db
      .query<EpisodeForUser, { userId: number; uuid: string }>(
        `${episodeForUser}
          WHERE e.id = (SELECT id FROM episode WHERE uuid = $uuid OR eid = $uuid) AND ${visibleEpisode(viewer)}`,
      )
      .get({ userId: viewer.id, uuid })
  const findMedia = (viewer: Viewer, uuid: string) =>
    db
      .query<MediaRow, { uuid: string }>(
        `SELECT e.id, e.title, e.file_path, e.file_size, e.file_type, e.enclosure_url
           FROM episode e JOIN podcast p ON p.id = e.podcast_id
          WHERE e.id = (SELECT id FROM episode WHERE eid = $uuid UNION ALL SELECT id FROM episode WHERE uuid = $uuid LIMIT 1)
            AND ${visibleEpisode(viewer)}`,
      )
      .get({ uuid })

  return {
    find: (id: number) => find('WHERE e.id = ?').get(id),
    findByEid: (eid: string) => find('WHERE e.eid = ?').get(eid),
    /** By either of its two identifiers. */
    findVisible,
    findFor,
    /** An episode that the viewer may see, by either identifier. Throws `episode-not-found`. */
    require: (viewer: Viewer, uuid: string): EpisodeRow => required(findVisible(viewer, uuid), 'episode'),
    /** The same with what the viewer did with it. */
    requireFor: (viewer: Viewer, uuid: string): EpisodeForUser => required(findFor(viewer, uuid), 'episode'),
    /** Just what it takes to send the file: a player asks for it piece by piece. Throws `episode-not-found`. */
    requireMedia: (viewer: Viewer, uuid: string): MediaRow => required(findMedia(viewer, uuid), 'episode'),
    findMedia,
    hasFile: (id: number, path: string) =>
      db
        .query<{ one: number }, [number, string]>('SELECT 1 AS one FROM episode WHERE id = ? AND file_path = ?')
        .get(id, path) !== null,
    /** Which of a podcast's episodes it is, 1 = the oldest, and of how many. */
    placeOf: (podcastId: number, { published_at, id }: { published_at: number; id: number }) =>
      db
        .query<{ number: number; count: number }, [number, number, number]>(
          `SELECT count(*) AS number, (SELECT episode_count FROM podcast WHERE id = ?1) AS count
             FROM episode WHERE podcast_id = ?1 AND (published_at, id) <= (?2, ?3)`,
        )
        .get(podcastId, published_at, id)!,
    /** Whether other episodes of the podcast have the same address. */
    sharesAddress: ({ podcast_id, enclosure_url }: Pick<EpisodeRow, 'podcast_id' | 'enclosure_url'>) =>
      db
        .query<{ one: number }, [number, string]>(
          'SELECT 1 AS one FROM episode WHERE podcast_id = ? AND enclosure_url = ? LIMIT 2',
        )
        .all(podcast_id, enclosure_url).length > 1,
    isFileTaken: (path: string) =>
      db
        .query<{ one: number }, [string]>('SELECT 1 AS one FROM episode WHERE file_path = ? COLLATE NOCASE')
        .get(path) !== null,
    listByIds: (ids: readonly number[]) =>
      db
        .query<EpisodeRow, [string]>(
          `${plain} WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.published_at DESC`,
        )
        .all(JSON.stringify(ids)),

    /** A page of a podcast's episodes. */
    pageFor(viewer: Viewer, podcastId: number, filter: EpisodeFilter, limit: number): EpisodeForUser[] {
      return db.query<EpisodeForUser, Record<string, string | number>>(pageQuery(filter, viewer)).all({
        userId: viewer.id,
        podcastId,
        limit,
        ...(filter.after && { afterDate: filter.after.publishedAt, afterId: filter.after.id }),
        ...(filter.before !== undefined && { before: filter.before }),
        ...(filter.text && { text: `%${filter.text.replace(/[%_\\]/g, '\\$&')}%` }),
      })
    },

    knownOf: (podcastId: number) =>
      db
        .query<KnownEpisode, [number]>(
          `SELECT id, guid, feed_guid, title, enclosure_url, enclosure_type, enclosure_size, announced_at,
                  duration, digest, in_feed, superseded
             FROM episode WHERE podcast_id = ? ORDER BY published_at, id`,
        )
        .all(podcastId),

    add(podcastId: number, facts: EpisodeFacts, publishedAt: number, now: number): number {
      return db
        .query<{ id: number }, Record<string, string | number | null>>(
          `INSERT INTO episode (uuid, eid, podcast_id, guid, title, notes, link, enclosure_url, enclosure_type,
                  enclosure_size, image_url, published_at, announced_at, first_seen_at, duration, season, number,
                  type, explicit, chapters_url, transcripts, extras, digest, feed_guid)
           VALUES ($uuid, $eid, $podcastId, $guid, $title, $notes, $link, $enclosure_url, $enclosure_type,
                  $enclosure_size, $image_url, $publishedAt, $announced_at, $now, $duration, $season, $number,
                  $type, $explicit, $chapters_url, $transcripts, $extras, $digest, $feed_guid)
           RETURNING id`,
        )
        .get({ uuid: Bun.randomUUIDv7(), eid: crypto.randomUUID(), podcastId, publishedAt, now, ...facts })!.id
    },

    /** An edited item; the measured duration of a file that is here stays. */
    edit(id: number, facts: EpisodeFacts) {
      db.query<null, Record<string, string | number | null>>(
        `UPDATE episode
            SET guid = $guid, title = $title, notes = $notes, link = $link, enclosure_url = $enclosure_url,
                enclosure_type = $enclosure_type, enclosure_size = $enclosure_size, image_url = $image_url,
                published_at = iif($announced_at IS NULL, published_at, min($announced_at, first_seen_at)),
                announced_at = $announced_at,
                duration = iif(file_path IS NOT NULL AND duration > 0, duration, $duration),
                season = $season, number = $number, type = $type, explicit = $explicit,
                chapters_url = $chapters_url, transcripts = $transcripts, extras = $extras, digest = $digest, feed_guid = $feed_guid,
                in_feed = 1
          WHERE id = $id`,
      ).run({ id, ...facts })
    },
    markInFeed(ids: readonly number[], inFeed: boolean) {
      db.query('UPDATE episode SET in_feed = ? WHERE id IN (SELECT value FROM json_each(?))').run(
        Number(inFeed),
        JSON.stringify(ids),
      )
    },

    /** Whether a newer episode lies at the address; what waited to be fetched from there fails then. */
    markSuperseded(id: number, superseded: boolean) {
      db.query('UPDATE episode SET superseded = ? WHERE id = ?').run(Number(superseded), id)
    },

    keepFile(id: number, { numbered = 0, ...file }: EpisodeFile) {
      db.query<null, Record<string, string | number | null>>(
        `UPDATE episode
            SET file_path = $path, file_size = $size, file_type = $type, downloaded_at = $now, removed = 0,
                duration = coalesce($duration, duration), numbered = $numbered, chapters_unread = NULL
          WHERE id = $id`,
      ).run({ id, numbered, ...file })
    },
    dropFile(id: number) {
      db.query(
        `UPDATE episode
            SET file_path = NULL, file_size = NULL, file_type = NULL, downloaded_at = NULL, chapters_unread = NULL
          WHERE id = ?`,
      ).run(id)
    },
    /** Removed by a person or a rule: no rule fetches it again; asking for it by hand lifts that. */
    markRemoved(id: number, removed: boolean) {
      db.query('UPDATE episode SET removed = ? WHERE id = ?').run(Number(removed), id)
    },
    /** The file is somewhere else now. */
    moveFile(id: number, path: string) {
      db.query('UPDATE episode SET file_path = ? WHERE id = ?').run(path, id)
    },
    noteUnread(id: number, unread: EpisodeRow['chapters_unread']) {
      db.query('UPDATE episode SET chapters_unread = ? WHERE id = ?').run(unread, id)
    },
    /** What was found by looking into the file again; null leaves what is known. */
    remeasure(id: number, found: { size: number | null; duration: number | null }) {
      db.query(
        'UPDATE episode SET file_size = coalesce(?, file_size), duration = coalesce(?, duration) WHERE id = ?',
      ).run(found.size, found.duration, id)
    },
    markNumbered(id: number) {
      db.query('UPDATE episode SET numbered = 1 WHERE id = ?').run(id)
    },
    findByFile: (path: string) =>
      db.query<{ id: number }, [string]>('SELECT id FROM episode WHERE file_path = ? COLLATE NOCASE').get(path),
    /** Those of a podcast that are here, oldest first, with what files are named after. */
    withFilesOf: (podcastId: number) =>
      db
        .query<NamedEpisode, [number]>(
          `SELECT ${namedColumns} FROM episode WHERE podcast_id = ? AND file_path IS NOT NULL ORDER BY published_at, id`,
        )
        .all(podcastId),
    withoutFilesOf: (podcastId: number) =>
      db
        .query<NamedEpisode, [number]>(
          `SELECT ${namedColumns} FROM episode WHERE podcast_id = ? AND +file_path IS NULL ORDER BY published_at, id`,
        )
        .all(podcastId),
    /** A few of the files that should be there. */
    someFiles: () =>
      db
        .query<{ file_path: string }, []>('SELECT file_path FROM episode WHERE file_path IS NOT NULL LIMIT 50')
        .all()
        .map(row => row.file_path),
    allWithFiles: () =>
      db
        .query<{ id: number; file_path: string }, []>(
          'SELECT id, file_path FROM episode WHERE file_path IS NOT NULL ORDER BY podcast_id, published_at',
        )
        .all(),
    filesOf: (podcastId: number) =>
      db
        .query<FileOfEpisode, [number]>(
          'SELECT id, file_path, file_type, guid, title, enclosure_url, announced_at, numbered FROM episode WHERE podcast_id = ? AND file_path IS NOT NULL',
        )
        .all(podcastId),
    idsWithoutFile: (viewer: Viewer, podcastId: number) =>
      db
        .query<{ id: number }, [number]>(
          `SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcast_id
            WHERE e.podcast_id = ? AND +e.file_path IS NULL AND ${visibleEpisode(viewer)}
            ORDER BY e.published_at DESC, e.id DESC`,
        )
        .all(podcastId)
        .map(row => row.id),
    /** Positions are counted from the oldest, 1, both ends included. */
    idsInRange: (viewer: Viewer, podcastId: number, from: number, to: number) =>
      db
        .query<{ id: number }, [number, number, number]>(
          `SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcast_id
            WHERE e.podcast_id = ? AND ${visibleEpisode(viewer)}
            ORDER BY e.published_at, e.id LIMIT ? OFFSET ?`,
        )
        .all(podcastId, to - from + 1, from - 1)
        .map(row => row.id),
    /** The newest that no file is here of and that nobody removed: what a prefill takes. */
    newestMissing: (podcastId: number, limit: number) =>
      db
        .query<{ id: number }, [number, number]>(
          `SELECT id FROM episode WHERE podcast_id = ? AND +file_path IS NULL AND removed = 0 AND superseded = 0
            ORDER BY published_at DESC, id DESC LIMIT ?`,
        )
        .all(podcastId, limit)
        .map(row => row.id),
    isLiked: (id: number) =>
      db.query<{ one: number }, [number]>('SELECT 1 AS one FROM episode_like WHERE episode_id = ?').get(id) !== null,

    like(userId: number, episodeId: number, liked: boolean, now: number) {
      if (liked)
        db.query('INSERT OR IGNORE INTO episode_like (user_id, episode_id, created_at) VALUES (?, ?, ?)').run(
          userId,
          episodeId,
          now,
        )
      else db.query('DELETE FROM episode_like WHERE user_id = ? AND episode_id = ?').run(userId, episodeId)
    },
  }
}
