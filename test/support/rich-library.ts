import type { Database } from 'bun:sqlite'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One episode in this many has what few episodes have. */
const FEW = 20
const NOW = Date.now()
const LATER = NOW + 1e9

const episodes = 'FROM episode WHERE podcast_id = $podcast'
const some = `${episodes} AND id % ${FEW} = 0`
const firstEpisode = '(SELECT min(id) FROM episode WHERE podcast_id = $podcast)'
const named = (prefix: string) => `'${prefix}' || $user || '-' || $podcast || '-' || id`
const first = (table: string) => `(SELECT min(id) FROM ${table} WHERE user_id = $user)`

/** Rows of a podcast. */
const ofPodcast: Record<string, string> = {
  feed_alias: `VALUES ('https://old.example/' || $podcast, $podcast)`,
  feed_credential: `VALUES ($podcast, x'00')`,
  cover: `(podcast_id, url, digest, type, fetched_at, color)
    SELECT $podcast, 'https://cdn.example/' || id || '.jpg', printf('%040d', id), 'image/jpeg', ${NOW}, '' ${some}`,
  podcast_settings: '(podcast_id, keep_last) VALUES ($podcast, 100000)',
  download: `(uuid, episode_id, state, created_at, automatic)
    SELECT 'd' || id, id, iif(file_path IS NULL, 'queued', 'done'), ${NOW}, 0 ${episodes}`,
  document: `(uuid, episode_id, kind, place, url, type, state, format)
    SELECT 'd' || id, id, 'chapters', 0, 'https://cdn.example/' || id, 'x', 'parsed', 'json' ${some}`,
  chapter: `(uuid, episode_id, source, start_ms, title) SELECT 'c' || id, id, 'feed', 0, 'x' ${some}`,
  transcription: `(uuid, episode_id, state, automatic, created_at) SELECT 't' || id, id, 'failed', 0, ${NOW} ${some}`,
  sidecar: `SELECT file_path || '.nfo', id, 'x' ${some} AND file_path IS NOT NULL`,
  person: `(name) VALUES ('Guest of ' || $podcast)`,
  podcast_person: `(person_id, podcast_id) SELECT max(id), $podcast FROM person`,
  episode_person: `(person_id, published_at, episode_id)
    SELECT (SELECT max(id) FROM person), published_at, id ${some}`,
  read_item: `SELECT id, 1 ${some}`,
  live_notice: `VALUES ($podcast, 'x', 'x', ${NOW}, 1)`,
  former_episode: `SELECT NULL, podcast_id, id, 'before', ${NOW}, published_at, NULL, title, enclosure_url, NULL, NULL,
    NULL, 0, 'x', 0 ${some}`,
  episode_apart: `SELECT id, ${firstEpisode} ${some}`,
  unsure_twin: `SELECT id, ${firstEpisode} ${some}`,
}

/** Rows of an account. */
const ofUser: Record<string, string> = {
  list_filter: `VALUES ($user, NULL, 1, 'TITLE', 0)`,
  tag: `(uuid, user_id, name, name_key, color, created_at) VALUES ('t' || $user, $user, 'x', 'x', 'Red', ${NOW})`,
  playlist: `(uuid, user_id, name, name_key, created_at) VALUES ('p' || $user, $user, 'x', 'x', ${NOW})`,
  queue: '(user_id, version, updated_at) VALUES ($user, 1, 1)',
  saved_queue: `(uuid, user_id, saved_at, name, name_key) VALUES ('s' || $user, $user, ${NOW}, 'x', 'x')`,
  app_password: `(uuid, user_id, name, hash, created_at) VALUES ('a' || $user, $user, 'x', 'h' || $user, ${NOW})`,
  device: `(user_id, name, caption, type, created_at, app_password_id)
    VALUES ($user, 'x', 'x', 'mobile', ${NOW}, ${first('app_password')})`,
  sync_asked: `SELECT id, 'actions', 0, ${NOW}, ${NOW} FROM device WHERE user_id = $user`,
  subscription: `VALUES ($user, 'x', 'https://x.example', 1, 'x', ${NOW})`,
  sync_setting: `VALUES ($user, 'account', '', 'x', '1')`,
  sync_list: `VALUES ($user, 'x', 'x', '[]')`,
  app_session: `(uuid, user_id, app_password_id, epoch, name, created_at, last_used_at, last_address)
    VALUES ('s' || $user, $user, ${first('app_password')}, 0, 'x', ${NOW}, ${NOW}, 'x')`,
  app_token: `(hash, session_id, kind, expires_at) VALUES ('h' || $user, ${first('app_session')}, 'refresh', ${LATER})`,
  session: `SELECT NULL, 's' || $user, 'h' || $user, $user, 0, 'browser', 1, 1, 1, 'x', 'x', ${NOW}, ${NOW}, ${LATER},
    'password', 'x'`,
  passkey: `(uuid, user_id, credential_id, public_key, counter, transports, host, name, device, created_at)
    VALUES ('p' || $user, $user, 'c' || $user, x'00', 0, '[]', 'x', 'x', 'x', ${NOW})`,
  second_factor: `(user_id, secret, created_at) VALUES ($user, x'00', ${NOW})`,
  invite: `VALUES ('i' || $user, 'user', 0, ${NOW}, ${LATER}, ${NOW}, $user)`,
  recovery_code: `VALUES ($user, 'x')`,
  known_place: `VALUES ($user, 'x', ${NOW})`,
  destination: `(uuid, user_id, kind, name, host, target, has_token, events, is_on, time_zone, language, base_url, created_at)
    VALUES ('d' || $user, $user, 'ntfy', 'x', 'x', x'00', 0, '[]', 0, 'UTC', 'en', 'https://x.example', ${NOW})`,
  delivery: `(uuid, destination_id, type, facts, created_at, due_at)
    VALUES ('d' || $user, ${first('destination')}, 'x', '{}', ${NOW}, ${LATER})`,
  job: `(uuid, user_id, kind, state, started_at, finished_at) VALUES ('j' || $user, $user, 'opml', 'done', ${NOW}, ${NOW})`,
  move: `(uuid, user_id, source, file_name, state, last_podcast, started_at, finished_at)
    VALUES ('m' || $user, $user, 'gpodder', 'x', 'done', 0, ${NOW}, ${NOW})`,
  move_count: `VALUES (${first('move')}, 'x', 'position', 'taken', '', 1)`,
  move_undo_count: `VALUES (${first('move')}, 'x', 'position', 'undone', '', 1)`,
}

/** Rows of an account about a podcast and its episodes. */
const ofBoth: Record<string, string> = {
  favourite: `VALUES ($user, $podcast, ${NOW})`,
  podcast_tag: `VALUES ($podcast, ${first('tag')})`,
  podcast_preference: '(user_id, podcast_id, speed) VALUES ($user, $podcast, 2)',
  playback: `(user_id, episode_id, podcast_id, position, total, device, updated_at)
    SELECT $user, id, podcast_id, 60, 1800, 'web', ${NOW} ${episodes}`,
  episode_like: `SELECT $user, id, ${NOW} ${episodes}`,
  listened: `SELECT $user, ${Math.floor(NOW / 3_600_000)} - id, id, podcast_id, 60, 10, 5 ${episodes}`,
  playlist_item: `SELECT ${first('playlist')}, id, id ${episodes}`,
  queue_item: `(uuid, user_id, episode_id, place, added_at) SELECT ${named('q')}, $user, id, id, ${NOW} ${episodes}`,
  saved_queue_item: `SELECT ${first('saved_queue')}, id, id, ${NOW}, 0 ${episodes}`,
  marked_before: `SELECT $user, id, 'x', ${NOW}, 0, 0 ${some}`,
  new_episode: `SELECT $user, podcast_id, id, 0 ${some}`,
  playback_hidden: `SELECT $user, id, ${NOW} ${some}`,
  bookmark: `(uuid, user_id, episode_id, time, created_at) SELECT ${named('b')}, $user, id, 1, ${NOW} ${some}`,
  loudness: `SELECT $user, id, -16.5, 600 ${some}`,
  skip_mark: `(uuid, user_id, episode_id, start_ms, end_ms, skip, created_at)
    SELECT ${named('s')}, $user, id, 0, 1, 1, ${NOW} ${some}`,
  episode_action: `(user_id, feed_key, feed_url, media_key, media_url, action, at, received_at, episode_id)
    SELECT $user, 'x', 'x', id, 'x', 'play', 1, ${NOW}, id ${some}`,
  download_request: `(episode_id, user_id, asked_at, outcome) SELECT id, $user, ${NOW}, 'done' ${some}`,
  play_session: `SELECT ${named('p')}, $user, id, ${first('app_session')}, 'x', 'x', ${NOW}, ${NOW}, NULL, 0, 1, 1, 0, '{}' ${some}`,
  clip: `(uuid, code, user_id, episode_id, start_ms, end_ms, title, quote, file_type, created_at, ends_at)
    SELECT ${named('c')}, ${named('c')}, $user, id, 0, 1, 'x', 'x', 'audio/mpeg', ${NOW}, ${LATER} ${some}`,
  notification: `(uuid, user_id, type, message, created_at, podcast_id, episode_id)
    SELECT ${named('n')}, $user, 'Download', 'x', ${NOW}, podcast_id, id ${some}`,
  job_item: `(job_id, place, feed_url, state, podcast_id, episode_id)
    SELECT ${first('job')}, id, 'x', 'added', podcast_id, id ${some}`,
  move_podcast: `(move_id, place, feed_url, active, state, podcast_id)
    VALUES (${first('move')}, $podcast, 'x' || $podcast, 1, 'added', $podcast)`,
  move_change: `(move_id, place, item, kind, user_id, podcast_id, episode_id)
    SELECT ${first('move')}, id, 1, 'like', $user, podcast_id, id ${some}`,
}

/** Rows that the server's jobs soon change. */
const passing: Record<string, string> = {
  feed_trouble: `VALUES ($podcast, ${NOW})`,
  announcement: `SELECT id, 'published' ${some}`,
  download_failure: `SELECT id, 1 ${some}`,
  queue_arrival: `SELECT id, $user ${some}`,
  kept_episode: `SELECT ${first('playlist')}, id ${some}`,
}

/** Tables that the planting fills in, or that triggers do. */
const otherwise = ['episode', 'listening', 'user_look']

export type Planting = { db: Database; data: string }

function fill({ db }: Planting, tables: Record<string, string>, values: { user?: number; podcast?: number }) {
  for (const [table, rest] of Object.entries(tables)) {
    const statement = `INSERT INTO ${table} ${rest}`
    const used = Object.entries(values).filter(([name]) => statement.includes(`$${name}`))
    db.query(statement).run(Object.fromEntries(used.map(([name, value]) => [`$${name}`, value])))
  }
}

/** Gives a podcast of `plantLarge` everything that it can have, and a file to every fifth of its episodes. */
export function enrichPodcast(planting: Planting, podcast: number) {
  const { db, data } = planting
  db.query(
    `UPDATE episode SET file_path = 'podcast-' || $podcast || '/' || id || '.mp3', file_size = 1,
            file_type = 'audio/mpeg', downloaded_at = ${NOW}
      WHERE podcast_id = $podcast AND id % 5 = 0`,
  ).run({ $podcast: podcast } as never)
  fill(planting, ofPodcast, { podcast })
  const list = (sql: string) => db.query<{ path: string }, [number]>(sql).all(podcast)
  for (const { path } of list('SELECT file_path AS path FROM episode WHERE podcast_id = ? AND file_path IS NOT NULL'))
    write(join(data, 'podcasts', path))
  for (const { path } of list('SELECT path FROM sidecar JOIN episode e ON e.id = episode_id WHERE podcast_id = ?'))
    write(join(data, 'podcasts', path))
  for (const { path } of list('SELECT digest AS path FROM cover WHERE podcast_id = ?'))
    for (const size of ['', '-256.webp']) write(join(data, 'covers', path.slice(0, 2), path + size))
}

/** Gives an account everything that it can have by itself. */
export const enrichUser = (planting: Planting, user: number) => fill(planting, ofUser, { user })

/** Gives an account everything that it can have of a podcast. */
export function enrichBoth(planting: Planting, user: number, podcast: number) {
  fill(planting, ofBoth, { user, podcast })
  for (const { uuid } of planting.db.query<{ uuid: string }, []>('SELECT uuid FROM clip').all())
    write(join(planting.data, 'clips', uuid))
}

/** Adds what the server's jobs soon make something else of. */
export const addPassing = (planting: Planting, user: number, podcast: number) =>
  fill(planting, passing, { user, podcast })

function write(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'x')
}

/** Tables that refer to another one and that nothing here fills. */
export const unplantedTables = (db: Database): string[] => {
  const planted = new Set([...[ofPodcast, ofUser, ofBoth, passing].flatMap(Object.keys), ...otherwise])
  return db
    .query<{ name: string }, []>(
      `SELECT DISTINCT t.name FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
        WHERE t.type = 'table' AND t.name <> 'podcast'`,
    )
    .all()
    .map(({ name }) => name)
    .filter(name => !planted.has(name))
}
