import type { Database } from 'bun:sqlite'
import { hiddenFinished, visibleCounts, type PodcastRow } from './podcasts'
import type { EpisodeColumns } from './episodes'
import { visibleEpisode, visiblePodcast, type Viewer } from './visibility'

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

/** Characters that a line about an episode is made of, where its notes are not wanted. */
const BEGINNING = 400

/** Podcasts and episodes with the columns that programs of others show. */
export const catalogueStore = (db: Database) => ({
  /** The row of a podcast, for any viewer; null = there is none. */
  podcastId: (uuid: string) =>
    db.query<{ id: number }, [string]>('SELECT id FROM podcast WHERE uuid = ?').get(uuid)?.id ?? null,
  /** The rows of those among these podcasts that there are, in their order, for any viewer. */
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

/** Condition on the episodes `e` of the podcast `$podcastId`, which is looked at once and not joined with each. */
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
