import type { Database } from 'bun:sqlite'
import { hiddenFinished, type PodcastRow, visibleCounts } from './podcasts'
import type { EpisodeColumns } from './episodes'
import { type Viewer, visibleEpisode, visiblePodcast } from './visibility'
import { hasFeed } from './feeds'
import { notHidden } from './playback'
import { sortByTitle } from './podcast-settings'

/** A podcast as other programs list it; `tags`: names of the viewer's tags, as JSON. */
export type CataloguePodcast = Pick<
  PodcastRow,
  | 'id'
  | 'uuid'
  | 'title'
  | 'folder'
  | 'author'
  | 'summary'
  | 'language'
  | 'explicit'
  | 'serial'
  | 'image_url'
  | 'feed_url'
  | 'has_credentials'
  | 'added_at'
  | 'checked_at'
  | 'visible_count'
  | 'visible_last_at'
  | 'visible_files'
  | 'visible_bytes'
> & {
  /** Lists of names as JSON, from the widest category to the narrowest; null = none. */
  categories: string | null
  tags: string
  /** When the cover was fetched; null = not yet. */
  cover_at: number | null
  finished_count: number
}

/** An episode as other programs list it, without what a user did with it. */
export type CatalogueEpisode = Pick<
  EpisodeColumns,
  | 'id'
  | 'uuid'
  | 'podcast_id'
  | 'guid'
  | 'title'
  | 'notes'
  | 'enclosure_url'
  | 'enclosure_type'
  | 'enclosure_size'
  | 'published_at'
  | 'dated'
  | 'first_seen_at'
  | 'duration'
  | 'season'
  | 'number'
  | 'type'
  | 'has_own_chapters'
  | 'file_size'
  | 'file_type'
  | 'downloaded_at'
>

type EpisodePage = {
  /** The last episode of the page before. */
  after?: Pick<CatalogueEpisode, 'published_at' | 'id'> | undefined
  limit: number
  withNotes: boolean
}

/** The characters of the notes that a short line about an episode is made from. */
const BEGINNING = 400

/** Podcasts and episodes with the columns that other programs show. */
export const catalogueStore = (db: Database) => ({
  /** The row of a podcast, for any viewer; null = there is none. */
  podcastId: (uuid: string) =>
    db.query<{ id: number }, [string]>('SELECT id FROM podcast WHERE uuid = ?').get(uuid)?.id ?? null,
  /** The rows of those of these podcasts that exist, in their order, for any viewer. */
  podcastIds: (uuids: readonly string[]) =>
    db
      .query<{ id: number }, [string]>(
        'SELECT p.id FROM json_each(?) wanted JOIN podcast p ON p.uuid = wanted.value ORDER BY wanted.key',
      )
      .all(JSON.stringify([...new Set(uuids)]))
      .map(row => row.id),
  /** The source of a podcast's cover, for any viewer; null = there is no such podcast. */
  coverOf: (uuid: string) =>
    db
      .query<{ id: number; url: string | null }, [string]>('SELECT id, image_url AS url FROM podcast WHERE uuid = ?')
      .get(uuid),
  /** The rows of an episode and its podcast, for any viewer; null = there is none. */
  episodeIds: (uuid: string) =>
    db
      .query<{ id: number; podcast_id: number }, [string]>(
        'SELECT e.id, e.podcast_id FROM episode e JOIN podcast p ON p.id = e.podcast_id WHERE e.uuid = ?',
      )
      .get(uuid),
  /** Podcasts by their rows, in that order, without those that the viewer may not see. */
  podcasts(viewer: Viewer, ids: readonly number[]): CataloguePodcast[] {
    const rows = db
      .query<CataloguePodcast, { userId: number; ids: string }>(selectPodcasts(viewer))
      .all({ userId: viewer.id, ids: JSON.stringify(ids) })
    return inOrder(ids, rows)
  },
  /** Episodes of a podcast, the newest first. */
  episodesOf: (viewer: Viewer, podcastId: number, { after, limit, withNotes }: EpisodePage): CatalogueEpisode[] =>
    db
      .query<CatalogueEpisode, Record<string, number>>(
        `${selectEpisodes(withNotes)}
          WHERE e.podcast_id = $podcastId AND ${visibleTogether(viewer)}
            ${after ? 'AND (e.published_at, e.id) < ($afterDate, $afterId)' : ''}
          ORDER BY e.published_at DESC, e.id DESC LIMIT $limit`,
      )
      .all({ podcastId, limit, ...(after && { afterDate: after.published_at, afterId: after.id }) }),
  /** Episodes by their rows, in that order, without those that the viewer may not see. */
  episodes(viewer: Viewer, ids: readonly number[], withNotes: boolean): CatalogueEpisode[] {
    const rows = db
      .query<CatalogueEpisode, { ids: string }>(
        `${selectEpisodes(withNotes)} JOIN podcast p ON p.id = e.podcast_id
          WHERE e.id IN (SELECT value FROM json_each($ids)) AND ${visibleEpisode(viewer)}`,
      )
      .all({ ids: JSON.stringify(ids) })
    return inOrder(ids, rows)
  },
})

const selectPodcasts = (viewer: Viewer) => `
  SELECT p.id, p.uuid, p.title, p.folder, p.author, p.summary, p.language, p.explicit, p.serial, p.image_url,
         p.feed_url, p.added_at, p.checked_at, p.extras ->> '$.categories' AS categories,
         ${visibleCounts(viewer)}, k.podcast_id IS NOT NULL AS has_credentials, c.fetched_at AS cover_at,
         coalesce(l.finished, 0) - ${hiddenFinished(viewer)} AS finished_count,
         iif(EXISTS (SELECT 1 FROM podcast_tag pt WHERE pt.podcast_id = p.id),
           (SELECT json_group_array(g.name ORDER BY g.name_key) FROM podcast_tag pt JOIN tag g ON g.id = pt.tag_id
             WHERE pt.podcast_id = p.id AND g.user_id = $userId), '[]') AS tags
    FROM podcast p
    LEFT JOIN cover c ON c.podcast_id = p.id AND c.url = p.image_url
    LEFT JOIN feed_credential k ON k.podcast_id = p.id
    LEFT JOIN listening l ON l.user_id = $userId AND l.podcast_id = p.id
   WHERE p.id IN (SELECT value FROM json_each($ids)) AND ${visiblePodcast(viewer)}`

/** Condition on the episodes `e` of the podcast `$podcastId`, which is looked up once and not joined with each. */
const visibleTogether = ({ explicit_consent }: Viewer) =>
  explicit_consent ? '1' : 'e.explicit = 0 AND (SELECT explicit FROM podcast WHERE id = $podcastId) = 0'

const selectEpisodes = (withNotes: boolean) => `
  SELECT e.id, e.uuid, e.podcast_id, e.guid, e.title,
         ${withNotes ? 'e.notes' : `substr(e.notes, 1, ${BEGINNING}) AS notes`},
         e.enclosure_url, e.enclosure_type, e.enclosure_size, e.published_at, e.dated, e.first_seen_at, e.duration,
         e.season, e.number, e.type, e.has_own_chapters, e.file_size, e.file_type, e.downloaded_at
    FROM episode e`

function inOrder<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** Orders of a catalogue, and the column that each is sorted by. */
const columns = {
  added: 'p.added_at',
  changed: 'coalesce(p.last_episode_at, p.added_at)',
  episodes: 'p.episode_count',
  size: 'p.file_bytes',
  title: 'p.title',
  author: "coalesce(p.author, '')",
} as const
export type CatalogueOrder = keyof typeof columns

type Search = {
  by: CatalogueOrder | null
  descending: boolean
  /** Only podcasts with this tag of the viewer, by its name. */
  tag?: string | undefined
  language?: string | undefined
  explicitOnly?: boolean | undefined
}

export type CatalogueEntry = { id: number; categories: string | null }
/** An episode by its row, and when its position changed last. */
export type PlayedEntry = { id: number; at: number }
/** Names that podcasts are grouped by: a language, and categories as JSON. */
type CatalogueFacts = { language: string | null; categories: string | null }

/** Number of recently played episodes that are searched for finished ones. */
const MAX_PLAYED = 1000

/** The podcasts of a catalogue in an order, and the names that group them. */
export const catalogueLists = (db: Database) => ({
  /** Podcasts by their rows, in an order; without one, by their age. */
  order(viewer: Viewer, { by, descending, tag, language, explicitOnly }: Search): CatalogueEntry[] {
    const rows = db
      .query<CatalogueEntry & { title: string | number }, Record<string, string | number>>(
        `SELECT p.id, ${by ? columns[by] : 'p.id'} AS title, p.extras ->> '$.categories' AS categories
           FROM podcast p WHERE ${visiblePodcast(viewer)}
            ${explicitOnly ? 'AND p.explicit = 1' : ''}
            ${language === undefined ? '' : 'AND p.language = $language'}
            ${
              tag === undefined
                ? ''
                : `AND p.id IN (SELECT t.podcast_id FROM podcast_tag t JOIN tag g ON g.id = t.tag_id
                                 WHERE g.user_id = $userId AND g.name = $tag)`
            }`,
      )
      .all({ ...(language !== undefined && { language }), ...(tag !== undefined && { tag, userId: viewer.id }) })
    const sorted =
      by === 'title' || by === 'author' ? sortByTitle(rows as Named[]) : (rows as Numbered[]).sort(byNumber)
    return descending ? sorted.reverse() : sorted
  },
  facts: (viewer: Viewer) =>
    db
      .query<CatalogueFacts, []>(
        `SELECT p.language, p.extras ->> '$.categories' AS categories FROM podcast p WHERE ${visiblePodcast(viewer)}`,
      )
      .all(),
  /** Widest names of categories, and the podcasts of each, as JSON; the category of most podcasts first. */
  categories: (viewer: Viewer) =>
    db
      .query<{ name: string; podcasts: string }, []>(
        `SELECT c.value ->> 0 AS name, json_group_array(DISTINCT p.uuid) AS podcasts
           FROM podcast p, json_each(p.extras, '$.categories') c
          WHERE ${visiblePodcast(viewer)} GROUP BY 1 ORDER BY count(DISTINCT p.id) DESC, 1`,
      )
      .all(),
  /** Names of the viewer's tags, and the number of podcasts that have each. */
  tags: (viewer: Viewer) =>
    db
      .query<{ name: string; podcasts: number }, [number]>(
        `SELECT g.name, (SELECT count(*) FROM podcast_tag t JOIN podcast p ON p.id = t.podcast_id
                          WHERE t.tag_id = g.id AND ${visiblePodcast(viewer)}) AS podcasts
           FROM tag g WHERE g.user_id = ? ORDER BY g.name_key`,
      )
      .all(viewer.id),
  titles: (viewer: Viewer) =>
    db
      .query<{ uuid: string; title: string }, []>(
        `SELECT p.uuid, p.title FROM podcast p WHERE ${visiblePodcast(viewer)}`,
      )
      .all(),
  /** Podcasts whose feeds anyone with their address can read. */
  publicFeeds: (viewer: Viewer) =>
    db
      .query<{ title: string; feed_url: string }, []>(
        `SELECT p.title, p.feed_url FROM podcast p LEFT JOIN feed_credential k ON k.podcast_id = p.id
          WHERE k.podcast_id IS NULL AND ${hasFeed('p')} AND ${visiblePodcast(viewer)} ORDER BY p.title`,
      )
      .all(),
  /** Counts, and the bytes and seconds of the files that are here. */
  totals: (viewer: Viewer) =>
    db
      .query<{ podcasts: number; files: number; bytes: number; seconds: number }, []>(
        `SELECT count(*) AS podcasts, coalesce(sum(visible_files), 0) AS files,
                coalesce(sum(visible_bytes), 0) AS bytes,
                (SELECT coalesce(sum(e.duration), 0) FROM episode e INDEXED BY episode_downloaded
                   JOIN podcast p ON p.id = e.podcast_id
                  WHERE e.file_path IS NOT NULL AND ${visibleEpisode(viewer)}) AS seconds
           FROM (SELECT ${visibleCounts(viewer)} FROM podcast p WHERE ${visiblePodcast(viewer)})`,
      )
      .get()!,
  /** Episodes that the viewer has begun and not hidden from Continue listening, the latest first. */
  begun: (viewer: Viewer, limit: number) =>
    db
      .query<PlayedEntry, { userId: number; limit: number }>(
        `SELECT h.episode_id AS id, h.updated_at AS at
           FROM playback h CROSS JOIN episode e ON e.id = h.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE h.user_id = $userId AND h.played = 1 AND h.finished = 0 AND ${notHidden} AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at DESC, h.episode_id DESC LIMIT $limit`,
      )
      .all({ userId: viewer.id, limit }),
  /** Episodes that the viewer has finished, the latest first: those among the last thousand that were played. */
  finished: (viewer: Viewer, limit: number) =>
    db
      .query<PlayedEntry, [number, number]>(
        `SELECT h.episode_id AS id, h.updated_at AS at
           FROM (SELECT episode_id, updated_at, finished FROM playback WHERE user_id = ? AND played = 1
                  ORDER BY updated_at DESC, episode_id DESC LIMIT ${MAX_PLAYED}) h
          CROSS JOIN episode e ON e.id = h.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE h.finished = 1 AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at DESC, h.episode_id DESC LIMIT ?`,
      )
      .all(viewer.id, limit),
})

type Named = CatalogueEntry & { title: string }
type Numbered = CatalogueEntry & { title: number }
const byNumber = (a: Numbered, b: Numbered) => a.title - b.title || a.id - b.id
