import { MAX_PLAYLIST_DESCRIPTION } from '../../../shared/limits'
import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { EpisodeRef, Item } from '../item'
import { bytes, isOnTheWeb, isTrue, number, seconds, type Source, type SourceFile, text, time } from './source'
import { HOUR, SECOND } from '../../platform/clock'

/** The server's SQLite database, from version 2.3 on; of its libraries those of podcasts. */
export const audiobookshelf: Source = {
  name: 'audiobookshelf',
  title: 'Audiobookshelf',
  isFile: true,
  recognise: ({ db }) => db?.hasTables('libraryItems', 'podcastEpisodes', 'mediaProgresses') ?? false,
  read,
}

async function* read({ db, now }: SourceFile): AsyncGenerator<Item> {
  use(db!)
  yield* readPeople(db!)
  yield* readPodcasts(db!)
  yield* readFeeds(db!)
  for (const row of db!.rows(positions)) {
    const [position, total] = [seconds(row.currentTime) ?? 0, seconds(row.duration)]
    const [finished, at] = [isTrue(row.isFinished), time(row.updatedAt, 'text', now)]
    yield { is: 'position', user: text(row.username, 200), episode: refOf(row, now), position, total, finished, at }
  }
  for (const row of db!.rows(playlists)) {
    const [list, about] = [text(row.list, 200), text(row.about, MAX_PLAYLIST_DESCRIPTION)]
    if (list !== null) yield { is: 'listed', user: text(row.username, 200), list, about, episode: refOf(row, now) }
  }
  yield* readBookmarks(db!, now)
  yield* readSessions({ db: db!, sessions, refOf: row => refOf(row, now), now })
  yield* readFiles(db!, now)
}

const use = (db: ForeignDatabase) =>
  db.use({
    users: { keys: ['id'], must: ['username'], may: ['bookmarks', 'type', 'isActive', 'permissions', 'pash'] },
    podcasts: { keys: ['id'], must: ['title', 'feedURL'], may: ['autoDownloadEpisodes', 'tags'] },
    podcastEpisodes: {
      keys: ['id', 'podcastId'],
      must: ['title', 'enclosureURL'],
      may: ['description', 'publishedAt', 'enclosureType', 'extraData', 'audioFile', 'createdAt'],
    },
    mediaProgresses: {
      keys: ['userId', 'mediaItemId'],
      must: ['mediaItemType', 'currentTime', 'isFinished'],
      may: ['duration', 'updatedAt'],
    },
    playbackSessions: {
      keys: ['userId', 'mediaItemId'],
      may: ['mediaItemType', 'timeListening', 'createdAt'],
    },
    playlists: { keys: ['id', 'userId'], must: ['name'], may: ['description'] },
    playlistMediaItems: { keys: ['playlistId', 'mediaItemId'], must: ['mediaItemType', 'order'] },
    libraryItems: { keys: ['id', 'mediaId'], must: ['mediaType'] },
  })

const episodeColumns = `p.feedURL AS feed, e.title, e.enclosureURL, e.enclosureType, e.description, e.publishedAt,
  e.extraData`
const joins = 'JOIN podcasts p ON p.id = e.podcastId'
const podcasts = 'SELECT * FROM podcasts ORDER BY id'

const positions = `
  SELECT u.username, m.currentTime, m.duration, m.isFinished, m.updatedAt, ${episodeColumns}
    FROM mediaProgresses m JOIN users u ON u.id = m.userId JOIN podcastEpisodes e ON e.id = m.mediaItemId ${joins}
   WHERE m.mediaItemType = 'podcastEpisode' ORDER BY p.id, e.id, u.id`

const playlists = `
  SELECT u.username, l.name AS list, l.description AS about, ${episodeColumns}
    FROM playlists l JOIN users u ON u.id = l.userId
    JOIN playlistMediaItems i ON i.playlistId = l.id AND i.mediaItemType = 'podcastEpisode'
    JOIN podcastEpisodes e ON e.id = i.mediaItemId ${joins} ORDER BY l.id, i."order", e.id`

/** Bookmarks name the podcast and no episode: they mean something where it has one alone. */
const bookmarks = `
  SELECT u.username, b.value AS bookmark, count(e.id) AS episodes, ${episodeColumns}
    FROM users u JOIN json_each(iif(json_valid(u.bookmarks), u.bookmarks, '[]')) b
    JOIN libraryItems li ON li.id = iif(b.type = 'object', b.value ->> '$.libraryItemId', NULL) AND li.mediaType = 'podcast'
    JOIN podcasts p ON p.id = li.mediaId LEFT JOIN podcastEpisodes e ON e.podcastId = p.id
   GROUP BY u.id, b.key ORDER BY u.id, b.key`

/** Without descriptions: there are many sessions of each episode. */
const sessions = `
  SELECT u.username, e.id, s.createdAt, s.timeListening, p.feedURL AS feed, e.title, e.enclosureURL, e.enclosureType,
         e.publishedAt, e.extraData
    FROM playbackSessions s JOIN users u ON u.id = s.userId JOIN podcastEpisodes e ON e.id = s.mediaItemId ${joins}
   WHERE s.mediaItemType = 'podcastEpisode' ORDER BY u.username, p.id, e.id, s.createdAt, s.timeListening`

function* readPodcasts(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows(podcasts)) {
    const feed = text(row.feedURL)
    if (feed !== null && isOnTheWeb(feed)) yield { is: 'podcast', feed, title: text(row.title), active: true }
  }
}

/** Its libraries belong to everybody: the podcasts become favourites of the person who moves. */
function* readFeeds(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows(podcasts)) {
    const feed = text(row.feedURL)
    if (feed === null || !isOnTheWeb(feed)) {
      yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
      continue
    }
    yield { is: 'subscription', user: null, feed }
    for (const tag of listOf(row.tags)) {
      const name = text(tag, 100)
      if (name !== null) yield { is: 'tag', user: null, feed, name }
    }
    const autoDownload = number(row.autoDownloadEpisodes)
    if (autoDownload !== null)
      yield { is: 'rules', feed, autoDownload: autoDownload !== 0, include: null, exclude: null }
  }
}

function* readBookmarks(db: ForeignDatabase, now: number): Generator<Item> {
  for (const row of db.rows(bookmarks)) {
    const { time: moment, title, createdAt } = objectOf(row.bookmark)
    const feed = text(row.feed)
    if (number(row.episodes) !== 1) yield { is: 'left-out', kind: 'bookmarks', reason: 'several-episodes', feed }
    else {
      const [user, at] = [text(row.username, 200), time(createdAt, 'ms', now)]
      yield { is: 'bookmark', user, episode: refOf(row, now), time: seconds(moment) ?? 0, note: text(title, 1000), at }
    }
  }
}

/** An episode is in its library only while it has a file. */
function* readFiles(db: ForeignDatabase, now: number): Generator<Item> {
  const files = `SELECT e.audioFile, e.createdAt, ${episodeColumns} FROM podcastEpisodes e ${joins} ORDER BY p.id, e.id`
  for (const row of db.rows(files)) {
    const metadata = asObject(objectOf(row.audioFile).metadata)
    const [path, size, at] = [text(metadata.path), bytes(metadata.size), time(row.createdAt, 'text', now)]
    if (path !== null) yield { is: 'file', episode: refOf(row, now), path, size, at }
  }
}

function refOf(row: ForeignRow, now: number): EpisodeRef {
  return {
    feed: text(row.feed) ?? '',
    // Rows from before it was kept have none.
    guid: text(objectOf(row.extraData).guid),
    address: text(row.enclosureURL),
    title: text(row.title),
    publishedAt: time(row.publishedAt, 'text', now),
    duration: null,
    notes: text(row.description, 20_000),
    type: text(row.enclosureType),
  }
}

const admins = ['root', 'admin']

/** Reads the people of a server. One who is switched off there cannot sign in here either. */
function* readPeople(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows('SELECT username, type, isActive, permissions, pash FROM users ORDER BY username')) {
    const name = text(row.username, 200)
    if (name !== null) yield { is: 'user', name, ...personOf(row) }
  }
}

function personOf({ type, isActive, permissions, pash }: ForeignRow) {
  const may = objectOf(permissions)
  const isOfAdmins = admins.some(one => one === type)
  // An uploader here may delete as well.
  const isUploader = type === 'user' && may.upload === true && may.delete === true
  const role = isOfAdmins ? ('admin' as const) : isUploader ? ('uploader' as const) : ('user' as const)
  const hash = isActive === null || isTrue(isActive) ? text(pash, 200) : null
  return {
    role,
    explicit: isOfAdmins || may.accessExplicitContent === true,
    password: hash === null ? null : { scheme: 'bcrypt' as const, hash },
  }
}

/** A session that is longer was left open. */
const MAX_HOURS = 24

type Needs = { db: ForeignDatabase; sessions: string; refOf: (row: ForeignRow) => EpisodeRef; now: number }
type Heard = { user: string; row: ForeignRow; byHour: Map<number, number> }

/** Reads what people listened to, hour by hour. Sessions come by person and episode. */
function* readSessions({ db, sessions, refOf, now }: Needs): Generator<Item> {
  let heard: Heard | null = null
  for (const row of db.rows(sessions)) {
    const user = text(row.username, 200)
    if (user === null) continue
    if (heard && (heard.user !== user || heard.row.id !== row.id)) {
      yield* hoursOf(heard, refOf)
      heard = null
    }
    heard ??= { user, row, byHour: new Map() }
    const at = time(row.createdAt, 'text', now)
    if (at === null) yield { is: 'left-out', kind: 'listened', reason: 'no-time', feed: text(row.feed) }
    else spread(heard.byHour, at, seconds(row.timeListening) ?? 0, now)
  }
  if (heard) yield* hoursOf(heard, refOf)
}

function* hoursOf({ user, row, byHour }: Heard, refOf: Needs['refOf']): Generator<Item> {
  for (const [hour, listened] of byHour)
    yield { is: 'listened', user, episode: refOf(row), seconds: listened, at: hour * HOUR }
}

/** Adds a session to the hours that it filled, one after the other from its beginning. */
function spread(byHour: Map<number, number>, at: number, length: number, now: number) {
  let left = Math.min(length, (MAX_HOURS * HOUR) / SECOND)
  let hour = Math.floor(at / HOUR)
  let room = Math.floor(((hour + 1) * HOUR - at) / SECOND)
  for (; left > 0 && hour * HOUR <= now; hour++, room = HOUR / SECOND) {
    const part = Math.min(left, room)
    if (part > 0) byHour.set(hour, (byHour.get(hour) ?? 0) + part)
    left -= part
  }
}

function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : null
  } catch {
    return null
  }
}

/** An object; an empty one for anything else. */
const asObject = (found: unknown): Record<string, unknown> =>
  typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {}

/** The object of a JSON column; an empty one for anything else. */
const objectOf = (value: unknown) => asObject(parsed(value))

/** The first hundred members of a JSON column's list. */
function listOf(value: unknown): unknown[] {
  const found = parsed(value)
  return Array.isArray(found) ? found.slice(0, 100) : []
}
