import { required } from '../platform/problem'
import type { ErrorCode } from '../../shared/error-code'
import type { Database } from 'bun:sqlite'
import { seesEverything, visibleEpisode, visiblePodcast, type Viewer } from './visibility'

/** A row of the table; times in milliseconds, flags 0 or 1. */
export type PodcastColumns = {
  id: number
  uuid: string
  title: string
  renamed: number
  folder: string
  author: string | null
  summary: string | null
  language: string | null
  keywords: string | null
  link: string | null
  guid: string | null
  medium: string | null
  explicit: number
  serial: number
  image_url: string | null
  extras: string
  built_at: number | null
  added_at: number
  added_by: number | null
  feed_url: string
  /** Networks its feed may reach: 0 = public ones, 1 = also its own private address, 2 = also ALLOWED_NETWORKS. */
  private: number
  /** New address that the feed announced and that did not answer yet. */
  announced_feed_url: string | null
  active: number
  gone: number
  etag: string | null
  last_modified: string | null
  body_digest: string | null
  fetched_whole_at: number | null
  checked_at: number | null
  next_check_at: number
  interval_ms: number | null
  failures: number
  error_code: ErrorCode | null
  error_message: string | null
  error_since: number | null
  warnings: number
  /** Items in the last feed document, and how many of them have nothing to play. */
  feed_items: number
  feed_unplayable: number
  /** Evidence that the feed's guids don't identify its episodes; null = they do. */
  guid_evidence: GuidEvidence | null
  /** 0 = episodes that an earlier release stored twice are still to be merged. */
  twins_sought: number
  episode_count: number
  last_episode_at: number | null
  last_episode_title: string | null
  /** Downloaded files and their bytes. */
  file_count: number
  file_bytes: number
}

/** A podcast with what other tables know about it. */
export type PodcastRow = PodcastColumns & {
  /** Digest of the stored cover, and its colour, which may be empty. */
  cover: string | null
  cover_color: string | null
  has_credentials: number
  /** Count and latest date of the episodes that the viewer may see. */
  visible_count: number
  visible_last_at: number | null
  /** Count and bytes of the files that the viewer may see, and the title of the newest episode. */
  visible_files: number
  visible_bytes: number
  newest_title: string | null
}

/** A podcast as one user sees it. */
export type PodcastForUser = PodcastRow & {
  favourite: number
  finished_count: number
  /** Number of episodes that are new to the user. */
  new_count: number
  /** Latest moment at which the user's position in an episode changed. */
  played_at: number | null
  /** The user's tags of it, ordered by name, as JSON. */
  tags: string
}

/** The columns of a podcast in a list: a thousand of them are read without what only a refresh needs. */
const listed = [
  'id',
  'uuid',
  'title',
  'folder',
  'author',
  'summary',
  'language',
  'keywords',
  'link',
  'guid',
  'medium',
  'explicit',
  'serial',
  'image_url',
  'extras',
  'built_at',
  'added_at',
  'feed_url',
  'active',
  'gone',
  'checked_at',
  'next_check_at',
  'failures',
  'error_code',
  'error_message',
  'error_since',
  'warnings',
  'feed_items',
  'feed_unplayable',
] as const satisfies readonly (keyof PodcastColumns)[]

/** The columns of a podcast as grids show it. */
const brief = [
  'id',
  'uuid',
  'title',
  'author',
  'language',
  'serial',
  'image_url',
  'added_at',
  'feed_url',
  'active',
  'gone',
  'checked_at',
  'failures',
  'error_code',
  'error_message',
  'error_since',
] as const satisfies readonly (keyof PodcastColumns)[]

/** A podcast in a list, with what other tables know about it; and the same as one user sees it. */
export type ListedRow = Omit<PodcastRow, Exclude<keyof PodcastColumns, (typeof listed)[number]>>
/** The columns that decide how a podcast's feed is checked. */
export type CheckRow = Pick<PodcastColumns, 'uuid' | 'checked_at' | 'next_check_at' | 'active' | 'gone'>
export type ListedPodcast = Omit<PodcastForUser, Exclude<keyof PodcastColumns, (typeof listed)[number]>>

export type BriefPodcast = Omit<PodcastForUser, Exclude<keyof PodcastColumns, (typeof brief)[number]>>

/**
 * Evidence that a feed's guids don't identify its episodes: many items share one, they count the items from the top,
 * or they moved to other recordings.
 */
export type GuidEvidence = 'repeated' | 'by-place' | 'moved'

/** Everything that a feed says about its podcast. */
export type PodcastFacts = Pick<
  PodcastColumns,
  | 'author'
  | 'summary'
  | 'language'
  | 'keywords'
  | 'link'
  | 'guid'
  | 'medium'
  | 'explicit'
  | 'serial'
  | 'image_url'
  | 'extras'
  | 'built_at'
  | 'feed_items'
  | 'feed_unplayable'
  | 'guid_evidence'
>

/** Validators of the last feed document that was read completely. */
export type Validators = { etag: string | null; lastModified: string | null; digest: string | null }

/** Columns of `PodcastRow`, the same for everybody who may see as much as the viewer; need `sharedJoins`. */
const sharedColumns = (viewer: Pick<Viewer, 'explicit_consent'>) => `
    ${visibleCounts(viewer)},
    c.digest AS cover, c.color AS cover_color, k.podcast_id IS NOT NULL AS has_credentials`

const sharedJoins = `
    LEFT JOIN cover c ON c.podcast_id = p.id AND c.url = p.image_url
    LEFT JOIN feed_credential k ON k.podcast_id = p.id`

const selectShared = (viewer: Pick<Viewer, 'explicit_consent'>) =>
  `SELECT p.*, ${sharedColumns(viewer)} FROM podcast p ${sharedJoins}`

const wholeCounts = `p.episode_count AS visible_count, p.last_episode_at AS visible_last_at,
    p.file_count AS visible_files, p.file_bytes AS visible_bytes, p.last_episode_title AS newest_title`

const explicitOnes = 'FROM episode x WHERE x.podcast_id = p.id AND x.explicit = 1'
const lastWithoutExplicit = `iif(EXISTS (SELECT 1 ${explicitOnes}),
        (SELECT x.published_at FROM episode x WHERE x.podcast_id = p.id AND x.explicit = 0
          ORDER BY x.published_at DESC LIMIT 1),
        p.last_episode_at)`
const countsWithoutExplicit = `
    p.episode_count - (SELECT count(*) ${explicitOnes}) AS visible_count,
    ${lastWithoutExplicit} AS visible_last_at,
    p.file_count - (SELECT count(x.file_path) ${explicitOnes}) AS visible_files,
    p.file_bytes - (SELECT coalesce(sum(iif(x.file_path IS NULL, 0, x.file_size)), 0) ${explicitOnes}) AS visible_bytes,
    iif(EXISTS (SELECT 1 ${explicitOnes}),
        (SELECT x.title FROM episode x WHERE x.podcast_id = p.id AND x.explicit = 0
          ORDER BY x.published_at DESC, x.id DESC LIMIT 1),
        p.last_episode_title) AS newest_title`

/** Columns about the episodes and files of a podcast `p` that the viewer may see. */
export const visibleCounts = ({ explicit_consent }: Pick<Viewer, 'explicit_consent'>) =>
  explicit_consent ? wholeCounts : countsWithoutExplicit

/** The number of finished episodes of a podcast `p` that are hidden from the viewer, who is `$userId`. */
export const hiddenFinished = ({ explicit_consent }: Viewer) =>
  // CROSS JOIN: the few explicit episodes first, not all that the user has ever played.
  explicit_consent
    ? '0'
    : `(SELECT count(*) FROM episode x CROSS JOIN playback y ON y.user_id = $userId AND y.episode_id = x.id
         WHERE x.podcast_id = p.id AND x.explicit = 1 AND y.finished = 1)`

/** The number of episodes of a podcast `p` that are new to the viewer, who is `$userId`. */
export const newCount = ({ explicit_consent }: Viewer) =>
  `(SELECT count(*) FROM new_episode w ${explicit_consent ? '' : 'CROSS JOIN episode x ON x.id = w.episode_id AND x.explicit = 0'}
     WHERE w.user_id = $userId AND w.podcast_id = p.id AND w.played = 0)`

/** The date of the newest episode of `podcast p` that the viewer may see. */
export const visibleLatest = ({ explicit_consent }: Viewer) =>
  explicit_consent ? 'p.last_episode_at' : lastWithoutExplicit

/** Selects `ListedPodcast`; needs `$userId`. */
export const selectListed = (viewer: Viewer) => selectForUser(viewer, listed.map(name => `p.${name}`).join(', '))
/** Selects `BriefPodcast`; needs `$userId`. */
export const selectBrief = (viewer: Viewer) => selectForUser(viewer, brief.map(name => `p.${name}`).join(', '))

/** Selects `PodcastForUser`; needs `$userId`. */
function selectForUser(viewer: Viewer, own = 'p.*', from = 'podcast p'): string {
  return `SELECT ${own}, ${sharedColumns(viewer)},
    f.podcast_id IS NOT NULL AS favourite,
    iif(EXISTS (SELECT 1 FROM podcast_tag pt WHERE pt.podcast_id = p.id),
      (SELECT json_group_array(json_object('uuid', g.uuid, 'name', g.name, 'color', g.color, 'user', u.uuid,
                                        'description', g.description, 'created_at', g.created_at) ORDER BY g.name_key)
       FROM podcast_tag pt JOIN tag g ON g.id = pt.tag_id JOIN user u ON u.id = g.user_id
      WHERE pt.podcast_id = p.id AND g.user_id = $userId), '[]') AS tags,
    coalesce(l.finished, 0) - ${hiddenFinished(viewer)} AS finished_count,
    ${newCount(viewer)} AS new_count,
    (SELECT max(at) FROM (SELECT max(updated_at) AS at FROM playback y
                           WHERE y.user_id = $userId AND y.podcast_id = p.id AND y.finished = 0
                           UNION ALL
                          SELECT max(updated_at) FROM playback y
                           WHERE y.user_id = $userId AND y.podcast_id = p.id AND y.finished = 1)) AS played_at
     FROM ${from} ${sharedJoins}
     LEFT JOIN favourite f ON f.user_id = $userId AND f.podcast_id = p.id
     LEFT JOIN listening l ON l.user_id = $userId AND l.podcast_id = p.id`
}

const findWhere = (db: Database, condition: string, value: string | number) =>
  db.query<PodcastRow, [string | number]>(`${selectShared(seesEverything)} WHERE ${condition}`).get(value)

export const findPodcast = (db: Database, id: number) => findWhere(db, 'p.id = ?', id)

/** Finds single podcasts. */
export function podcastLookups(db: Database) {
  const findVisible = (viewer: Viewer, uuid: string) => findWhere(db, `p.uuid = ? AND ${visiblePodcast(viewer)}`, uuid)
  const findFor = (viewer: Viewer, uuid: string) =>
    db
      .query<PodcastForUser, { userId: number; uuid: string }>(
        `${selectForUser(viewer)} WHERE p.uuid = $uuid AND ${visiblePodcast(viewer)}`,
      )
      .get({ userId: viewer.id, uuid })
  const findOfEpisodeFor = (viewer: Viewer, uuid: string) =>
    db
      .query<PodcastForUser, { userId: number; uuid: string }>(
        `${selectForUser(viewer, 'p.*', 'podcast p JOIN episode e ON e.podcast_id = p.id')}
          WHERE e.id = (SELECT id FROM episode WHERE uuid = $uuid OR eid = $uuid) AND ${visibleEpisode(viewer)}`,
      )
      .get({ userId: viewer.id, uuid })

  return {
    find: (id: number) => findPodcast(db, id),
    findVisible,
    findFor,
    findOfEpisodeFor,
    /** A podcast that the viewer may see. Throws `podcast-not-found`. */
    require: (viewer: Viewer, uuid: string): PodcastRow => required(findVisible(viewer, uuid), 'podcast'),
    /** The same, with the viewer's tags and favourites. */
    requireFor: (viewer: Viewer, uuid: string): PodcastForUser => required(findFor(viewer, uuid), 'podcast'),
    /** The podcast of an episode, by either of the episode's identifiers. Throws `episode-not-found`. */
    requireOfEpisodeFor: (viewer: Viewer, uuid: string): PodcastForUser =>
      required(findOfEpisodeFor(viewer, uuid), 'episode'),
    /** A podcast with the counts for everybody who may see as much as the viewer; null = hidden from them. */
    findShared: (viewer: Viewer, id: number) =>
      db.query<PodcastRow, [number]>(`${selectShared(viewer)} WHERE p.id = ? AND ${visiblePodcast(viewer)}`).get(id),
    /** The podcast with this feed address, now or earlier. */
    findByFeed: (url: string) =>
      findWhere(db, 'p.feed_url = ?', url) ??
      findWhere(db, 'p.id = (SELECT podcast_id FROM feed_alias WHERE url = ?)', url),
    findByGuid: (guid: string) => findWhere(db, 'p.guid = ?', guid),
  }
}
