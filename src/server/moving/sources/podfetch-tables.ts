import type { ForeignDatabase, ForeignTable } from '../../store/foreign-database'

/** Tables whose rows belong to a user, who is named in older versions and has an id in newer ones. */
const owned = [
  'favorites',
  'favorite_podcast_episodes',
  'episodes',
  'tags',
  'playlists',
  'episode_triages',
  'audiobookshelf_media_progress',
] as const
type Owned = (typeof owned)[number]

const tables: Record<string, ForeignTable> = {
  users: { keys: ['id'], must: ['username'] },
  podcasts: { keys: ['id'], must: ['rssfeed', 'name'], may: ['active', 'guid'] },
  podcast_episodes: {
    keys: ['id', 'podcast_id', 'guid', 'url', 'episode_id'],
    must: ['name', 'date_of_recording', 'total_time'],
    may: ['description', 'deleted', 'download_location'],
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
}

/**
 * Makes the tables of all three generations look alike: `owner(table, alias)` is the SQL for the name of the user to
 * whom a row belongs, null where that user is in no row of `users`.
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
  users: `SELECT username AS owner FROM users UNION
          SELECT ${owner('favorites', 'f')} FROM favorites f UNION
          SELECT ${owner('episodes', 'e')} FROM episodes e ORDER BY 1`,
  favourites: `SELECT ${owner('favorites', 'f')} AS owner, p.rssfeed AS feed
                 FROM favorites f JOIN podcasts p ON p.id = f.podcast_id WHERE f.favored = 1 ORDER BY 1, p.id`,
  tags: `SELECT ${owner('tags', 't')} AS owner, t.name, t.color, t.description, p.rssfeed AS feed
           FROM tags t JOIN tags_podcasts x ON x.tag_id = t.id JOIN podcasts p ON p.id = x.podcast_id
          ORDER BY t.id, p.id`,
  /**
   * The newest report of each user, feed and episode, of whatever device. Two podcasts may share a guid: the row is
   * taken whose feed was reported.
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
  removed: `SELECT ${episodeColumns} FROM podcast_episodes pe ${joined} WHERE pe.deleted = 1 ORDER BY p.id, pe.id`,
})
