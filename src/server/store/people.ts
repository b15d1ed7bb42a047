import type { Database } from 'bun:sqlite'
import { episodeForUserColumns, episodeForUserJoins, type EpisodeForUser, type Position } from './episodes'
import { visibleEpisode, visiblePodcast, type Viewer } from './visibility'

/** A person in a list. `host_portrait`: `{uuid of a podcast}/persons/{place}`; `guest_portrait`: the same of an episode. */
export type FoundPerson = {
  id: number
  name: string
  podcasts: number
  episodes: number
  host_portrait: string | null
  guest_portrait: string | null
}

const MOST_COUNTED = 1000

const inPodcasts = (viewer: Viewer) =>
  `FROM podcast_person c JOIN podcast p ON p.id = c.podcast_id WHERE c.person_id = n.id AND ${visiblePodcast(viewer)}`
const inEpisodes = (viewer: Viewer) =>
  `FROM episode_person c CROSS JOIN episode e ON e.id = c.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id
    WHERE c.person_id = n.id AND ${visibleEpisode(viewer)}`

/** Columns of `FoundPerson` of a person `n`. */
const personColumns = (viewer: Viewer) => `n.id, n.name,
    (SELECT count(*) FROM (SELECT 1 ${inPodcasts(viewer)} LIMIT ${MOST_COUNTED})) AS podcasts,
    (SELECT count(*) FROM (SELECT 1 ${inEpisodes(viewer)} LIMIT ${MOST_COUNTED})) AS episodes,
    (SELECT p.uuid || '/persons/' || c.portrait ${inPodcasts(viewer)} AND c.portrait IS NOT NULL LIMIT 1)
      AS host_portrait,
    (SELECT e.uuid || '/persons/' || c.portrait ${inEpisodes(viewer)} AND c.portrait IS NOT NULL
      ORDER BY c.published_at DESC LIMIT 1) AS guest_portrait`

/** Condition on a person `n`: takes part in something that the viewer may see. */
const visiblePerson = (viewer: Viewer) =>
  viewer.explicit_consent ? '1' : `(EXISTS (SELECT 1 ${inPodcasts(viewer)}) OR EXISTS (SELECT 1 ${inEpisodes(viewer)}))`

/** The people whom feeds name. */
export const peopleStore = (db: Database) => ({
  /** Everybody by name, behind `after`. */
  page: (viewer: Viewer, after: string, limit: number) =>
    db
      .query<FoundPerson, { after: string; limit: number }>(
        `SELECT ${personColumns(viewer)} FROM person n
          WHERE n.name > $after AND ${visiblePerson(viewer)} ORDER BY n.name LIMIT $limit`,
      )
      .all({ after, limit }),
  /**
   * Those found, in the order in which feeds named them first, behind the name `after`. `match`: a query in the language
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
  /** Null for somebody whom nothing names that the viewer may see. */
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
  episodesOf: (viewer: Viewer, personId: number, after: Position | undefined, limit: number) =>
    db
      .query<EpisodeForUser, Record<string, number>>(
        `SELECT ${episodeForUserColumns}
           FROM episode_person c CROSS JOIN episode e ON e.id = c.episode_id ${episodeForUserJoins}
          WHERE c.person_id = $personId AND ${visibleEpisode(viewer)}
            ${after ? 'AND (c.published_at, c.episode_id) < ($afterDate, $afterId)' : ''}
          ORDER BY c.published_at DESC, c.episode_id DESC LIMIT $limit`,
      )
      .all({
        userId: viewer.id,
        personId,
        limit,
        ...(after && { afterDate: after.publishedAt, afterId: after.id }),
      }),
})
