import type { Database } from 'bun:sqlite'
import { type EpisodeForUser, episodeForUserColumns, episodeForUserJoins, type ListStart } from './episodes'
import { encodeMarks, indexedText, queryOfWord } from './index-text'
import { type Viewer, visibleEpisode, visiblePodcast } from './visibility'

const ID_BITS = 26
/** The newest episodes with a word, from which `isCommon` judges the word. */
const SAMPLE = 64
/** The bits of an index place that are the id of its episode. */
export const ID_MASK = 2 ** ID_BITS - 1

/**
 * Row of an episode in the search index: the minute of its publication and its id, so that rows are ordered by date.
 */
export const searchPlace = (publishedAt: number, id: number) =>
  Math.max(0, Math.floor(publishedAt / 60_000)) * 2 ** ID_BITS + (id & ID_MASK)

export type SearchIndex = 'title_index' | 'text_index'
const wordsOfIndex = { title_index: 'title_words', text_index: 'text_words' } as const

export type SearchFilter = {
  podcastId?: number | undefined
  downloaded?: boolean
  unplayed?: boolean
  /** Milliseconds; both ends included. */
  from?: number | undefined
  to?: number | undefined
  /** Only index places below this one. */
  before?: number | undefined
}

export type FoundEpisode = EpisodeForUser & { search_place: number; podcast_title: string }
/** An episode that is to be indexed. */
export type UnindexedEpisode = {
  id: number
  title: string
  notes: string
  author: string | null
  published_at: number
  /** Its row in the index as an earlier version wrote it; null = none. */
  search_place: number | null
  has_own_chapters: number
  has_transcript: number
}

/** Plain texts of an episode, to be indexed. */
export type SearchTexts = { title: string; notes: string; chapters: string; transcript: string }

/** Searches the full-text indexes. */
export const searchStore = (db: Database) => ({
  /** Newest first. `match`: a query in the language of FTS5. */
  find: (viewer: Viewer, index: SearchIndex, match: string, filter: SearchFilter, limit: number): FoundEpisode[] =>
    db.query<FoundEpisode, Record<string, string | number>>(searchQuery(index, filter, viewer)).all({
      userId: viewer.id,
      match,
      limit,
      ...(filter.podcastId !== undefined && { podcastId: filter.podcastId }),
      ...(filter.from !== undefined && { from: searchPlace(filter.from, 0) }),
      ...(filter.to !== undefined && { to: searchPlace(filter.to, ID_MASK) }),
      ...(filter.before !== undefined && { before: filter.before }),
    }),
  /** Words of an index, as it writes them, that begin with this one and are longer. */
  listLonger(index: SearchIndex, word: string, limit: number): string[] {
    // FTS5 would read all rows of a word on the way to the next, so each is looked up by the one before.
    const next = db.query<{ term: string }, [string, string]>(
      `SELECT term FROM ${wordsOfIndex[index]} WHERE term >= ? AND term < ? LIMIT 1`,
    )
    const longer: string[] = []
    const first = encodeMarks(word)
    for (let last = first; longer.length < limit;) {
      const term = next.get(`${last}\x01`, `${first}\u{10ffff}`)?.term
      if (term === undefined) break
      longer.push((last = term))
    }
    return longer
  },
  /** Whether most of the newest episodes have a word in their texts. */
  isCommon(word: string): boolean {
    const place = db
      .query<{ rowid: number }, [string, number]>(
        'SELECT rowid FROM text_index WHERE text_index MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
      )
      .get(queryOfWord(word, false), SAMPLE - 1)?.rowid
    if (place === undefined) return false
    const since = Math.floor(place / 2 ** ID_BITS) * 60_000
    const newer = db.query<{ count: number }, [number, number]>(
      'SELECT count(*) AS count FROM (SELECT 1 FROM episode WHERE published_at > ? LIMIT ?)',
    )
    return newer.get(since, 2 * SAMPLE)!.count < 2 * SAMPLE
  },
  /** Whether the index lacks episodes, or has some as an earlier version wrote them. */
  isBehind: () =>
    db.query('SELECT 1 FROM episode INDEXED BY episode_unindexed WHERE search_place IS NULL LIMIT 1').get() !== null ||
    isReindexing(db),
  /** Whether the index has episodes as an earlier version wrote them. */
  isReindexing: () => isReindexing(db),
  /** The next episode to index: the index lacks it, or an earlier version wrote it. */
  findUnindexed: () =>
    db
      .query<UnindexedEpisode, []>(`${selectUnindexed} INDEXED BY episode_unindexed WHERE search_place IS NULL LIMIT 1`)
      .get() ??
    db
      .query<UnindexedEpisode, []>(
        `${selectUnindexed} WHERE id < (SELECT below FROM reindexing) ORDER BY id DESC LIMIT 1`,
      )
      .get(),
  /** Removes an episode from the index, so that it is indexed again with its new texts. */
  drop(id: number) {
    const place = db
      .query<{ search_place: number | null }, [number]>('SELECT search_place FROM episode WHERE id = ?')
      .get(id)?.search_place
    if (place === null || place === undefined) return
    remove(db, place)
    db.query('UPDATE episode SET search_place = NULL WHERE id = ?').run(id)
  },
  /** Indexes an episode without any text: work on it was set aside. */
  leaveOut(episode: Pick<UnindexedEpisode, 'id' | 'published_at' | 'search_place'>) {
    this.replace(episode, { title: '', notes: '', chapters: '', transcript: '' })
  },
  /** Indexes what `findUnindexed` found. */
  replace(episode: Pick<UnindexedEpisode, 'id' | 'published_at' | 'search_place'>, texts: SearchTexts) {
    const { id, published_at, search_place } = episode
    if (search_place !== null) {
      remove(db, search_place)
      db.query('UPDATE reindexing SET below = ?').run(id)
    }
    this.put(id, searchPlace(published_at, id), texts)
  },
  /** Adds the texts of an episode that the index lacks. */
  put(id: number, place: number, texts: SearchTexts) {
    const [title, notes, chapters, transcript] = [texts.title, texts.notes, texts.chapters, texts.transcript].map(
      indexedText,
    ) as [string, string, string, string]
    db.query('INSERT INTO title_index (rowid, title) VALUES (?, ?)').run(place, title)
    db.query('INSERT INTO text_index (rowid, title, notes, chapters, transcript) VALUES (?, ?, ?, ?, ?)').run(
      place,
      title,
      notes,
      chapters,
      transcript === '' ? '' : `${transcript} ${TRANSCRIBED}`,
    )
    db.query('UPDATE episode SET search_place = ? WHERE id = ?').run(place, id)
  },
})

/** Written into the column of every transcript, so that FTS5 can go from one to the next. No word has it. */
export const TRANSCRIBED = '\ue000'

/** One at a time, since the notes of each may be a megabyte. */
const selectUnindexed = `
  SELECT id, title, notes, author, published_at, search_place, has_own_chapters,
         transcripts IS NOT NULL OR has_generated_transcript AS has_transcript
    FROM episode`

const isReindexing = (db: Database) =>
  db.query('SELECT 1 FROM episode WHERE id < (SELECT below FROM reindexing) LIMIT 1').get() !== null

function remove(db: Database, place: number) {
  db.query('DELETE FROM title_index WHERE rowid = ?').run(place)
  db.query('DELETE FROM text_index WHERE rowid = ?').run(place)
}

function searchQuery(
  index: SearchIndex,
  { podcastId, downloaded, unplayed, from, to, before }: SearchFilter,
  viewer: Viewer,
): string {
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
  // CROSS JOIN makes SQLite read the index first, in its own order, and then the episode of each row.
  return `
    SELECT p.title AS podcast_title, ${episodeForUserColumns}
      FROM ${index} i CROSS JOIN episode e ON e.id = i.rowid & ${ID_MASK} ${episodeForUserJoins}
     WHERE ${conditions.join(' AND ')} ORDER BY i.rowid DESC LIMIT $limit`
}

/** A person in a list. `host_portrait`: `{uuid of a podcast}/persons/{place}`; `guest_portrait`: the same of an episode. */
export type FoundPerson = {
  id: number
  name: string
  podcasts: number
  episodes: number
  host_portrait: string | null
  guest_portrait: string | null
}

const MAX_COUNTED = 1000

const inPodcasts = (viewer: Viewer) =>
  `FROM podcast_person c JOIN podcast p ON p.id = c.podcast_id WHERE c.person_id = n.id AND ${visiblePodcast(viewer)}`
const inEpisodes = (viewer: Viewer, person = 'n.id') =>
  `FROM episode_person c CROSS JOIN episode e ON e.id = c.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
    WHERE c.person_id = ${person} AND ${visibleEpisode(viewer)}`

/** Columns of `FoundPerson` of a person `n`. */
const personColumns = (viewer: Viewer) => `n.id, n.name,
    (SELECT count(*) FROM (SELECT 1 ${inPodcasts(viewer)} LIMIT ${MAX_COUNTED})) AS podcasts,
    (SELECT count(*) FROM (SELECT 1 ${inEpisodes(viewer)} LIMIT ${MAX_COUNTED})) AS episodes,
    (SELECT p.uuid || '/persons/' || c.portrait ${inPodcasts(viewer)} AND c.portrait IS NOT NULL LIMIT 1)
      AS host_portrait,
    (SELECT e.uuid || '/persons/' || c.portrait ${inEpisodes(viewer)} AND c.portrait IS NOT NULL
      ORDER BY c.published_at DESC LIMIT 1) AS guest_portrait`

/** Condition on a person `n`: takes part in something that the viewer may see. */
const visiblePerson = (viewer: Viewer) =>
  viewer.explicit_consent ? '1' : `(EXISTS (SELECT 1 ${inPodcasts(viewer)}) OR EXISTS (SELECT 1 ${inEpisodes(viewer)}))`

/** The people whom feeds name. */
export const peopleStore = (db: Database) => ({
  /** Everybody by name, after the name `after`. */
  page: (viewer: Viewer, after: string, limit: number) =>
    db
      .query<FoundPerson, { after: string; limit: number }>(
        `SELECT ${personColumns(viewer)} FROM person n
          WHERE n.name > $after AND ${visiblePerson(viewer)} ORDER BY n.name LIMIT $limit`,
      )
      .all({ after, limit }),
  /**
   * Those found, in the order in which feeds first named them, after the name `after`. `match`: a query in the language
   * of FTS5. In any other order, two letters would read half of all people.
   */
  search: (viewer: Viewer, match: string, after: string, limit: number) =>
    db
      .query<FoundPerson, { match: string; after: string; limit: number }>(
        `SELECT ${personColumns(viewer)} FROM person_index i CROSS JOIN person n ON n.id = i.rowid
          WHERE person_index MATCH $match AND i.rowid > coalesce((SELECT id FROM person WHERE name = $after), 0)
            AND ${visiblePerson(viewer)}
          ORDER BY i.rowid LIMIT $limit`,
      )
      .all({ match, after, limit }),
  /** Whether there are names that the index lacks, or has as an earlier version wrote them. */
  areUnindexed: () =>
    db.query('SELECT 1 FROM person INDEXED BY person_unindexed WHERE is_indexed = 0 LIMIT 1').get() !== null,
  /** Indexes the names of up to `count` people. */
  indexSome(count: number) {
    const people = db
      .query<{ id: number; name: string }, [number]>(
        'SELECT id, name FROM person INDEXED BY person_unindexed WHERE is_indexed = 0 LIMIT ?',
      )
      .all(count)
    for (const { id, name } of people) {
      db.query('DELETE FROM person_index WHERE rowid = ?').run(id)
      db.query('INSERT INTO person_index (rowid, name) VALUES (?, ?)').run(id, indexedText(name))
      db.query('UPDATE person SET is_indexed = 1 WHERE id = ?').run(id)
    }
  },
  /** Null if nothing that the viewer may see names this person. */
  find: (viewer: Viewer, name: string) =>
    db
      .query<FoundPerson, [string]>(
        `SELECT ${personColumns(viewer)} FROM person n WHERE n.name = ? AND ${visiblePerson(viewer)}`,
      )
      .get(name),
  podcastsOf: (viewer: Viewer, personId: number, limit: number) =>
    db
      .query<{ uuid: string; title: string }, [number, number]>(
        `SELECT p.uuid, p.title FROM podcast_person c JOIN podcast p ON p.id = c.podcast_id
          WHERE c.person_id = ? AND ${visiblePodcast(viewer)} LIMIT ?`,
      )
      .all(personId, limit),
  /** The newest first. */
  episodesOf: (viewer: Viewer, personId: number, { after, offset = 0 }: ListStart, limit: number) =>
    db
      .query<EpisodeForUser, Record<string, number>>(
        `SELECT ${episodeForUserColumns}
           FROM episode_person c CROSS JOIN episode e ON e.id = c.episode_id ${episodeForUserJoins}
          WHERE c.person_id = $personId AND ${visibleEpisode(viewer)}
            ${after ? 'AND (c.published_at, c.episode_id) < ($afterDate, $afterId)' : ''}
          ORDER BY c.published_at DESC, c.episode_id DESC LIMIT $limit OFFSET $offset`,
      )
      .all({
        userId: viewer.id,
        personId,
        limit,
        offset,
        ...(after && { afterDate: after.publishedAt, afterId: after.id }),
      }),
  countEpisodesOf: (viewer: Viewer, personId: number) =>
    db.query<{ total: number }, [number]>(`SELECT count(*) AS total ${inEpisodes(viewer, '?')}`).get(personId)!.total,
  /** The newest first. */
  idsOf: (viewer: Viewer, personId: number, limit: number) =>
    db
      .query<{ id: number }, [number, number]>(
        `SELECT e.id ${inEpisodes(viewer, '?')} ORDER BY c.published_at DESC, c.episode_id DESC LIMIT ?`,
      )
      .all(personId, limit)
      .map(({ id }) => id),
})
