import type { Database } from 'bun:sqlite'
import { hasFeed } from './folder-feeds'
import { notHidden } from './playback-hidden'
import { sortByTitle } from './titles'
import { visibleCounts } from './podcasts'
import { visibleEpisode, visiblePodcast, type Viewer } from './visibility'

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
export type CatalogueFacts = { language: string | null; categories: string | null }

/** So many of the episodes played last are searched for finished ones. */
const MOST_PLAYED = 1000

/** The podcasts of a catalogue in an order, and what they have in common. */
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
  /** Podcasts whose feeds everybody can read who has their address. */
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
  /** Episodes that the viewer has begun and did not remove from what is to be continued, the latest first. */
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
                  ORDER BY updated_at DESC, episode_id DESC LIMIT ${MOST_PLAYED}) h
          CROSS JOIN episode e ON e.id = h.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
          WHERE h.finished = 1 AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at DESC, h.episode_id DESC LIMIT ?`,
      )
      .all(viewer.id, limit),
})

type Named = CatalogueEntry & { title: string }
type Numbered = CatalogueEntry & { title: number }
const byNumber = (a: Numbered, b: Numbered) => a.title - b.title || a.id - b.id
