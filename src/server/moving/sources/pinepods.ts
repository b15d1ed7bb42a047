import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { DumpTables } from '../dump/load'
import type { EpisodeRef, Item, UserItem } from '../item'
import { isOnTheWeb, isTrue, number, seconds, type Source, type SourceFile, text, time } from './source'

/** Podcast apps don't report the end: within this many seconds of it, an episode counts as played. */
const NEAR_THE_END = 10

/** Its columns are in lower case in PostgreSQL, and in mixed case in MySQL. */
const columns = (names: string) => names.split(/\s+/)

const dump: DumpTables = {
  tables: {
    Users: { keys: ['userid'], must: ['username'], may: ['isadmin', 'hashed_pw'] },
    Podcasts: {
      keys: ['podcastid', 'userid', 'feedurl'],
      may: columns(`podcastname username password autodownload startskip endskip playbackspeed playbackspeedcustomized
        isyoutubechannel`),
    },
    Episodes: {
      keys: ['episodeid', 'podcastid', 'episodeurl'],
      must: ['episodetitle'],
      may: columns('episodedescription episodeguid episodepubdate episodeduration completed'),
    },
    UserEpisodeHistory: { keys: ['userid', 'episodeid'], must: ['listenduration'], may: ['listendate'] },
    GpodderSyncEpisodeActions: {
      keys: ['userid', 'podcasturl', 'episodeurl'],
      must: ['action', 'position', 'timestamp'],
      may: ['total'],
    },
    SavedEpisodes: { keys: ['userid', 'episodeid'], may: ['savedate'] },
    EpisodeQueue: { keys: ['userid', 'episodeid'], must: ['queueposition'], may: ['queueid', 'is_youtube'] },
    Collections: { keys: ['collectionid', 'userid'], must: ['name'] },
    CollectionEpisodes: { keys: ['collectionid', 'episodeid'], may: ['collectionepisodeid'] },
    Playlists: { keys: ['playlistid', 'userid'], must: ['name'], may: ['issystemplaylist'] },
    PlaylistContents: { keys: ['playlistid', 'episodeid'], may: ['position'] },
  },
  numbers:
    columns(`userid podcastid episodeid collectionid collectionepisodeid playlistid queueid queueposition position
    total timestamp listenduration episodeduration startskip endskip playbackspeed`),
  flags: columns(`isadmin autodownload playbackspeedcustomized isyoutubechannel completed is_youtube
    issystemplaylist`),
}

/** The server's dump of its PostgreSQL or MySQL database. */
export const pinepods: Source = {
  name: 'pinepods',
  title: 'PinePods',
  isFile: true,
  recognise: ({ db }) => db?.hasTables('Users', 'Podcasts', 'Episodes', 'UserEpisodeHistory') ?? false,
  read,
  dump,
}

async function* read({ db, now }: SourceFile): AsyncGenerator<Item> {
  db!.use(dump.tables)
  for (const row of db!.rows(queries.users)) {
    const name = ownerOf(row)
    if (name !== null) yield { is: 'user', name, ...personOf(row) }
  }
  yield* readPodcasts(db!)
  yield* readSubscriptions(db!)
  yield* readPositions(db!, now)
  yield* readLists(db!, now)
}

/** Its hashes are argon2id; someone who signs in elsewhere has none. */
function personOf({ isadmin, hashed_pw }: ForeignRow): Partial<UserItem> {
  const hash = text(hashed_pw, 500)
  return {
    role: isTrue(isadmin) ? 'admin' : 'user',
    explicit: true,
    password: hash === null ? null : { scheme: 'argon2', hash },
  }
}

function* readPodcasts(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows(queries.podcasts)) {
    const feed = text(row.feedurl)
    if (feed === null || !isOnTheWeb(feed)) continue
    const user = text(row.username)
    const credentials = user === null ? null : { user, password: text(row.password) ?? '' }
    yield { is: 'podcast', feed, title: text(row.podcastname), credentials, active: true }
  }
}

function* readSubscriptions(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows(queries.subscriptions)) {
    const [feed, user] = [text(row.feedurl), ownerOf(row)]
    if (feed === null || !isOnTheWeb(feed) || isTrue(row.isyoutubechannel)) {
      yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
      continue
    }
    yield { is: 'subscription', user, feed }
    const speed = isTrue(row.playbackspeedcustomized) ? number(row.playbackspeed) : null
    const [skipIntro, skipOutro] = [seconds(row.startskip) ?? 0, seconds(row.endskip) ?? 0]
    if (speed !== null || skipIntro > 0 || skipOutro > 0)
      yield { is: 'preference', user, feed, speed, volume: null, skipIntro, skipOutro }
  }
  for (const row of db.rows(queries.downloads)) {
    const feed = text(row.feed)
    if (feed !== null) yield { is: 'rules', feed, autoDownload: true, include: null, exclude: null }
  }
}

function* readPositions(db: ForeignDatabase, now: number): Generator<Item> {
  for (const row of db.rows(queries.positions)) {
    const episode = refOf(row, now)
    const [position, at] = [seconds(row.position) ?? 0, time(row.at, 'text', now)]
    const finished = isTrue(row.finished)
    yield { is: 'position', user: ownerOf(row), episode, position, total: episode.duration, finished, at }
  }
  for (const row of db.rows(queries.completed)) {
    const episode = refOf(row, now)
    const total = episode.duration
    yield { is: 'position', user: ownerOf(row), episode, position: 0, total, finished: true, at: null }
  }
  for (const row of db.rows(queries.appPositions)) {
    const [position, total] = [seconds(row.position) ?? 0, seconds(row.total)]
    const finished = total !== null && position >= total - NEAR_THE_END
    const [episode, at] = [refOf(row, now), time(row.at, 's', now)]
    yield { is: 'position', user: ownerOf(row), episode, position, total, finished, at }
  }
}

function* readLists(db: ForeignDatabase, now: number): Generator<Item> {
  for (const row of db.rows(queries.likes))
    yield { is: 'like', user: ownerOf(row), episode: refOf(row, now), at: time(row.at, 'text', now) }
  for (const row of db.rows(queries.queue)) yield { is: 'queued', user: ownerOf(row), episode: refOf(row, now) }
  for (const _ of db.rows(queries.queuedVideos))
    yield { is: 'left-out', kind: 'queue', reason: 'not-on-the-web', feed: null }
  for (const lists of [queries.collections, queries.playlists]) {
    for (const row of db.rows(lists)) {
      const list = text(row.list, 200)
      if (list !== null) yield { is: 'listed', user: ownerOf(row), list, episode: refOf(row, now) }
    }
  }
}

const ownerOf = ({ owner }: ForeignRow) => text(owner, 200)

const refOf = (row: ForeignRow, now: number): EpisodeRef => ({
  feed: text(row.feed) ?? '',
  guid: text(row.episodeguid),
  address: text(row.episodeurl),
  title: text(row.episodetitle),
  publishedAt: time(row.episodepubdate, 'text', now),
  duration: seconds(row.episodeduration),
  notes: text(row.episodedescription, 20_000),
})

const onTheWeb = 'coalesce(p.isyoutubechannel, 0) = 0'
const episodeColumns = `p.feedurl AS feed, e.episodeguid, e.episodeurl, e.episodetitle, e.episodedescription,
  e.episodepubdate, e.episodeduration`
const joined = `JOIN Podcasts p ON p.podcastid = e.podcastid AND ${onTheWeb}`
const inOrder = 'ORDER BY p.podcastid, e.episodeid, u.userid'

/** Queries of its tables, each in an order that is the same every time. */
const queries = {
  /** The first user does the server's background tasks, and isn't a person. */
  users: 'SELECT username AS owner, isadmin, hashed_pw FROM Users WHERE userid <> 1 ORDER BY userid',
  /** Each has a row for every user; a password may be in the row of only one of them. */
  podcasts: `SELECT p.* FROM Podcasts p WHERE ${onTheWeb} ORDER BY coalesce(p.username, '') = '', p.podcastid`,
  subscriptions: `SELECT p.*, u.username AS owner FROM Podcasts p LEFT JOIN Users u ON u.userid = p.userid
                   ORDER BY p.podcastid`,
  /** Downloads belong to everybody, so a missing one is nobody's choice. */
  downloads: `SELECT p.feedurl AS feed FROM Podcasts p WHERE p.autodownload = 1 AND ${onTheWeb}
               GROUP BY p.feedurl ORDER BY min(p.podcastid)`,
  /** An episode belongs to the podcast of one user, and with it the mark for its end. */
  positions: `
    SELECT u.username AS owner, h.listenduration AS position, h.listendate AS at,
           coalesce(e.completed, 0) = 1 AND p.userid = h.userid AS finished, ${episodeColumns}
      FROM Episodes e ${joined} JOIN UserEpisodeHistory h ON h.episodeid = e.episodeid
      LEFT JOIN Users u ON u.userid = h.userid ${inOrder}, h.listendate`,
  completed: `
    SELECT u.username AS owner, ${episodeColumns}
      FROM Episodes e ${joined} LEFT JOIN Users u ON u.userid = p.userid
     WHERE e.completed = 1
       AND NOT EXISTS (SELECT 1 FROM UserEpisodeHistory h WHERE h.episodeid = e.episodeid AND h.userid = p.userid)
     ${inOrder}`,
  /** The newest report of podcast apps about each episode, if they used the built-in server. */
  appPositions: `
    WITH newest AS (
      SELECT a.userid, a.podcasturl, a.episodeurl, a.position, a.total, max(a.timestamp) AS at
        FROM GpodderSyncEpisodeActions a WHERE lower(a.action) = 'play' AND a.position >= 0 GROUP BY 1, 2, 3)
    SELECT u.username AS owner, n.position, n.total, n.at, ${episodeColumns}
      FROM newest n JOIN Podcasts p ON p.feedurl = n.podcasturl AND p.userid = n.userid AND ${onTheWeb}
      JOIN Episodes e ON e.podcastid = p.podcastid AND e.episodeurl = n.episodeurl
      LEFT JOIN Users u ON u.userid = n.userid ${inOrder}`,
  likes: `SELECT u.username AS owner, s.savedate AS at, ${episodeColumns}
            FROM SavedEpisodes s JOIN Episodes e ON e.episodeid = s.episodeid ${joined}
            LEFT JOIN Users u ON u.userid = s.userid ${inOrder}`,
  queue: `SELECT u.username AS owner, ${episodeColumns}
            FROM EpisodeQueue q JOIN Episodes e ON e.episodeid = q.episodeid ${joined}
            LEFT JOIN Users u ON u.userid = q.userid
           WHERE coalesce(q.is_youtube, 0) = 0 ORDER BY q.userid, q.queueposition, q.queueid, e.episodeid`,
  queuedVideos: 'SELECT q.userid FROM EpisodeQueue q WHERE q.is_youtube = 1',
  /** The default collection has no rows here: it is the saved episodes. */
  collections: `SELECT u.username AS owner, c.name AS list, ${episodeColumns}
                  FROM Collections c JOIN CollectionEpisodes x ON x.collectionid = c.collectionid
                  JOIN Episodes e ON e.episodeid = x.episodeid ${joined} LEFT JOIN Users u ON u.userid = c.userid
                 ORDER BY c.collectionid, x.collectionepisodeid, e.episodeid`,
  playlists: `SELECT u.username AS owner, l.name AS list, ${episodeColumns}
                FROM Playlists l JOIN PlaylistContents x ON x.playlistid = l.playlistid
                JOIN Episodes e ON e.episodeid = x.episodeid ${joined} LEFT JOIN Users u ON u.userid = l.userid
               WHERE coalesce(l.issystemplaylist, 0) = 0 ORDER BY l.playlistid, x.position, e.episodeid`,
}
