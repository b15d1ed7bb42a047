import { required } from '../platform/problem'
import type { Database } from 'bun:sqlite'
import type { ChaptersUnread, DownloadState, EpisodeType } from '../../shared/api/episode'
import type { StorageName } from './file-place'
import { visibleEpisode, type Viewer } from './visibility'

/** A row of the table; times in milliseconds, durations in seconds, flags 0 or 1. */
export type EpisodeColumns = {
  id: number
  uuid: string
  eid: string
  podcast_id: number
  guid: string
  title: string
  notes: string
  link: string | null
  /** The author, if it is not the podcast's. */
  author: string | null
  enclosure_url: string
  enclosure_type: string | null
  enclosure_size: number | null
  image_url: string | null
  published_at: number
  announced_at: number | null
  /** Whether the feed gives it a date. */
  dated: number
  first_seen_at: number
  duration: number
  /** Seconds as the feed states them; 0 = unknown. */
  announced_duration: number
  season: number | null
  number: number | null
  type: EpisodeType
  explicit: number
  chapters_url: string | null
  transcripts: string | null
  extras: string | null
  digest: string
  in_feed: number
  /** A trailer of the podcast that its feed doesn't list among the items: neither news nor downloaded by a rule. */
  aside: number
  /** The guid in the feed; null = none. `guid` is unique within the podcast. */
  feed_guid: string | null
  /** A newer episode of the podcast has taken over its media address. */
  superseded: number
  file_path: string | null
  /** The storage of the file; `folder` without one. */
  file_storage: StorageName
  file_size: number | null
  file_type: string | null
  /** The form of the file; null = the main one. */
  file_form: string | null
  downloaded_at: number | null
  /** A person or a rule removed the file: no rule fetches it again. */
  removed: number
  /** Row in the search index; null = not indexed. */
  search_place: number | null
  has_own_chapters: number
  has_generated_transcript: number
  /** Its number was written into the title within the file. */
  numbered: number
  /** Reason why the file was not read for chapters; null = it was. */
  chapters_unread: ChaptersUnread | null
  /** Whether a downloaded MP4 was searched for its index. */
  index_sought: number
  /** When it was first published, if its publisher has published it again. */
  first_published_at: number | null
  /** The publisher offers another recording than the file in the library. */
  newer_recording: number
}

/** Whether an episode has a transcript, from its feed or another source. */
export const hasTranscript = (row: Pick<EpisodeColumns, 'transcripts' | 'has_generated_transcript'>) =>
  row.transcripts !== null || row.has_generated_transcript === 1

/** An episode with what other tables know about it; `podcast_cover` and `cover` are digests of pictures. */
export type EpisodeRow = EpisodeColumns & {
  podcast_uuid: string
  podcast_feed: string
  podcast_image: string | null
  podcast_cover: string | null
  cover: string | null
  /** Colours of both pictures; empty or null = none. */
  podcast_cover_color: string | null
  cover_color: string | null
  download_state: DownloadState | null
}

/** An episode with what one user did with it; `playback_…` is null for an episode never played. */
export type EpisodeForUser = EpisodeRow & {
  liked: number
  is_new: number
  playback_started: number | null
  playback_position: number | null
  playback_total: number | null
  playback_finished: number | null
  playback_device: string | null
  playback_at: number | null
}

/** An episode with everything that the name of its file may contain. */
export type NamedEpisode = Pick<
  EpisodeColumns,
  | 'id'
  | 'eid'
  | 'podcast_id'
  | 'title'
  | 'notes'
  | 'published_at'
  | 'duration'
  | 'guid'
  | 'enclosure_url'
  | 'file_path'
  | 'file_storage'
>

/** A downloaded file, with what identifies its episode if the podcast is deleted and added again. */
export type FileOfEpisode = Pick<
  EpisodeColumns,
  'id' | 'file_storage' | 'file_type' | 'guid' | 'title' | 'enclosure_url' | 'announced_at' | 'numbered'
> & { file_path: string }

export type MediaRow = Pick<
  EpisodeColumns,
  'id' | 'title' | 'file_path' | 'file_storage' | 'file_size' | 'file_type' | 'file_form' | 'enclosure_url'
>

/** Everything that a feed says about an episode. */
export type EpisodeFacts = Pick<
  EpisodeColumns,
  | 'guid'
  | 'feed_guid'
  | 'title'
  | 'notes'
  | 'link'
  | 'author'
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
  | 'aside'
>

/**
 * An episode with what identifies it in the next reading of its feed. `item_hash`: the hash of the item that it was read
 * from; null if it must be read again.
 */
export type KnownEpisode = { item_hash: number | null } & Pick<
  EpisodeColumns,
  | 'id'
  | 'guid'
  | 'feed_guid'
  | 'title'
  | 'enclosure_url'
  | 'enclosure_type'
  | 'enclosure_size'
  | 'announced_at'
  | 'announced_duration'
  | 'digest'
  | 'in_feed'
  | 'superseded'
  | 'aside'
>

/** The hash of the item from which an episode was read: its bytes, and whatever else of the feed it depends on. */
export type ItemHash = { id: number; hash: number }

/** Seconds that were found in a file, null = none; `isEstimate`: it was not measured completely. */
export type MeasuredDuration = { duration: number | null; isEstimate?: boolean }

/** A downloaded file: path within the media folder, bytes, seconds. */
export type EpisodeFile = MeasuredDuration & {
  path: string
  storage?: StorageName
  size: number
  type: string
  /** The form of the episode that it is; absent or null = the main one. */
  form?: string | null
  now: number
  numbered?: number
}

/**
 * A place in a list ordered by (published_at, id); `isUndated`: among the episodes without a date, if those come last.
 */
export type Position = { publishedAt: number; id: number; isUndated?: boolean }
/** The beginning of a page: after a position, or after a number of rows. */
export type ListStart = { after?: Position | undefined; offset?: number | undefined }

const joined = `
  p.uuid AS podcast_uuid, p.feed_url AS podcast_feed, p.image_url AS podcast_image,
  podcast_cover.digest AS podcast_cover, podcast_cover.color AS podcast_cover_color,
  own_cover.digest AS cover, own_cover.color AS cover_color,
  (SELECT state FROM download d WHERE d.episode_id = e.id) AS download_state`

/** Joins of the pictures of an episode `e` and its podcast `p`. */
export const coverJoins = `
    LEFT JOIN cover podcast_cover ON podcast_cover.podcast_id = p.id AND podcast_cover.url = p.image_url
    LEFT JOIN cover own_cover ON own_cover.podcast_id = p.id AND own_cover.url = e.image_url`

const selectEpisode = `SELECT e.*, ${joined} FROM episode e JOIN podcast p ON p.id = e.podcast_id ${coverJoins}`

/** Condition on episodes `e`: they are new to the user `$userId`. */
export const isNewToUser = `EXISTS (SELECT 1 FROM new_episode w
    WHERE w.user_id = $userId AND w.podcast_id = e.podcast_id AND w.episode_id = e.id AND w.played = 0)`

/** Columns of `EpisodeForUser`; needs `episodeForUserJoins` and `$userId`. */
export const episodeForUserColumns = `
  e.*, ${joined},
  h.started AS playback_started, h.position AS playback_position, h.total AS playback_total,
  h.finished AS playback_finished, h.device AS playback_device, h.updated_at AS playback_at,
  EXISTS (SELECT 1 FROM episode_like k WHERE k.user_id = $userId AND k.episode_id = e.id) AS liked,
  ${isNewToUser} AS is_new`

/** Joins that follow an episode `e` in a condition: its podcast `p`, and what the user `$userId` played of it, `h`. */
export const playedJoins = `
    JOIN podcast p ON p.id = e.podcast_id
    LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id`

/** The joins that `episodeForUserColumns` need. */
export const episodeForUserJoins = `${playedJoins} ${coverJoins}`

export const selectEpisodeForUser = `SELECT ${episodeForUserColumns} FROM episode e ${episodeForUserJoins}`

/** Finds single episodes. A `uuid` may be either of an episode's two identifiers. */
export function episodeLookups(db: Database) {
  const findWhere = (condition: string) =>
    db.query<EpisodeRow, [string | number]>(`${selectEpisode} WHERE ${condition}`)
  const findVisible = (viewer: Viewer, uuid: string) =>
    findWhere(`e.id = (SELECT id FROM episode WHERE uuid = ?1 OR eid = ?1) AND ${visibleEpisode(viewer)}`).get(uuid)
  const findFor = (viewer: Viewer, uuid: string) =>
    db
      .query<EpisodeForUser, { userId: number; uuid: string }>(
        `${selectEpisodeForUser}
          WHERE e.id = (SELECT id FROM episode WHERE uuid = $uuid OR eid = $uuid) AND ${visibleEpisode(viewer)}`,
      )
      .get({ userId: viewer.id, uuid })
  const findMedia = (viewer: Viewer, uuid: string) =>
    db
      .query<MediaRow, { uuid: string }>(
        `SELECT e.id, e.title, e.file_path, e.file_storage, e.file_size, e.file_type, e.file_form, e.enclosure_url
           FROM episode e JOIN podcast p ON p.id = e.podcast_id
          WHERE e.id = (SELECT id FROM episode WHERE eid = $uuid
                         UNION ALL SELECT id FROM episode WHERE uuid = $uuid LIMIT 1)
            AND ${visibleEpisode(viewer)}`,
      )
      .get({ uuid })

  return {
    find: (id: number) => findWhere('e.id = ?').get(id),
    findByEid: (eid: string) => findWhere('e.eid = ?').get(eid),
    findVisible,
    findFor,
    findMedia,
    /** An episode that the viewer may see. Throws `episode-not-found`. */
    require: (viewer: Viewer, uuid: string): EpisodeRow => required(findVisible(viewer, uuid), 'episode'),
    /** The same, with what the viewer did with it. */
    requireFor: (viewer: Viewer, uuid: string): EpisodeForUser => required(findFor(viewer, uuid), 'episode'),
    /**
     * The few columns that are needed to send its file: a player requests it piece by piece. Throws
     * `episode-not-found`.
     */
    requireMedia: (viewer: Viewer, uuid: string): MediaRow => required(findMedia(viewer, uuid), 'episode'),
    /** The uuids of episodes. */
    uuidsOf: (ids: readonly number[]): string[] =>
      db
        .query<{ uuid: string }, [string]>(
          'SELECT e.uuid FROM json_each(?) wanted CROSS JOIN episode e ON e.id = wanted.value',
        )
        .all(JSON.stringify(ids))
        .map(row => row.uuid),
    /** The ids of those of these uuids that the viewer may see, in their order. */
    idsAmong: (viewer: Viewer, uuids: readonly string[]): number[] =>
      db
        .query<{ id: number }, [string]>(
          `SELECT e.id FROM json_each(?) wanted JOIN episode e ON e.uuid = wanted.value
             JOIN podcast p ON p.id = e.podcast_id
            WHERE ${visibleEpisode(viewer)} ORDER BY wanted.key`,
        )
        .all(JSON.stringify([...new Set(uuids)]))
        .map(row => row.id),
    listByIds: (ids: readonly number[]) =>
      db
        .query<EpisodeRow, [string]>(
          `${selectEpisode} WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.published_at DESC`,
        )
        .all(JSON.stringify(ids)),
  }
}
