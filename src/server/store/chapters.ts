import type { Database } from 'bun:sqlite'
import { required } from './required'
import { visibleEpisode, type Viewer } from './visibility'

export type ChapterSource = 'document' | 'feed' | 'file' | 'notes'

const bestFirst: readonly ChapterSource[] = ['document', 'feed', 'file', 'notes']

/** A chapter in its source; milliseconds. */
export type ChapterFacts = {
  startMs: number
  endMs: number | null
  title: string
  href: string | null
  imageUrl: string | null
}

export type ChapterRow = {
  id: number
  uuid: string
  episode_id: number
  source: ChapterSource
  start_ms: number
  end_ms: number | null
  title: string
  href: string | null
  image_url: string | null
}

/** Chapters of episodes, from several sources. */
export const chapterStore = (db: Database) => ({
  /** Chapters of the best source that has any, in order. */
  of(episodeId: number): ChapterRow[] {
    for (const source of bestFirst) {
      const found = this.listFrom(episodeId, source)
      if (found.length > 0) return found
    }
    return []
  },
  /** The same for several episodes, by their rows. */
  bestOf(episodeIds: readonly number[]): Map<number, ChapterRow[]> {
    if (episodeIds.length === 0) return new Map()
    const rows = db
      .query<ChapterRow, [string]>(
        'SELECT * FROM chapter WHERE episode_id IN (SELECT value FROM json_each(?)) ORDER BY episode_id, source, start_ms',
      )
      .all(JSON.stringify(episodeIds))
    const best = new Map<number, ChapterRow[]>()
    for (const [id, all] of Map.groupBy(rows, row => row.episode_id)) {
      const source = bestFirst.find(name => all.some(row => row.source === name))
      best.set(
        id,
        all.filter(row => row.source === source),
      )
    }
    return best
  },
  find: (uuid: string) => db.query<ChapterRow, [string]>('SELECT * FROM chapter WHERE uuid = ?').get(uuid),
  /** A chapter of an episode that the viewer may see. Throws `episode-not-found`. */
  require: (viewer: Viewer, uuid: string): ChapterRow =>
    required(
      db
        .query<ChapterRow, [string]>(
          `SELECT c.* FROM chapter c JOIN episode e ON e.id = c.episode_id JOIN podcast p ON p.id = e.podcast_id
            WHERE c.uuid = ? AND ${visibleEpisode(viewer)}`,
        )
        .get(uuid),
      'episode',
    ),

  /** Chapters of one source, in order. */
  listFrom: (episodeId: number, source: ChapterSource) =>
    db
      .query<ChapterRow, [number, string]>(
        'SELECT * FROM chapter WHERE episode_id = ? AND source = ? ORDER BY start_ms',
      )
      .all(episodeId, source),

  /** Replaces the chapters from one source by rows that were here before. */
  putBack(episodeId: number, source: ChapterSource, rows: readonly ChapterRow[]) {
    this.replace(episodeId, source, [])
    const insert = db.query<null, ChapterRow>(
      `INSERT INTO chapter (id, uuid, episode_id, source, start_ms, end_ms, title, href, image_url)
       VALUES (iif(EXISTS (SELECT 1 FROM chapter WHERE id = $id), NULL, $id), $uuid, $episode_id, $source, $start_ms,
               $end_ms, $title, $href, $image_url)`,
    )
    for (const row of rows) insert.run(row)
    if (rows.length > 0) db.query('UPDATE episode SET has_own_chapters = 1 WHERE id = ?').run(episodeId)
  },

  /** Replaces the chapters from one source. */
  replace(episodeId: number, source: ChapterSource, chapters: readonly ChapterFacts[]) {
    db.query('DELETE FROM chapter WHERE episode_id = ? AND source = ?').run(episodeId, source)
    const insert = db.query<null, Record<string, string | number | null>>(
      `INSERT INTO chapter (uuid, episode_id, source, start_ms, end_ms, title, href, image_url)
       VALUES ($uuid, $episodeId, $source, $startMs, $endMs, $title, $href, $imageUrl)`,
    )
    for (const chapter of chapters) insert.run({ uuid: crypto.randomUUID(), episodeId, source, ...chapter })
    db.query(
      'UPDATE episode SET has_own_chapters = EXISTS (SELECT 1 FROM chapter WHERE episode_id = ?1) WHERE id = ?1',
    ).run(episodeId)
  },
})
