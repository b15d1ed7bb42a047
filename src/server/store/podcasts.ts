import type { Database } from 'bun:sqlite'
import type { Filter, FilterEdit } from '../../shared/api/podcast'
import { required } from './required'
import { folded, foldedTitle, sortByTitle } from './titles'
import { seesEverything, visibleEpisode, visiblePodcast, type Viewer } from './visibility'

export type PodcastRow = {
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
  /** How far its feed may reach: 0 = public addresses, 1 = its own private one, 2 = where ALLOWED_NETWORKS has it. */
  private: number
  /** Announced new address of the feed, as long as nothing was found there. */
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
  error_code: string | null
  error_message: string | null
  error_since: number | null
  warnings: number
  /** Items of the last body, and how many of them hold nothing to play. */
  feed_items: number
  feed_unplayable: number
  episode_count: number
  last_episode_at: number | null
  /** Joined: the digest of the cover that we keep, and whether the feed needs a password. */
  cover: string | null
  has_credentials: number
  /** Without what is hidden from whoever looks. */
  visible_count: number
  visible_last_at: number | null
}

/** A podcast as one user sees it. */
export type PodcastForUser = PodcastRow & {
  favourite: number
  finished_count: number
  /** JSON of the user's tags of it, by name. */
  tags: string
}

/** What a feed says of itself, ready to be stored. */
export type PodcastFacts = Pick<
  PodcastRow,
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
>

/** What a check of a feed leaves behind. */
export type CheckOutcome = {
  checkedAt: number
  nextCheckAt: number
  intervalMs: number | null
  failures: number
  error: { code: string; message: string } | null
  warnings: boolean
  gone: boolean
}

export type Validators = { etag: string | null; lastModified: string | null; digest: string | null }

/** A podcast with what goes to several people alike. Counts and dates leave out what is hidden from the viewer. */
function sharedColumns({ explicit_consent }: Pick<Viewer, 'explicit_consent'>): string {
  const counts = explicit_consent
    ? 'p.episode_count AS visible_count, p.last_episode_at AS visible_last_at'
    : `p.episode_count - (SELECT count(*) FROM episode x WHERE x.podcast_id = p.id AND x.explicit = 1) AS visible_count,
       iif(EXISTS (SELECT 1 FROM episode x WHERE x.podcast_id = p.id AND x.explicit = 1),
           (SELECT x.published_at FROM episode x WHERE x.podcast_id = p.id AND x.explicit = 0
             ORDER BY x.published_at DESC LIMIT 1),
           p.last_episode_at) AS visible_last_at`
  return `p.*, ${counts},
    (SELECT digest FROM cover c WHERE c.podcast_id = p.id AND c.url = p.image_url) AS cover,
    EXISTS (SELECT 1 FROM feed_credential WHERE podcast_id = p.id) AS has_credentials`
}

/** A podcast as one user sees it. */
export function podcastForUser(viewer: Viewer): string {
  const hiddenFinished = viewer.explicit_consent
    ? '0'
    : `(SELECT count(*) FROM episode x JOIN playback y ON y.user_id = $userId AND y.episode_id = x.id
         WHERE x.podcast_id = p.id AND x.explicit = 1 AND y.finished = 1)`
  return `${sharedColumns(viewer)},
    EXISTS (SELECT 1 FROM favourite f WHERE f.user_id = $userId AND f.podcast_id = p.id) AS favourite,
    (SELECT json_group_array(json_object('uuid', g.uuid, 'name', g.name, 'color', g.color, 'user', u.uuid,
                                        'description', g.description, 'created_at', g.created_at) ORDER BY g.name_key)
       FROM podcast_tag pt JOIN tag g ON g.id = pt.tag_id JOIN user u ON u.id = g.user_id
      WHERE pt.podcast_id = p.id AND g.user_id = $userId) AS tags,
    coalesce((SELECT finished FROM listening l WHERE l.user_id = $userId AND l.podcast_id = p.id), 0)
      - ${hiddenFinished} AS finished_count`
}

export type PodcastSearch = {
  title?: string | undefined
  favouritesOnly?: boolean
  /** Only podcasts with this tag, by its row. */
  tagId?: number | undefined
  order?: 'ASC' | 'DESC'
  by?: 'TITLE' | 'PUBLISHEDDATE'
}

export function podcastStore(db: Database) {
  const find = (where: string) =>
    db.query<PodcastRow, [string | number]>(`SELECT ${sharedColumns(seesEverything)} FROM podcast p ${where}`)

  function listFor(
    viewer: Viewer,
    { title, favouritesOnly, tagId, order = 'ASC', by = 'TITLE' }: PodcastSearch = {},
  ): PodcastForUser[] {
    const wanted = title ? folded(title) : ''
    const rows = db
      .query<PodcastForUser, Record<string, number>>(
        `SELECT ${podcastForUser(viewer)} FROM podcast p ${tagId === undefined ? '' : 'JOIN podcast_tag t ON t.podcast_id = p.id AND t.tag_id = $tagId'}
          WHERE ${visiblePodcast(viewer)}`,
      )
      .all({ userId: viewer.id, ...(tagId !== undefined && { tagId }) })
      .filter(row => (!favouritesOnly || row.favourite === 1) && (!wanted || foldedTitle(row.title).includes(wanted)))
    const sorted =
      by === 'TITLE'
        ? sortByTitle(rows)
        : rows.sort((a, b) => (a.visible_last_at ?? 0) - (b.visible_last_at ?? 0) || a.id - b.id)
    return order === 'DESC' ? sorted.reverse() : sorted
  }

  const findFor = (viewer: Viewer, uuid: string) =>
    db
      .query<PodcastForUser, { userId: number; uuid: string }>(
        `SELECT ${podcastForUser(viewer)} FROM podcast p WHERE p.uuid = $uuid AND ${visiblePodcast(viewer)}`,
      )
      .get({ userId: viewer.id, uuid })

  const findVisible = (viewer: Viewer, uuid: string) => find(`WHERE p.uuid = ? AND ${visiblePodcast(viewer)}`).get(uuid)
  const findOfEpisodeFor = (viewer: Viewer, uuid: string) =>
    db
      .query<PodcastForUser, { userId: number; uuid: string }>(
        `SELECT ${podcastForUser(viewer)} FROM podcast p
           JOIN episode e ON e.podcast_id = p.id
          WHERE e.id = (SELECT id FROM episode WHERE uuid = $uuid OR eid = $uuid) AND ${visibleEpisode(viewer)}`,
      )
      .get({ userId: viewer.id, uuid })

  return {
    listFor,
    findFor,
    findVisible,
    /** A podcast that the viewer may see. Throws `podcast-not-found`. */
    require: (viewer: Viewer, uuid: string): PodcastRow => required(findVisible(viewer, uuid), 'podcast'),
    /** The same with what the viewer did with it. */
    requireFor: (viewer: Viewer, uuid: string): PodcastForUser => required(findFor(viewer, uuid), 'podcast'),
    /** The podcast of an episode, by either of its identifiers. Throws `episode-not-found`. */
    requireOfEpisodeFor: (viewer: Viewer, uuid: string): PodcastForUser =>
      required(findOfEpisodeFor(viewer, uuid), 'episode'),
    /** Several at once, by their uuid. */
    mapFor: (viewer: Viewer, uuids: readonly string[]): ReadonlyMap<string, PodcastForUser> =>
      new Map(
        db
          .query<PodcastForUser, { userId: number; uuids: string }>(
            `SELECT ${podcastForUser(viewer)} FROM podcast p
              WHERE p.uuid IN (SELECT value FROM json_each($uuids)) AND ${visiblePodcast(viewer)}`,
          )
          .all({ userId: viewer.id, uuids: JSON.stringify(uuids) })
          .map(row => [row.uuid, row]),
      ),
    /** Those whose titles hold all the words, by title. Only the few that fit are read whole. */
    findByTitle(viewer: Viewer, words: readonly string[], limit: number): PodcastForUser[] {
      const wanted = words.map(folded)
      const fitting = sortByTitle(
        db
          .query<{ uuid: string; title: string }, []>(
            `SELECT uuid, title FROM podcast p WHERE ${visiblePodcast(viewer)}`,
          )
          .all()
          .filter(({ title }) => wanted.every(word => foldedTitle(title).includes(word))),
      ).slice(0, limit)
      const found = this.mapFor(
        viewer,
        fitting.map(({ uuid }) => uuid),
      )
      return fitting.flatMap(({ uuid }) => found.get(uuid) ?? [])
    },
    findOfEpisodeFor,
    find: (id: number) => find('WHERE p.id = ?').get(id),
    /** What all who see as much as the viewer are told of it; null where it is hidden from them. */
    findShared: (viewer: Viewer, id: number) =>
      db
        .query<PodcastRow, [number]>(
          `SELECT ${sharedColumns(viewer)} FROM podcast p WHERE p.id = ? AND ${visiblePodcast(viewer)}`,
        )
        .get(id),
    /** By its present address, or one that it had before. */
    findByFeed: (url: string) =>
      find('WHERE p.feed_url = ?').get(url) ??
      find('WHERE p.id = (SELECT podcast_id FROM feed_alias WHERE url = ?)').get(url),
    findByGuid: (guid: string) => find('WHERE p.guid = ?').get(guid),
    /** How many podcasts a user brought into the library. */
    countAddedBy: (userId: number) =>
      db.query<{ total: number }, [number]>('SELECT count(*) AS total FROM podcast WHERE added_by = ?').get(userId)!
        .total,
    allIds: () =>
      db
        .query<{ id: number }, []>('SELECT id FROM podcast WHERE active = 1')
        .all()
        .map(row => row.id),
    /** Podcasts with what their folders may be named after. */
    allWithFolders: () =>
      db
        .query<
          Pick<
            PodcastRow,
            'id' | 'title' | 'folder' | 'summary' | 'language' | 'explicit' | 'keywords' | 'built_at' | 'added_at'
          >,
          []
        >(
          `SELECT id, title, folder, summary, language, explicit, keywords, built_at, added_at FROM podcast ORDER BY id`,
        )
        .all(),
    /** Folders may be each other's from before: none is anybody's in between. */
    setFolders(folders: readonly { podcastId: number; folder: string }[]) {
      for (const { podcastId } of folders) db.query('UPDATE podcast SET folder = uuid WHERE id = ?').run(podcastId)
      for (const { podcastId, folder } of folders)
        db.query('UPDATE podcast SET folder = ? WHERE id = ?').run(folder, podcastId)
    },
    isFolderTaken: (folder: string) =>
      db.query<{ id: number }, [string]>('SELECT id FROM podcast WHERE folder = ? COLLATE NOCASE').get(folder) !== null,

    /** Ids of the feeds whose time has come, longest waiting first. */
    due: (now: number, autoUpdate: boolean, limit: number) =>
      db
        .query<{ id: number }, [number, number, number]>(
          `SELECT id FROM podcast p LEFT JOIN podcast_settings s ON s.podcast_id = p.id
            WHERE active = 1 AND gone = 0 AND next_check_at <= ? AND coalesce(s.auto_update, ?) = 1
            ORDER BY next_check_at LIMIT ?`,
        )
        .all(now, Number(autoUpdate), limit)
        .map(row => row.id),

    add(podcast: {
      title: string
      folder: string
      feedUrl: string
      privacy: number
      userId: number
      now: number
    }): PodcastRow {
      const uuid = crypto.randomUUID()
      db.query<null, Record<string, string | number>>(
        `INSERT INTO podcast (uuid, title, folder, feed_url, private, added_by, added_at, next_check_at)
         VALUES ($uuid, $title, $folder, $feedUrl, $privacy, $userId, $now, $now)`,
      ).run({ uuid, ...podcast })
      return find('WHERE p.uuid = ?').get(uuid)!
    },

    describe(id: number, title: string, facts: PodcastFacts) {
      db.query<null, Record<string, string | number | null>>(
        `UPDATE podcast
            SET title = iif(renamed, title, $title), author = $author, summary = $summary, language = $language,
                keywords = $keywords, link = $link, guid = $guid, medium = $medium, explicit = $explicit,
                serial = $serial, image_url = $image_url, extras = $extras, built_at = $built_at,
                feed_items = $feed_items, feed_unplayable = $feed_unplayable
          WHERE id = $id`,
      ).run({ id, title, ...facts })
    },

    /** Validators count for a conditional request only while they stem from a body that could be read. */
    keepValidators(id: number, { etag, lastModified, digest }: Validators, wholeAt: number) {
      db.query<null, Record<string, string | number | null>>(
        `UPDATE podcast
            SET etag = $etag, last_modified = $lastModified, body_digest = $digest, fetched_whole_at = $wholeAt
          WHERE id = $id`,
      ).run({ id, etag, lastModified, digest, wholeAt })
    },

    recordCheck(id: number, outcome: CheckOutcome) {
      db.query<null, Record<string, string | number | null>>(
        `UPDATE podcast
            SET checked_at = $checkedAt, next_check_at = $nextCheckAt, interval_ms = $intervalMs,
                failures = $failures, error_code = $code, error_message = $message,
                error_since = iif($code IS NULL, NULL, coalesce(error_since, $checkedAt)),
                warnings = $warnings, gone = $gone
          WHERE id = $id`,
      ).run({
        id,
        checkedAt: outcome.checkedAt,
        nextCheckAt: outcome.nextCheckAt,
        intervalMs: outcome.intervalMs,
        failures: outcome.failures,
        code: outcome.error?.code ?? null,
        message: outcome.error?.message ?? null,
        warnings: Number(outcome.warnings),
        gone: Number(outcome.gone),
      })
    },

    /** The feed has a new home; the old address stays known. */
    move(
      id: number,
      from: string,
      to: string,
      { privacy, keepsCredential }: { privacy: number; keepsCredential: boolean },
    ) {
      db.query('DELETE FROM feed_alias WHERE url = ?').run(to)
      db.query('INSERT OR REPLACE INTO feed_alias (url, podcast_id) VALUES (?, ?)').run(from, id)
      db.query('UPDATE podcast SET feed_url = ?, private = ?, announced_feed_url = NULL WHERE id = ?').run(
        to,
        privacy,
        id,
      )
      if (!keepsCredential) db.query('DELETE FROM feed_credential WHERE podcast_id = ?').run(id)
    },
    /** Remembers a new home that could not be reached yet; null = there is none. */
    announceMove(id: number, url: string | null) {
      db.query('UPDATE podcast SET announced_feed_url = ? WHERE id = ?').run(url, id)
    },
    addAlias(id: number, url: string) {
      db.query('INSERT OR IGNORE INTO feed_alias (url, podcast_id) VALUES (?, ?)').run(url, id)
    },

    rename(id: number, title: string) {
      db.query('UPDATE podcast SET title = ?, renamed = 1 WHERE id = ?').run(title, id)
    },
    /** Activating also clears a stop: the feed is tried again at once. */
    setActive(id: number, active: boolean, now: number) {
      db.query<null, Record<string, number>>(
        `UPDATE podcast
            SET active = $active, gone = iif($active, 0, gone), failures = iif($active, 0, failures),
                next_check_at = iif($active, $now, next_check_at)
          WHERE id = $id`,
      ).run({ id, active: Number(active), now })
    },
    remove(id: number) {
      db.query('DELETE FROM podcast WHERE id = ?').run(id)
    },

    findCredential: (id: number) =>
      db.query<{ sealed: Uint8Array }, [number]>('SELECT sealed FROM feed_credential WHERE podcast_id = ?').get(id)
        ?.sealed ?? null,
    removeCredential(id: number) {
      db.query('DELETE FROM feed_credential WHERE podcast_id = ?').run(id)
    },
    setCredential(id: number, sealed: Uint8Array) {
      db.query('INSERT OR REPLACE INTO feed_credential (podcast_id, sealed) VALUES (?, ?)').run(id, sealed)
    },

    favour(userId: number, podcastId: number, favoured: boolean, now: number) {
      if (favoured)
        db.query('INSERT OR IGNORE INTO favourite (user_id, podcast_id, created_at) VALUES (?, ?, ?)').run(
          userId,
          podcastId,
          now,
        )
      else db.query('DELETE FROM favourite WHERE user_id = ? AND podcast_id = ?').run(userId, podcastId)
    },

    findFilter(userId: number): Omit<Filter, 'user_id'> | null {
      const row = db
        .query<{ title: string | null; ascending: number; sort: Filter['filter']; only_favored: number }, [number]>(
          'SELECT title, ascending, sort, only_favored FROM list_filter WHERE user_id = ?',
        )
        .get(userId)
      return (
        row && {
          title: row.title,
          ascending: row.ascending === 1,
          filter: row.sort,
          only_favored: row.only_favored === 1,
        }
      )
    },
    setFilter(userId: number, { title = null, ascending, filter, only_favored }: FilterEdit) {
      db.query(
        `INSERT OR REPLACE INTO list_filter (user_id, title, ascending, sort, only_favored) VALUES (?, ?, ?, ?, ?)`,
      ).run(userId, title, Number(ascending), filter, Number(only_favored))
    },
  }
}
