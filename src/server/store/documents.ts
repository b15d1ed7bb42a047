import { required } from '../platform/problem'
import type { Database } from 'bun:sqlite'
import { type Viewer, visibleEpisode } from './visibility'

type DocumentKind = 'chapters' | 'transcript'

/** A row of the table without its packed contents; times in milliseconds. */
export type DocumentRow = {
  id: number
  uuid: string
  episode_id: number
  kind: DocumentKind
  place: number
  url: string
  type: string
  language: string | null
  state: 'pending' | 'parsed' | 'failed'
  error: string | null
  fetched_at: number | null
  failures: number
  due_at: number | null
  /** A program made it from the audio; no feed names it. */
  generated: number
  /** The model that wrote it; null = none, or unknown. */
  model: string | null
  /** The format, found by its content; null = not read yet. */
  format: string | null
  /** Why it failed, as `cause` or `cause:detail`, for the interface; `error` is the same in English. */
  cause: string | null
}

/** A document that a feed names for an episode. */
export type NamedDocument = { kind: DocumentKind; url: string; type: string; language: string | null }

/** A passage of a transcript. */
export type Segment = { startMs: number | null; endMs: number | null; speaker: string | null; text: string }

/** A document that was read: its text in UTF-8 and its segments, both packed by `packDocument`. */
export type FoundDocument = { body: Uint8Array; segments: Uint8Array | null; format: string }

/** A transcript that a program made from the audio; `body` has that type. */
export type GeneratedTranscript = {
  language: string | null
  type: 'text/vtt' | 'text/plain'
  body: Uint8Array
  segments: readonly Segment[]
  model: string | null
}

const select =
  'SELECT id, uuid, episode_id, kind, place, url, type, language, state, error, fetched_at, failures, due_at, ' +
  'generated, model, format, cause FROM document'

/** Finds chapter files and transcripts. */
export const documentLookups = (db: Database) => ({
  find: (uuid: string) => db.query<DocumentRow, [string]>(`${select} WHERE uuid = ?`).get(uuid),
  /** A transcript, fetched or not, of an episode that the viewer may see. Throws `transcript-not-found`. */
  requireTranscript: (viewer: Viewer, uuid: string): DocumentRow =>
    required(
      db
        .query<DocumentRow, [string]>(
          `${select}
            WHERE uuid = ? AND kind = 'transcript'
              AND EXISTS (SELECT 1 FROM episode e JOIN podcast p ON p.id = e.podcast_id
                           WHERE e.id = document.episode_id AND ${visibleEpisode(viewer)})`,
        )
        .get(uuid),
      'transcript',
    ),
  /** In the order of the feed. */
  of: (episodeId: number, kind: DocumentKind) =>
    db
      .query<DocumentRow, [number, string]>(`${select} WHERE episode_id = ? AND kind = ? ORDER BY place`)
      .all(episodeId, kind),
  /** Transcripts of several episodes, by episode id. */
  transcriptsOf(episodeIds: readonly number[]): Map<number, DocumentRow[]> {
    const rows = db
      .query<DocumentRow, [string]>(
        `${select}
          WHERE episode_id IN (SELECT value FROM json_each(?)) AND kind = 'transcript' ORDER BY place`,
      )
      .all(JSON.stringify(episodeIds))
    return Map.groupBy(rows, row => row.episode_id)
  },
  /** Whether any transcript can be searched. */
  hasTranscripts: () =>
    db
      .query(
        `SELECT 1 FROM document INDEXED BY document_transcript WHERE kind = 'transcript' AND state = 'parsed' LIMIT 1`,
      )
      .get() !== null,
  /** Documents that were read by a version that trusted their labels. */
  readByLabel: (limit: number) =>
    db
      .query<DocumentRow, [number]>(`${select} WHERE state = 'parsed' AND format IS NULL ORDER BY id LIMIT ?`)
      .all(limit),
  due: (now: number, limit: number) =>
    db.query<DocumentRow, [number, number]>(`${select} WHERE due_at <= ? ORDER BY due_at LIMIT ?`).all(now, limit),
  /** The document as it was fetched; null = it was not. */
  bodyOf: (id: number) => unpack(db, 'body', id),
  segmentsOf(id: number): Segment[] {
    const text = unpack(db, 'segments', id)
    return text ? (JSON.parse(Buffer.from(text).toString()) as Segment[]) : []
  },
})

function unpack(db: Database, column: 'body' | 'segments', id: number) {
  const row = db
    .query<{ packed: Uint8Array | null }, [number]>(`SELECT ${column} AS packed FROM document WHERE id = ?`)
    .get(id)
  return row?.packed ? Bun.zstdDecompressSync(row.packed) : null
}

/** Packs the text of a document and its segments as they are stored. A long one is packed in the second thread. */
export const packDocument = (body: Uint8Array, segments: readonly Segment[] | null) => ({
  body: Bun.zstdCompressSync(body),
  segments: segments && Bun.zstdCompressSync(JSON.stringify(segments)),
})

/** Changes of chapter files and transcripts. */
export const documentChanges = (db: Database) => ({
  /** Stores which documents the feed names now. A fetched document stays even when the feed drops it. */
  describe(episodeId: number, named: readonly NamedDocument[]) {
    db.query(
      `DELETE FROM document WHERE episode_id = ? AND body IS NULL AND url NOT IN (SELECT value FROM json_each(?))`,
    ).run(episodeId, JSON.stringify(named.map(({ url }) => url)))
    const insert = db.query<null, Record<string, string | number | null>>(
      `INSERT INTO document (uuid, episode_id, kind, place, url, type, language)
       VALUES ($uuid, $episodeId, $kind, $place, $url, $type, $language)
       ON CONFLICT DO UPDATE SET place = $place, type = $type, language = $language`,
    )
    named.forEach((document, place) => insert.run({ uuid: crypto.randomUUID(), episodeId, place, ...document }))
  },
  /** Makes documents due that were not fetched yet. */
  request(ids: readonly number[], now: number) {
    db.query(
      `UPDATE document SET due_at = ?
        WHERE id IN (SELECT value FROM json_each(?)) AND state = 'pending' AND due_at IS NULL`,
    ).run(now, JSON.stringify(ids))
  },
  /** Makes a document that failed due now. */
  retry(uuid: string, now: number) {
    db.query(`UPDATE document SET state = 'pending', failures = 0, due_at = ? WHERE uuid = ? AND state = 'failed'`).run(
      now,
      uuid,
    )
  },
  keep(id: number, found: FoundDocument, now: number) {
    db.query(
      `UPDATE document SET state = 'parsed', error = NULL, cause = NULL, body = ?, segments = ?, format = ?,
              fetched_at = ?, failures = 0, due_at = NULL
        WHERE id = ?`,
    ).run(found.body, found.segments, found.format, now, id)
  },
  /**
   * Stores a transcript that no feed names, after those that the feed may name later; replaces an earlier one. Returns
   * its id.
   */
  addGenerated(episodeId: number, found: GeneratedTranscript, now: number): number {
    db.query(`DELETE FROM document WHERE episode_id = ? AND kind = 'transcript' AND generated = 1`).run(episodeId)
    const { id } = db
      .query<{ id: number }, [string, number, string, string | null, string | null]>(
        `INSERT INTO document (uuid, episode_id, kind, place, url, type, language, model, generated)
         VALUES (?, ?, 'transcript', 1000000, '', ?, ?, ?, 1) RETURNING id`,
      )
      .get(crypto.randomUUID(), episodeId, found.type, found.language, found.model)!
    db.query('UPDATE episode SET has_generated_transcript = 1 WHERE id = ?').run(episodeId)
    this.keep(
      id,
      { ...packDocument(found.body, found.segments), format: found.type === 'text/vtt' ? 'vtt' : 'text' },
      now,
    )
    return id
  },
  /** Removes a transcript that a program made; false = there is none by that id. */
  removeGenerated(episodeId: number, id: number): boolean {
    const { changes } = db
      .query('DELETE FROM document WHERE id = ? AND episode_id = ? AND generated = 1')
      .run(id, episodeId)
    db.query(
      `UPDATE episode
          SET has_generated_transcript = EXISTS (SELECT 1 FROM document WHERE episode_id = ?1 AND generated = 1)
        WHERE id = ?1`,
    ).run(episodeId)
    return changes > 0
  },
  /** Notes that a document was read and that its stored contents stay as they are. */
  noteFormat(id: number, format: string) {
    db.query('UPDATE document SET format = ? WHERE id = ?').run(format, id)
  },
  fail(id: number, { error, cause }: { error: string; cause: string }, retryAt: number | null) {
    db.query(
      `UPDATE document SET state = 'failed', error = ?, cause = ?, failures = failures + 1, due_at = ? WHERE id = ?`,
    ).run(error, cause, retryAt, id)
  },
})

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
  /** The best chapters of several episodes, by their rows. */
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
