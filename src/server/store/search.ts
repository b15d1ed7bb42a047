import type { Database } from 'bun:sqlite'
import { episodeForUser, type EpisodeForUser } from './episodes'
import { visibleEpisode, type Viewer } from './visibility'

const ID_BITS = 26
const ID_MASK = 2 ** ID_BITS - 1

/** The place of an episode in the index: in order of publication, and with the id in it. */
export const searchPlace = (publishedAt: number, id: number) =>
  Math.max(0, Math.floor(publishedAt / 60_000)) * 2 ** ID_BITS + (id & ID_MASK)

export type SearchFilter = {
  podcastId?: number | undefined
  downloaded?: boolean
  unplayed?: boolean
  /** Milliseconds; both ends included. */
  from?: number | undefined
  to?: number | undefined
  /** Only places before this one. */
  before?: number | undefined
}

export type FoundEpisode = EpisodeForUser & { search_place: number; podcast_title: string }
export type UnindexedEpisode = {
  id: number
  title: string
  notes: string
  published_at: number
  has_own_chapters: number
  has_transcript: number
}

export function searchStore(db: Database) {
  return {
    /** Newest first. `index` is one of ours, `match` a query in the language of FTS5. */
    find(
      viewer: Viewer,
      index: 'title_index' | 'text_index',
      match: string,
      { podcastId, downloaded, unplayed, from, to, before }: SearchFilter,
      limit: number,
    ): FoundEpisode[] {
      const conditions = [
        `${index} MATCH $match`,
        visibleEpisode(viewer),
        podcastId !== undefined && 'e.podcast_id = $podcastId',
        downloaded && 'e.file_path IS NOT NULL',
        unplayed && 'coalesce(h.finished, 0) = 0',
        from !== undefined && 'i.rowid >= $from',
        to !== undefined && 'i.rowid <= $to',
        before !== undefined && 'i.rowid < $before',
      ].filter(Boolean)
      const sql = `${episodeForUser
        .replace('SELECT e.*', 'SELECT p.title AS podcast_title, e.*')
        .replace('FROM episode e', `FROM ${index} i CROSS JOIN episode e ON e.id = i.rowid & ${ID_MASK}`)}
        WHERE ${conditions.join(' AND ')} ORDER BY i.rowid DESC LIMIT $limit`
      return db.query<FoundEpisode, Record<string, string | number>>(sql).all({
        userId: viewer.id,
        match,
        limit,
        ...(podcastId !== undefined && { podcastId }),
        ...(from !== undefined && { from: searchPlace(from, 0) }),
        ...(to !== undefined && { to: searchPlace(to, ID_MASK) }),
        ...(before !== undefined && { before }),
      })
    },

    /** Whether there are episodes that the index lacks. */
    isBehind: () => db.query('SELECT 1 FROM episode WHERE search_place IS NULL LIMIT 1').get() !== null,
    /** One at a time: the notes of each may be a megabyte. */
    findUnindexed: () =>
      db
        .query<UnindexedEpisode, []>(
          `SELECT id, title, notes, published_at, has_own_chapters, transcripts IS NOT NULL AS has_transcript
             FROM episode WHERE search_place IS NULL LIMIT 1`,
        )
        .get(),
    /** Out of the index, to be put in anew: there is more to find in it than before. */
    drop(id: number) {
      const place = db
        .query<{ search_place: number | null }, [number]>('SELECT search_place FROM episode WHERE id = ?')
        .get(id)?.search_place
      if (place === null || place === undefined) return
      db.query('DELETE FROM title_index WHERE rowid = ?').run(place)
      db.query('DELETE FROM text_index WHERE rowid = ?').run(place)
      db.query('UPDATE episode SET search_place = NULL WHERE id = ?').run(id)
    },
    put(id: number, place: number, texts: { title: string; notes: string; chapters: string; transcript: string }) {
      db.query('INSERT INTO title_index (rowid, title) VALUES (?, ?)').run(place, texts.title)
      db.query('INSERT INTO text_index (rowid, title, notes, chapters, transcript) VALUES (?, ?, ?, ?, ?)').run(
        place,
        texts.title,
        texts.notes,
        texts.chapters,
        texts.transcript,
      )
      db.query('UPDATE episode SET search_place = ? WHERE id = ?').run(place, id)
    },
  }
}
