import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { EpisodeRef, Item, UserItem } from '../item'
import { pinepodsDump, pinepodsQueries as queries } from './pinepods-tables'
import type { Source, SourceFile } from './source'
import { isOnTheWeb, isTrue, number, seconds, text, time } from './values'

/** Podcast apps report no end: within so many seconds of it an episode is played. */
const NEAR_THE_END = 10

/** The server's dump of its PostgreSQL or MySQL database. */
export const pinepods: Source = {
  name: 'pinepods',
  title: 'PinePods',
  where: 'A backup of its database, made by pg_dump or mysqldump',
  recognise: ({ db }) => db?.hasTables('Users', 'Podcasts', 'Episodes', 'UserEpisodeHistory') ?? false,
  read,
  dump: pinepodsDump,
}

async function* read({ db, now }: SourceFile): AsyncGenerator<Item> {
  db!.use(pinepodsDump.tables)
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
