import type { ForeignDatabase, ForeignRow, ForeignTable } from '../../store/foreign-database'
import type { DumpTables } from '../dump/load'
import type { Item, MoreRules } from '../item'
import { isTrue, number, text } from './source'

/** Tables whose rows belong to a user, who is named in older versions and has an id in newer ones. */
const owned = [
  'favorites',
  'favorite_podcast_episodes',
  'episodes',
  'tags',
  'playlists',
  'episode_triages',
  'audiobookshelf_media_progress',
  'listening_events',
] as const
type Owned = (typeof owned)[number]

/** Columns that settings of a podcast and of the server have in common. */
const settingColumns = [
  'auto_download',
  'auto_update',
  'auto_cleanup',
  'auto_cleanup_days',
  'podcast_prefill',
  'episode_numbering',
  'use_existing_filename',
  'replace_invalid_characters',
  'replacement_strategy',
  'direct_paths',
  'episode_format',
  'podcast_format',
] as const

const tables: Record<string, ForeignTable> = {
  users: { keys: ['id'], must: ['username'], may: ['role', 'password', 'explicit_consent'] },
  podcasts: { keys: ['id'], must: ['rssfeed', 'name'], may: ['active', 'guid'] },
  podcast_episodes: {
    keys: ['id', 'podcast_id', 'guid', 'url', 'episode_id'],
    must: ['name', 'date_of_recording', 'total_time'],
    may: ['description', 'deleted', 'download_location', 'file_episode_path', 'download_time'],
  },
  favorites: { keys: ['podcast_id'], must: ['favored'] },
  favorite_podcast_episodes: { keys: ['episode_id'], must: ['favorite'] },
  episodes: { must: ['podcast', 'episode', 'guid', 'action', 'position', 'total', 'timestamp'] },
  playlists: { keys: ['id'], must: ['name'] },
  playlist_items: { keys: ['playlist_id', 'episode'], must: ['position'] },
  tags: { keys: ['id'], must: ['name'], may: ['color', 'description'] },
  tags_podcasts: { keys: ['tag_id', 'podcast_id'] },
  episode_triages: { keys: ['episode_id'], must: ['status', 'updated_at'] },
  audiobookshelf_media_progress: {
    keys: ['episode_id'],
    must: ['position_seconds', 'duration', 'is_finished', 'last_update'],
  },
  listening_events: { keys: ['podcast_episode_db_id'], must: ['delta_seconds', 'listened_at'] },
  podcast_episode_transcripts: { keys: ['id', 'episode_id'], must: ['source'], may: ['language'] },
  podcast_episode_transcript_segments: {
    keys: ['transcript_id'],
    must: ['idx', 'text'],
    may: ['start_ms', 'end_ms', 'speaker'],
  },
  podcast_settings: { keys: ['podcast_id'], may: ['activated', ...settingColumns] },
  settings: { may: settingColumns },
}

/** Its tables in a dump, of all three generations; the last one is known by its name alone. */
export const podfetchDump: DumpTables = {
  tables: {
    ...Object.fromEntries(
      Object.entries(tables).map(([table, columns]) => [
        table,
        owned.some(one => one === table)
          ? { ...columns, keys: [...(columns.keys ?? []), 'user_id', 'username'] }
          : columns,
      ]),
    ),
    __diesel_schema_migrations: { may: ['version'] },
  },
  numbers: `id podcast_id user_id episode_id episode playlist_id tag_id position position_seconds duration total
    total_time podcast_episode_db_id delta_seconds transcript_id idx start_ms end_ms auto_cleanup_days
    podcast_prefill`.split(/\s+/),
  flags: `active deleted favored favorite is_finished explicit_consent activated auto_download auto_update auto_cleanup
    episode_numbering use_existing_filename replace_invalid_characters direct_paths`.split(/\s+/),
}

/**
 * Makes the tables of all three generations look alike: `owner(table, alias)` is the SQL for the name of the user to
 * whom a row belongs, null if that user is in no row of `users`.
 */
export function usePodfetch(db: ForeignDatabase) {
  const isById = new Map<Owned, boolean>(owned.map(table => [table, db.hasColumn(table, 'user_id')]))
  const ownerColumn = (table: Owned) => (isById.get(table) ? 'user_id' : 'username')
  const withOwners = Object.entries(tables).map(([table, columns]) => {
    const owner = owned.find(one => one === table)
    return [table, owner ? { ...columns, keys: [...(columns.keys ?? []), ownerColumn(owner)] } : columns] as const
  })
  db.use(Object.fromEntries(withOwners))
  return {
    owner: (table: Owned, alias: string) =>
      isById.get(table)
        ? `(SELECT u.username FROM users u WHERE u.id = ${alias}.user_id LIMIT 1)`
        : `${alias}.username`,
  }
}

const episodeColumns = `p.rssfeed AS feed, pe.guid, pe.url, pe.name, pe.date_of_recording, pe.total_time, pe.description`
const joined = 'JOIN podcasts p ON p.id = pe.podcast_id'

type OwnerOf = ReturnType<typeof usePodfetch>['owner']

/** Queries of its tables, each in an order that is the same every time. */
export const podfetchQueries = (owner: OwnerOf) => ({
  podcasts: 'SELECT * FROM podcasts ORDER BY id',
  /** Users of every table, since the one of the configuration may be in no row of `users`. */
  users: `WITH named AS (
            SELECT username AS owner FROM users UNION
            SELECT ${owner('favorites', 'f')} FROM favorites f UNION
            SELECT ${owner('episodes', 'e')} FROM episodes e)
          SELECT n.owner, max(u.role) AS role, max(u.password) AS password, max(u.explicit_consent) AS explicit_consent
            FROM named n LEFT JOIN users u ON u.username = n.owner GROUP BY n.owner ORDER BY 1`,
  favourites: `SELECT ${owner('favorites', 'f')} AS owner, p.rssfeed AS feed
                 FROM favorites f JOIN podcasts p ON p.id = f.podcast_id WHERE f.favored = 1 ORDER BY 1, p.id`,
  tags: `SELECT ${owner('tags', 't')} AS owner, t.name, t.color, t.description, p.rssfeed AS feed
           FROM tags t JOIN tags_podcasts x ON x.tag_id = t.id JOIN podcasts p ON p.id = x.podcast_id
          ORDER BY t.id, p.id`,
  /**
   * The newest report of each user, feed and episode, of whatever device. Two podcasts may share a guid: the
   * row whose feed was reported is taken.
   */
  positions: `
    WITH newest AS (
      SELECT ${owner('episodes', 'e')} AS owner, e.podcast, nullif(e.guid, '') AS reported, e.episode, e.position,
             e.total, max(e.timestamp) AS at
        FROM episodes e WHERE lower(e.action) = 'play' AND e.position >= 0
       GROUP BY 1, e.podcast, coalesce(nullif(e.guid, ''), e.episode)),
    found AS (
      SELECT n.*, pe.id FROM newest n JOIN podcast_episodes pe ON pe.guid = n.reported
       UNION ALL
      SELECT n.*, pe.id FROM newest n JOIN podcast_episodes pe ON pe.url = n.episode WHERE n.reported IS NULL)
    SELECT f.owner, f.position, f.total, f.at, ${episodeColumns}, max(p.rssfeed = f.podcast) AS fits
      FROM found f JOIN podcast_episodes pe ON pe.id = f.id ${joined}
     GROUP BY f.owner, f.podcast, coalesce(f.reported, f.episode)
     ORDER BY p.id, pe.id, f.owner, f.podcast`,
  /** Reports of episodes that the library does not hold. */
  unknownPositions: `
    SELECT e.podcast AS feed FROM episodes e
     WHERE lower(e.action) = 'play' AND e.position >= 0
       AND coalesce(nullif(e.guid, ''), e.episode) NOT IN (
             SELECT guid FROM podcast_episodes WHERE guid IS NOT NULL
             UNION SELECT url FROM podcast_episodes WHERE url IS NOT NULL)
     GROUP BY e.podcast, coalesce(nullif(e.guid, ''), e.episode) ORDER BY 1`,
  /** Positions of Audiobookshelf apps: the only ones with a mark for the end. */
  appPositions: `
    SELECT ${owner('audiobookshelf_media_progress', 'm')} AS owner, m.position_seconds AS position,
           m.duration AS total, m.is_finished, m.last_update AS at, ${episodeColumns}
      FROM audiobookshelf_media_progress m JOIN podcast_episodes pe ON pe.id = m.episode_id ${joined}
     ORDER BY p.id, pe.id, 1`,
  likes: `SELECT ${owner('favorite_podcast_episodes', 'l')} AS owner, ${episodeColumns}
            FROM favorite_podcast_episodes l JOIN podcast_episodes pe ON pe.id = l.episode_id ${joined}
           WHERE l.favorite = 1 ORDER BY p.id, pe.id, 1`,
  queue: `SELECT ${owner('episode_triages', 'q')} AS owner, ${episodeColumns}
            FROM episode_triages q JOIN podcast_episodes pe ON pe.id = q.episode_id ${joined}
           WHERE q.status = 'queued' ORDER BY 1, q.updated_at, pe.id`,
  playlists: `SELECT ${owner('playlists', 'l')} AS owner, l.name AS list, ${episodeColumns}
                FROM playlists l JOIN playlist_items i ON i.playlist_id = l.id
                JOIN podcast_episodes pe ON pe.id = i.episode ${joined} ORDER BY l.id, i.position, pe.id`,
  files: `SELECT pe.file_episode_path AS path, pe.download_location AS place, pe.download_time AS at, ${episodeColumns}
            FROM podcast_episodes pe ${joined}
           WHERE pe.file_episode_path IS NOT NULL AND coalesce(pe.deleted, 0) = 0 ORDER BY p.id, pe.id`,
  /** Summed up by the hour before descriptions are joined: there is an event for every few seconds. */
  listened: `
    WITH hours AS (
      SELECT ${owner('listening_events', 'l')} AS owner, l.podcast_episode_db_id AS id, sum(l.delta_seconds) AS seconds,
             min(l.listened_at) AS at
        FROM listening_events l WHERE l.delta_seconds > 0 GROUP BY 1, 2, substr(l.listened_at, 1, 13))
    SELECT h.owner, h.seconds, h.at, ${episodeColumns}
      FROM hours h JOIN podcast_episodes pe ON pe.id = h.id ${joined} ORDER BY p.id, pe.id, 1, h.at`,
  transcripts: `SELECT t.id, t.language, ${episodeColumns}
                  FROM podcast_episode_transcripts t JOIN podcast_episodes pe ON pe.id = t.episode_id ${joined}
                 WHERE t.source = 'generated' ORDER BY t.id`,
  segments: `SELECT s.transcript_id, s.start_ms, s.end_ms, s.speaker, s.text
               FROM podcast_episode_transcript_segments s
               JOIN podcast_episode_transcripts t ON t.id = s.transcript_id
               JOIN podcast_episodes pe ON pe.id = t.episode_id ${joined}
              WHERE t.source = 'generated' ORDER BY s.transcript_id, s.idx, s.start_ms`,
  podcastSettings: `SELECT p.rssfeed AS feed, s.* FROM podcast_settings s JOIN podcasts p ON p.id = s.podcast_id
                     WHERE s.activated = 1 ORDER BY p.id`,
  serverSettings: 'SELECT * FROM settings LIMIT 1',
  removed: `SELECT ${episodeColumns} FROM podcast_episodes pe ${joined} WHERE pe.deleted = 1 ORDER BY p.id, pe.id`,
})

type Queries = { podcastSettings: string; serverSettings: string }

/** Reads the settings of podcasts that have their own, and those of the server. */
export function* readPodfetchSettings(db: ForeignDatabase, queries: Queries): Generator<Item> {
  for (const row of db.rows(queries.podcastSettings)) {
    const feed = text(row.feed)
    const [autoDownload, more] = [flag(row.auto_download), moreRules(row)]
    if (feed !== null) yield { is: 'rules', feed, autoDownload, include: null, exclude: null, more }
  }
  for (const row of db.rows(queries.serverSettings))
    yield { is: 'server-settings', settings: { autoDownload: flag(row.auto_download), ...moreRules(row) } }
}

const moreRules = (row: ForeignRow): MoreRules => ({
  autoUpdate: flag(row.auto_update),
  autoCleanup: flag(row.auto_cleanup),
  autoCleanupDays: number(row.auto_cleanup_days),
  podcastPrefill: number(row.podcast_prefill),
  episodeNumbering: flag(row.episode_numbering),
  useExistingFilename: flag(row.use_existing_filename),
  replaceInvalidCharacters: flag(row.replace_invalid_characters),
  replacementStrategy: text(row.replacement_strategy, 100),
  directPaths: flag(row.direct_paths),
  episodeFormat: formatOf(row.episode_format),
  podcastFormat: formatOf(row.podcast_format),
})

const flag = (value: unknown) => (number(value) === null ? null : isTrue(value))

/** `{}` stands for the format that the program has anyway. */
function formatOf(value: unknown): string | null {
  const format = text(value, 300)
  return format === '{}' ? null : format
}
