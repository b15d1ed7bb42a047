import { required } from '../platform/problem'
import type { ErrorCode } from '../../shared/error-code'
import type { Database } from 'bun:sqlite'
import type { DownloadState } from '../../shared/api/episode'
import type { StorageName } from './file-place'
import { type Viewer, visibleEpisode } from './visibility'

/** A row of the table; times in milliseconds. */
export type DownloadColumns = {
  id: number
  uuid: string
  /** Place in the queue. */
  place: number
  episode_id: number
  state: DownloadState
  attempts: number
  received_bytes: number
  /** The boot of the machine in which it was started last. */
  boot_id: string | null
  total_bytes: number | null
  etag: string | null
  last_modified: string | null
  /** The size at which the host ended it before the announced length, and how often in a row. */
  ended_size: number | null
  ended_count: number
  target_path: string | null
  target_storage: StorageName
  /** Bytes of the file at the target. */
  target_size: number | null
  error_code: ErrorCode | null
  message: string | null
  next_attempt_at: number | null
  created_at: number
  started_at: number | null
  finished_at: number | null
  /** The form of the episode that it fetches, `main` for its enclosure; null = not chosen yet. */
  form: string | null
  /** A rule of the server requested it, not a person. */
  automatic: number
}

/** A download with its episode and podcast. */
export type DownloadRow = DownloadColumns & {
  episode_uuid: string
  eid: string
  episode_title: string
  enclosure_url: string
  podcast_id: number
  podcast_uuid: string
  podcast_title: string
}

/** Error code and message of a download that did not succeed. */
export type Failure = { code: ErrorCode; message: string }

const select = `
  SELECT d.*, e.uuid AS episode_uuid, e.eid, e.title AS episode_title, e.enclosure_url,
         p.id AS podcast_id, p.uuid AS podcast_uuid, p.title AS podcast_title
    FROM download d JOIN episode e ON e.id = d.episode_id JOIN podcast p ON p.id = e.podcast_id`

/** The states of a download without a file yet: as a list, they can use an index. */
const unfinished = `'queued', 'running', 'waiting', 'paused', 'failed'`

const episodeJoins = 'CROSS JOIN episode e ON e.id = d.episode_id CROSS JOIN podcast p ON p.id = e.podcast_id'

const findWhere = (db: Database, condition: string) =>
  db.query<DownloadRow, [string | number]>(`${select} WHERE ${condition}`)

const findVisible = (db: Database, viewer: Viewer, uuid: string) =>
  findWhere(db, `d.uuid = ? AND ${visibleEpisode(viewer)}`).get(uuid)

export const findDownloadOf = (db: Database, episodeId: number) => findWhere(db, 'd.episode_id = ?').get(episodeId)

/** Finds single downloads. */
export const downloadLookups = (db: Database) => ({
  find: (id: number) => findWhere(db, 'd.id = ?').get(id),
  findByUuid: (uuid: string) => findWhere(db, 'd.uuid = ?').get(uuid),
  findOfEpisode: (episodeId: number) => findDownloadOf(db, episodeId),
  findVisible: (viewer: Viewer, uuid: string) => findVisible(db, viewer, uuid),
  /** A download that the viewer may see. Throws `download-not-found`. */
  require: (viewer: Viewer, uuid: string): DownloadRow => required(findVisible(db, viewer, uuid), 'download'),
  unfinishedOf: (podcastId: number) => findWhere(db, `e.podcast_id = ? AND d.state IN (${unfinished})`).all(podcastId),
  /** Downloads of a podcast that have not ended, and may have left something in a storage. */
  begunOf: (podcastId: number) =>
    findWhere(
      db,
      `e.podcast_id = ? AND d.state IN (${unfinished})
       AND (d.state = 'running' OR d.received_bytes > 0 OR d.target_path IS NOT NULL)`,
    ).all(podcastId),
  /**
   * Ids of the downloads that a user's request of this moment queued and that have not ended, the last first.
   * `podcastId` null = of any podcast.
   */
  queuedBy: (userId: number, podcastId: number | null, askedAt: number): number[] =>
    db
      .query<{ id: number; place: number }, [number, number, number | null]>(
        `SELECT d.id, d.place FROM download d JOIN episode e ON e.id = d.episode_id JOIN podcast p ON p.id = e.podcast_id
           JOIN download_request r ON r.episode_id = d.episode_id
          WHERE r.user_id = ?1 AND r.asked_at = ?2 AND d.created_at = ?2
            AND (?3 IS NULL OR e.podcast_id = ?3) AND d.state IN (${unfinished})`,
      )
      .all(userId, askedAt, podcastId)
      .sort((one, other) => other.place - one.place)
      .map(({ id }) => id),
  unfinishedEids: () =>
    db
      .query<{ eid: string }, []>(
        // In this order: SQLite would otherwise walk all episodes if it believes that there are many downloads.
        `SELECT e.eid FROM download d INDEXED BY download_place CROSS JOIN episode e ON e.id = d.episode_id
          WHERE d.state IN (${unfinished})`,
      )
      .all()
      .map(row => row.eid),
})

/** A place in the list of downloads: the rank of a group, and the place within it. */
type ListPosition = { rank: number; place: number }

/** Groups of the list, in its order. */
const groups: readonly (readonly DownloadState[])[] = [
  ['running'],
  ['queued', 'waiting'],
  ['paused'],
  ['failed'],
  ['done'],
]

/** Lists and counts downloads. */
export const downloadLists = (db: Database) => ({
  /** Running downloads first, then in the order of the queue. */
  list(
    viewer: Viewer,
    states: readonly DownloadState[],
    limit: number,
    after: ListPosition | null,
  ): (DownloadRow & { rank: number })[] {
    const rows: (DownloadRow & { rank: number })[] = []
    for (let rank = after?.rank ?? 0; rank < groups.length && rows.length < limit; rank++) {
      const from = rank === after?.rank ? after.place : 0
      const found = groups[rank]!.filter(state => states.includes(state)).flatMap(state =>
        db
          .query<DownloadRow, Record<string, string | number>>(
            `${select}
              WHERE d.state = $state AND d.place > $from AND ${visibleEpisode(viewer)}
              ORDER BY d.place LIMIT $limit`,
          )
          .all({ state, from, limit }),
      )
      found.sort((one, other) => one.place - other.place)
      rows.push(...found.slice(0, limit - rows.length).map(row => ({ ...row, rank })))
    }
    return rows
  },
  /** Number of downloads by state, without those that are done. */
  counts: (viewer: Viewer) =>
    Object.fromEntries(
      db
        .query<{ state: DownloadState; total: number }, []>(
          `SELECT d.state, count(*) AS total
             FROM download d ${episodeJoins}
            WHERE d.state IN (${unfinished}) AND ${visibleEpisode(viewer)} GROUP BY d.state`,
        )
        .all()
        .map(row => [row.state, row.total]),
    ) as Partial<Record<DownloadState, number>>,
})

type Ready = { id: number; place: number; podcast_id: number; enclosure_url: string }
/** `form`: the form of the episode that a person asks for; absent or null = the one that the podcast's settings prefer. */
type Request = { automatic: boolean; userId: number | null; now: number; form?: string | null | undefined }

export const lastPlace = '(SELECT coalesce(max(place), 0) + 1 FROM download)'

/** The queue of downloads. */
export const downloadQueue = (db: Database) => ({
  /** Downloads that may start now, in order; a generator, since a long queue may wait for a single host. */
  ready: (now: number) => ready(db, now),
  /**
   * Puts an episode at the end of the queue. `userId`: the person who asked, and is notified when it ends; null = a
   * rule of the server.
   */
  enqueue(episodeId: number, { automatic, userId, now, form = null }: Request) {
    db.query("DELETE FROM download WHERE episode_id = ? AND state = 'done'").run(episodeId)
    db.query<null, Record<string, string | number | null>>(
      `INSERT INTO download (uuid, place, episode_id, state, created_at, automatic, form)
       VALUES ($uuid, ${lastPlace}, $episodeId, 'queued', $now, $automatic, $form)
       ON CONFLICT DO UPDATE
          SET state = 'queued', attempts = 0, error_code = NULL, message = NULL, next_attempt_at = NULL,
              automatic = min(automatic, $automatic), form = coalesce($form, form)
        WHERE state IN ('failed', 'waiting', 'paused')`,
    ).run({ uuid: crypto.randomUUID(), episodeId, now, automatic: Number(automatic), form })
    if (userId !== null) noteRequest(db, episodeId, userId, now)
  },
  /** Chooses the form of the episode that a download fetches. */
  setForm(id: number, form: string) {
    db.query('UPDATE download SET form = ? WHERE id = ?').run(form, id)
  },
  noteRequest: (episodeId: number, userId: number, askedAt: number) => noteRequest(db, episodeId, userId, askedAt),
  /** Moves a download that makes no progress to the end of the queue. */
  moveToEnd(id: number) {
    db.query(`UPDATE download SET place = ${lastPlace} WHERE id = ?`).run(id)
  },
  setState(id: number, state: 'queued' | 'paused') {
    db.query(
      `UPDATE download SET state = ?, attempts = 0, next_attempt_at = NULL, error_code = NULL, message = NULL WHERE id = ?`,
    ).run(state, id)
  },
  /** Queues downloads that a crash left running again, in their old place; `running`: ids of those that really run. */
  requeueLost(running: readonly number[]) {
    db.query(
      `UPDATE download SET state = 'queued' WHERE state = 'running' AND id NOT IN (SELECT value FROM json_each(?))`,
    ).run(JSON.stringify(running))
  },
  /** Fails the download of an episode that has not started. */
  refuse(episodeId: number, { code, message }: Failure, now: number) {
    db.query(
      `UPDATE download SET state = 'failed', error_code = ?, message = ?, finished_at = ?, next_attempt_at = NULL
        WHERE episode_id = ? AND state IN ('queued', 'waiting', 'paused')`,
    ).run(code, message, now, episodeId)
  },
  remove(id: number) {
    db.query('DELETE FROM download WHERE id = ?').run(id)
  },
})

/** Requests made at the same moment are announced together. */
function noteRequest(db: Database, episodeId: number, userId: number, askedAt: number) {
  db.query(
    `INSERT INTO download_request (episode_id, user_id, asked_at) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET asked_at = excluded.asked_at, outcome = NULL`,
  ).run(episodeId, userId, askedAt)
}

function* ready(db: Database, now: number): Generator<Ready> {
  const select =
    'SELECT d.id, d.place, e.podcast_id, e.enclosure_url FROM download d JOIN episode e ON e.id = d.episode_id ' +
    'JOIN podcast p ON p.id = e.podcast_id'
  // Few of the waiting downloads are ready, but all of the queued ones are.
  const waiting = db
    .query<Ready, [number]>(`${select} WHERE d.state = 'waiting' AND d.next_attempt_at <= ?`)
    .all(now)
    .sort((one, other) => one.place - other.place)
  for (const queued of db.query<Ready, []>(`${select} WHERE d.state = 'queued' ORDER BY d.place`).iterate()) {
    while (waiting[0] && waiting[0].place < queued.place) yield waiting.shift()!
    yield queued
  }
  yield* waiting
}
