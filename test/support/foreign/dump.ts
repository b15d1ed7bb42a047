import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/server/data-folder'

const of = (table: string) => `FROM ${table} x JOIN user u ON u.id = x.user_id JOIN episode e ON e.id = x.episode_id
  JOIN podcast p ON p.id = e.podcast_id`

/** Queries for everything that a move may change, without ids and random names. */
const queries = {
  podcasts: `SELECT p.feed_url AS feed, p.title, p.active,
                    EXISTS (SELECT 1 FROM feed_credential c WHERE c.podcast_id = p.id) AS password
               FROM podcast p ORDER BY 1`,
  episodes: `SELECT p.feed_url AS feed, e.guid, e.title, e.in_feed, e.removed
               FROM episode e JOIN podcast p ON p.id = e.podcast_id ORDER BY 1, 2`,
  favourites: `SELECT u.username, p.feed_url AS feed FROM favourite x JOIN user u ON u.id = x.user_id
                 JOIN podcast p ON p.id = x.podcast_id ORDER BY 1, 2`,
  tags: `SELECT u.username, t.name, t.color, p.feed_url AS feed FROM tag t JOIN user u ON u.id = t.user_id
           JOIN podcast_tag x ON x.tag_id = t.id JOIN podcast p ON p.id = x.podcast_id ORDER BY 1, 2, 4`,
  preferences: `SELECT u.username, p.feed_url AS feed, speed, boost, skip_intro, skip_outro FROM podcast_preference x
                  JOIN user u ON u.id = x.user_id JOIN podcast p ON p.id = x.podcast_id ORDER BY 1, 2`,
  rules: `SELECT p.feed_url AS feed, auto_download, include, exclude FROM podcast_settings x
            JOIN podcast p ON p.id = x.podcast_id ORDER BY 1`,
  positions: `SELECT u.username, p.feed_url AS feed, e.guid, x.position, x.total, x.finished, x.updated_at, x.device
                ${of('playback')} ORDER BY 1, 2, 3`,
  likes: `SELECT u.username, p.feed_url AS feed, e.guid ${of('episode_like')} ORDER BY 1, 2, 3`,
  queue: `SELECT u.username, x.place, p.feed_url AS feed, e.guid ${of('queue_item')} ORDER BY 1, 2`,
  bookmarks: `SELECT u.username, e.guid, x.time, x.note, x.created_at ${of('bookmark')} ORDER BY 1, 2, 3`,
  playlists: `SELECT u.username, l.name, x.place, e.guid FROM playlist l JOIN user u ON u.id = l.user_id
                JOIN playlist_item x ON x.playlist_id = l.id JOIN episode e ON e.id = x.episode_id ORDER BY 1, 2, 3`,
}

/** Queries for what not every program keeps. Hashes of passwords are salted: only their kinds are told. */
const moreQueries = {
  users: `SELECT username, role, explicit_consent, coalesce(password_kind, iif(password_hash IS NULL, 'none', 'ours')) AS kind
            FROM user WHERE built_in = 0 ORDER BY 1`,
  listened: `SELECT u.username, p.feed_url AS feed, e.guid, x.hour, x.seconds ${of('listened')} ORDER BY 1, 2, 3, 4`,
  settings: `SELECT p.feed_url AS feed, x.auto_update, x.auto_cleanup, x.auto_cleanup_days, x.podcast_prefill,
                    x.episode_numbering, x.use_existing_filename, x.replace_invalid_characters,
                    x.replacement_strategy, x.direct_paths, x.episode_format, x.podcast_format
               FROM podcast_settings x JOIN podcast p ON p.id = x.podcast_id ORDER BY 1`,
  transcripts: `SELECT p.feed_url AS feed, e.guid, x.language, x.state, x.generated, e.has_generated_transcript, e.search_place IS NULL
                  FROM document x JOIN episode e ON e.id = x.episode_id JOIN podcast p ON p.id = e.podcast_id
                 WHERE x.kind = 'transcript' ORDER BY 1, 2`,
}

export type Dump = Record<keyof typeof queries, string[]>

const rowsOf = (folder: string, sql: string) => {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  try {
    return db.query<Record<string, unknown>, []>(sql).all()
  } finally {
    db.close()
  }
}

/** One line for each row, by kind; `origin` is left out of addresses. */
export const dumpOf = (folder: string, origin: string): Dump => runAll(queries, folder, origin) as Dump

/** The same for people, statistics, settings and transcripts. */
export const moreOf = (folder: string, origin: string) =>
  runAll(moreQueries, folder, origin) as Record<keyof typeof moreQueries, string[]>

const runAll = (all: Record<string, string>, folder: string, origin: string) =>
  Object.fromEntries(
    Object.entries(all).map(([name, sql]) => [
      name,
      rowsOf(folder, sql).map(row =>
        Object.values(row)
          .map(value =>
            String(value ?? '-')
              .replaceAll(origin, '')
              .replaceAll(new URL(origin).host, ''),
          )
          .join(' | '),
      ),
    ]),
  )

/** The report of a move, summed over its podcasts; without an id that of the latest. */
export const reportOf = (folder: string, id: number | '(SELECT max(id) FROM move)' = '(SELECT max(id) FROM move)') =>
  rowsOf(
    folder,
    `SELECT kind, outcome, reason, sum(total) AS total FROM move_count
      WHERE move_id = ${id} GROUP BY kind, outcome, reason ORDER BY 1, 2, 3`,
  ).map(({ kind, outcome, reason, total }) => `${[kind, outcome, reason].filter(Boolean).join(' ')}: ${total}`)
