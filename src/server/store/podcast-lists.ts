import type { PodcastOrder } from '../../shared/api/podcast'
import type { Database } from 'bun:sqlite'
import {
  type BriefPodcast,
  type CheckRow,
  type ListedPodcast,
  type PodcastColumns,
  selectBrief,
  selectListed,
  visibleLatest,
} from './podcasts'
import { fold } from '../../shared/fold'
import { foldedTitle, sortByTitle } from './podcast-settings'
import { type Viewer, visibleEpisode, visiblePodcast } from './visibility'
import { type EpisodeColumns, type EpisodeForUser, selectEpisodeForUser } from './episodes'

/** The limits of a list of podcasts, and its order; by title unless it says otherwise. */
export type PodcastSearch = {
  title?: string | undefined
  favouritesOnly?: boolean
  /** Only podcasts with this tag, by its row. */
  tagId?: number | undefined
  order?: 'ASC' | 'DESC'
  by?: PodcastOrder
}

/** Lists podcasts. */
export const podcastLists = (db: Database, titlesFor = rememberTitles(db)) => ({
  /** The rows of the podcasts found, in their order; a long list reads them in parts with `listed`. */
  orderFor: (viewer: Viewer, search: PodcastSearch = {}): number[] => orderVisible(db, viewer, search),
  /** Podcasts by their rows, in that order; those that are gone are left out. */
  listed(viewer: Viewer, ids: readonly number[]): ListedPodcast[] {
    const rows = new Map(readListed(db, viewer, { by: 'id', values: ids }).map(row => [row.id, row]))
    return ids.flatMap(id => rows.get(id) ?? [])
  },
  /** Podcasts by their ids, with the columns of `BriefPodcast`. */
  listedBriefly(viewer: Viewer, ids: readonly number[]): BriefPodcast[] {
    const rows = new Map(
      db
        .query<BriefPodcast, { userId: number; ids: string }>(
          `${selectBrief(viewer)} WHERE p.id IN (SELECT value FROM json_each($ids)) AND ${visiblePodcast(viewer)}`,
        )
        .all({ userId: viewer.id, ids: JSON.stringify(ids) })
        .map(row => [row.id, row]),
    )
    return ids.flatMap(id => rows.get(id) ?? [])
  },
  /** The whole library by title. */
  listFor: (viewer: Viewer): ListedPodcast[] => sortByTitle(readListed(db, viewer)),
  checksFor: (viewer: Viewer) =>
    db
      .query<CheckRow, []>(
        `SELECT uuid, checked_at, next_check_at, active, gone FROM podcast p WHERE ${visiblePodcast(viewer)}`,
      )
      .all(),
  /** Several podcasts by their uuid. */
  mapFor: (viewer: Viewer, uuids: readonly string[]) => mapVisible(db, viewer, uuids),
  /** The ids of those among these uuids that the viewer may see. */
  idsAmong: (viewer: Viewer, uuids: readonly string[]): number[] =>
    db
      .query<{ id: number }, [string]>(
        `SELECT p.id FROM podcast p WHERE p.uuid IN (SELECT value FROM json_each(?)) AND ${visiblePodcast(viewer)}`,
      )
      .all(JSON.stringify(uuids))
      .map(({ id }) => id),
  /** Podcasts whose titles contain all the words, ordered by title. Reads only those in full that are returned. */
  findByTitle(viewer: Viewer, words: readonly string[], limit: number): ListedPodcast[] {
    const wanted = words.map(fold)
    const matches = sortByTitle(
      titlesFor(viewer).filter(({ title }) => wanted.every(word => foldedTitle(title).includes(word))),
    ).slice(0, limit)
    const found = mapVisible(
      db,
      viewer,
      matches.map(({ uuid }) => uuid),
    )
    return matches.flatMap(({ uuid }) => found.get(uuid) ?? [])
  },
  /** Number of podcasts that a user added to the library. */
  countAddedBy: (userId: number) =>
    db.query<{ total: number }, [number]>('SELECT count(*) AS total FROM podcast WHERE added_by = ?').get(userId)!
      .total,
  allIds: () =>
    db
      .query<{ id: number }, []>('SELECT id FROM podcast WHERE active = 1')
      .all()
      .map(row => row.id),
})

/** Reads the titles of all podcasts; again only when something was written since. */
function rememberTitles(db: Database) {
  let titles: readonly { uuid: string; title: string }[] = []
  let readAt = ''
  return (viewer: Viewer) => {
    const condition = visiblePodcast(viewer)
    // The pragma counts what other connections write, the function what this one does.
    const now = db
      .query<{ data_version: number; changes: number }, []>(
        'SELECT data_version, total_changes() AS changes FROM pragma_data_version',
      )
      .get()!
    const state = `${now.data_version} ${now.changes} ${condition}`
    if (state !== readAt) {
      titles = db
        .query<{ uuid: string; title: string }, []>(`SELECT uuid, title FROM podcast p WHERE ${condition}`)
        .all()
      readAt = state
    }
    return titles
  }
}

type Place = { id: number; title: string; latest: number | null }

function orderVisible(db: Database, viewer: Viewer, search: PodcastSearch): number[] {
  const { title, favouritesOnly, tagId, order = 'ASC', by = 'TITLE' } = search
  const byTitle = by === 'TITLE'
  const places = db
    .query<Place, Record<string, number>>(
      `SELECT p.id, p.title, ${byTitle ? 'NULL' : visibleLatest(viewer)} AS latest FROM podcast p
        WHERE ${visiblePodcast(viewer)}
          ${favouritesOnly ? 'AND p.id IN (SELECT podcast_id FROM favourite WHERE user_id = $userId)' : ''}
          ${tagId === undefined ? '' : 'AND p.id IN (SELECT podcast_id FROM podcast_tag WHERE tag_id = $tagId)'}`,
    )
    .all({ ...(favouritesOnly && { userId: viewer.id }), ...(tagId !== undefined && { tagId }) })
  const wanted = title ? fold(title) : ''
  const found = wanted ? places.filter(place => foldedTitle(place.title).includes(wanted)) : places
  const sorted = byTitle ? sortByTitle(found) : found.sort(byLatestEpisode)
  const ids = sorted.map(({ id }) => id)
  return order === 'DESC' ? ids.reverse() : ids
}

type Chosen = { by: 'id' | 'uuid'; values: readonly (number | string)[] }

/** Podcasts that the viewer may see: the chosen ones, or all. */
function readListed(db: Database, viewer: Viewer, chosen?: Chosen): ListedPodcast[] {
  const condition = chosen ? `p.${chosen.by} IN (SELECT value FROM json_each($values)) AND` : ''
  return db
    .query<ListedPodcast, Record<string, number | string>>(
      `${selectListed(viewer)} WHERE ${condition} ${visiblePodcast(viewer)}`,
    )
    .all({ userId: viewer.id, ...(chosen && { values: JSON.stringify(chosen.values) }) })
}

const mapVisible = (db: Database, viewer: Viewer, uuids: readonly string[]): ReadonlyMap<string, ListedPodcast> =>
  new Map(readListed(db, viewer, { by: 'uuid', values: uuids }).map(row => [row.uuid, row]))

const byLatestEpisode = (a: Place, b: Place) => (a.latest ?? 0) - (b.latest ?? 0) || a.id - b.id

type EpisodePlace = Pick<EpisodeColumns, 'podcast_id' | 'published_at' | 'id'>

/** The single episodes and the counts that the page of a podcast leads with. */
export function podcastOverview(db: Database) {
  const findFirst = (viewer: Viewer, podcastId: number, rest: string) =>
    db
      .query<EpisodeForUser, { userId: number; podcastId: number }>(
        `${selectEpisodeForUser} WHERE ${playable} AND ${visibleEpisode(viewer)} AND ${rest} LIMIT 1`,
      )
      .get({ userId: viewer.id, podcastId })
  const findOne = (viewer: Viewer, podcastId: number, rest: string) =>
    findFirst(viewer, podcastId, `e.podcast_id = $podcastId ${rest}`)
  /** Begins with the user's positions, by their index. */
  const findPlayed = (viewer: Viewer, podcastId: number, rest: string) =>
    findFirst(viewer, podcastId, `h.podcast_id = $podcastId AND ${rest}`)

  return {
    /** The episode that the user began last and has not finished. */
    findBegun: (viewer: Viewer, podcastId: number) =>
      findPlayed(viewer, podcastId, 'h.finished = 0 AND h.position > 0 ORDER BY h.updated_at DESC'),
    /** The episode that the user finished longest ago. */
    findLongPast: (viewer: Viewer, podcastId: number) =>
      findPlayed(viewer, podcastId, 'h.finished = 1 ORDER BY h.updated_at'),
    /** The first episode in order that the user has not finished; trailers are no parts. */
    findNextPart: (viewer: Viewer, podcastId: number) =>
      findOne(viewer, podcastId, `AND e.type <> 'trailer' AND ${unfinished} ORDER BY e.published_at, e.id`),
    /** The episode that comes after another one by date, in a serial even if it was played; trailers are no parts. */
    findFollowing: (viewer: Viewer, { podcast_id, published_at, id }: EpisodePlace, isSerial: boolean) =>
      db
        .query<EpisodeForUser, { userId: number; podcastId: number; at: number; id: number }>(
          `${selectEpisodeForUser}
            WHERE ${playable} AND ${visibleEpisode(viewer)} AND e.podcast_id = $podcastId
              AND (e.published_at, e.id) > ($at, $id) AND ${isSerial ? "e.type <> 'trailer'" : unfinished}
            ORDER BY e.published_at, e.id LIMIT 1`,
        )
        .get({ userId: viewer.id, podcastId: podcast_id, at: published_at, id }),
    findNewest: (viewer: Viewer, podcastId: number) =>
      findOne(viewer, podcastId, 'ORDER BY e.published_at DESC, e.id DESC'),
    findNewestUnfinished: (viewer: Viewer, podcastId: number) =>
      findOne(viewer, podcastId, `AND ${unfinished} ORDER BY e.published_at DESC, e.id DESC`),
    countDownloaded: (viewer: Viewer, podcastId: number) =>
      db
        .query<{ total: number }, [number]>(
          `SELECT count(*) AS total FROM episode e JOIN podcast p ON p.id = e.podcast_id
            WHERE e.podcast_id = ? AND e.file_path IS NOT NULL AND ${visibleEpisode(viewer)}`,
        )
        .get(podcastId)!.total,
    countLiked: (viewer: Viewer, podcastId: number) =>
      db
        .query<{ total: number }, [number, number]>(
          `SELECT count(*) AS total
             FROM episode_like k JOIN episode e ON e.id = k.episode_id JOIN podcast p ON p.id = e.podcast_id
            WHERE k.user_id = ? AND e.podcast_id = ? AND ${visibleEpisode(viewer)}`,
        )
        .get(viewer.id, podcastId)!.total,
  }
}

/** Condition on episodes `e`: their address still holds them, or their file is here. */
const playable = '(e.superseded = 0 OR e.file_path IS NOT NULL)'
const unfinished = 'coalesce(h.finished, 0) = 0'

/** A podcast with everything that the name of its folder may contain. */
type NamedPodcast = Pick<
  PodcastColumns,
  'id' | 'title' | 'folder' | 'summary' | 'language' | 'explicit' | 'keywords' | 'built_at' | 'added_at'
>

/** Folders of podcasts within the media folder; no two differ only in case. */
export const podcastFolders = (db: Database) => ({
  allWithFolders: () =>
    db
      .query<NamedPodcast, []>(
        `SELECT id, title, folder, summary, language, explicit, keywords, built_at, added_at FROM podcast ORDER BY id`,
      )
      .all(),
  setFolders(folders: readonly { podcastId: number; folder: string }[]) {
    // Podcasts may swap folders: first all of them give up theirs.
    for (const { podcastId } of folders) db.query('UPDATE podcast SET folder = uuid WHERE id = ?').run(podcastId)
    for (const { podcastId, folder } of folders)
      db.query('UPDATE podcast SET folder = ? WHERE id = ?').run(folder, podcastId)
  },
  isFolderTaken: (folder: string) =>
    db.query<{ id: number }, [string]>('SELECT id FROM podcast WHERE folder = ? COLLATE NOCASE').get(folder) !== null,
})
