import type { Database } from 'bun:sqlite'
import { selectListed, type CheckRow, type ListedPodcast } from './podcasts'
import { folded, foldedTitle, sortByTitle } from './titles'
import { visiblePodcast, type Viewer } from './visibility'

type PodcastSearch = {
  title?: string | undefined
  favouritesOnly?: boolean
  /** Only podcasts with this tag, by its row. */
  tagId?: number | undefined
  order?: 'ASC' | 'DESC'
  by?: 'TITLE' | 'PUBLISHEDDATE'
}

/** Lists podcasts. */
export const podcastLists = (db: Database) => ({
  listFor(viewer: Viewer, search: PodcastSearch = {}): ListedPodcast[] {
    const { title, favouritesOnly, order = 'ASC', by = 'TITLE' } = search
    const wanted = title ? folded(title) : ''
    const rows = listVisible(db, viewer, search.tagId).filter(
      row => (!favouritesOnly || row.favourite === 1) && (!wanted || foldedTitle(row.title).includes(wanted)),
    )
    const sorted = by === 'TITLE' ? sortByTitle(rows) : rows.sort(byLatestEpisode)
    return order === 'DESC' ? sorted.reverse() : sorted
  },
  checksFor: (viewer: Viewer) =>
    db
      .query<CheckRow, []>(
        `SELECT uuid, checked_at, next_check_at, active, gone FROM podcast p WHERE ${visiblePodcast(viewer)}`,
      )
      .all(),
  /** Several podcasts by their uuid. */
  mapFor: (viewer: Viewer, uuids: readonly string[]) => mapVisible(db, viewer, uuids),
  /** Podcasts whose titles contain all the words, ordered by title. Reads only those in full that are returned. */
  findByTitle(viewer: Viewer, words: readonly string[], limit: number): ListedPodcast[] {
    const wanted = words.map(folded)
    const matches = sortByTitle(
      db
        .query<{ uuid: string; title: string }, []>(`SELECT uuid, title FROM podcast p WHERE ${visiblePodcast(viewer)}`)
        .all()
        .filter(({ title }) => wanted.every(word => foldedTitle(title).includes(word))),
    ).slice(0, limit)
    const found = mapVisible(
      db,
      viewer,
      matches.map(({ uuid }) => uuid),
    )
    return matches.flatMap(({ uuid }) => found.get(uuid) ?? [])
  },
  /** Number of podcasts that a user brought into the library. */
  countAddedBy: (userId: number) =>
    db.query<{ total: number }, [number]>('SELECT count(*) AS total FROM podcast WHERE added_by = ?').get(userId)!
      .total,
  allIds: () =>
    db
      .query<{ id: number }, []>('SELECT id FROM podcast WHERE active = 1')
      .all()
      .map(row => row.id),
})

const listVisible = (db: Database, viewer: Viewer, tagId?: number): ListedPodcast[] =>
  db
    .query<ListedPodcast, Record<string, number>>(
      `${selectListed(viewer)} WHERE ${visiblePodcast(viewer)}
          ${tagId === undefined ? '' : 'AND p.id IN (SELECT podcast_id FROM podcast_tag WHERE tag_id = $tagId)'}`,
    )
    .all({ userId: viewer.id, ...(tagId !== undefined && { tagId }) })

const mapVisible = (db: Database, viewer: Viewer, uuids: readonly string[]): ReadonlyMap<string, ListedPodcast> =>
  new Map(
    db
      .query<ListedPodcast, { userId: number; uuids: string }>(
        `${selectListed(viewer)}
          WHERE p.uuid IN (SELECT value FROM json_each($uuids)) AND ${visiblePodcast(viewer)}`,
      )
      .all({ userId: viewer.id, uuids: JSON.stringify(uuids) })
      .map(row => [row.uuid, row]),
  )

const byLatestEpisode = (a: ListedPodcast, b: ListedPodcast) =>
  (a.visible_last_at ?? 0) - (b.visible_last_at ?? 0) || a.id - b.id
