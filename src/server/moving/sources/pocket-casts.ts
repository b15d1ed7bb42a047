import type { Outline } from '../../opml/parse'
import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import { type EpisodeRef, type Item, MoveRefused } from '../item'
import { isOnTheWeb, isTrue, number, seconds, type Source, type SourceFile, text, time } from './source'

const COMPLETED = 2

/** The Android app's "Export database", which knows no addresses of feeds: they come from its OPML list, by title. */
export const pocketCasts: Source = {
  name: 'pocket-casts',
  title: 'Pocket Casts',
  isFile: true,
  recognise: ({ db }) => db?.hasTables('podcasts', 'podcast_episodes', 'up_next_episodes') ?? false,
  read,
}

/** The address of the feed of each podcast that is in the list, by its id here. */
type Feeds = Map<string, string>

async function* read({ db, now, readList }: SourceFile): AsyncGenerator<Item> {
  const list = readList()
  if (list === null)
    throw new MoveRefused(
      'move-needs-list',
      'The database of Pocket Casts has no addresses of feeds. Export its OPML list as well (Settings › Import/Export) ' +
        'and give both: castellan import FILE --with FILE.opml',
    )
  useTables(db!)
  const onTheWeb = list.filter(({ feedUrl }) => isOnTheWeb(feedUrl))
  const feeds = joinByTitle(db!, onTheWeb)
  for (const { feedUrl, title } of onTheWeb) yield { is: 'podcast', feed: feedUrl, title, active: true }
  for (const { feedUrl } of onTheWeb) yield { is: 'subscription', user: null, feed: feedUrl }
  yield* readFeeds(db!, feeds)
  yield* readEpisodes(db!, feeds, now)
}

/** Two podcasts of one title cannot be distinguished: neither is joined. */
function joinByTitle(db: ForeignDatabase, list: readonly Outline[]): Feeds {
  const listed = Map.groupBy(list, ({ title }) => folded(title))
  const known = new Map<string, string | null>()
  for (const { uuid, title } of db.rows(queries.podcasts)) {
    const key = folded(text(title))
    known.set(key, known.has(key) && known.get(key) !== String(uuid) ? null : String(uuid))
  }
  const feeds: Feeds = new Map()
  for (const [title, outlines] of listed) {
    const uuid = known.get(title)
    if (title !== '' && outlines.length === 1 && uuid) feeds.set(uuid, outlines[0]!.feedUrl)
  }
  return feeds
}

const folded = (title: string | null) => (title ?? '').toLowerCase().replace(/\s+/g, ' ').trim()

function* readFeeds(db: ForeignDatabase, feeds: Feeds): Generator<Item> {
  for (const row of db.rows(queries.podcasts)) {
    const feed = feeds.get(String(row.uuid))
    if (feed === undefined) {
      const reason = isTrue(row.subscribed) || isTrue(row.used) ? 'not-in-the-list' : 'not-subscribed'
      yield { is: 'left-out', kind: 'podcasts', reason, feed: null }
      continue
    }
    const folder = text(row.folder, 100)
    if (folder !== null) yield { is: 'tag', user: null, feed, name: folder }
    const given = isTrue(row.override_global_effects) ? number(row.playback_speed) : null
    const speed = given !== null && given > 0 ? given : null
    const [skipIntro, skipOutro] = [seconds(row.start_from) ?? 0, seconds(row.skip_last) ?? 0]
    if (speed !== null || skipIntro > 0 || skipOutro > 0)
      yield { is: 'preference', user: null, feed, speed, volume: null, skipIntro, skipOutro }
  }
}

function* readEpisodes(db: ForeignDatabase, feeds: Feeds, now: number): Generator<Item> {
  const refOf = (row: ForeignRow) => makeRef(row, feeds, now)
  for (const row of db.rows(queries.positions)) {
    const [position, total] = [seconds(row.played_up_to) ?? 0, seconds(row.duration)]
    const finished = number(row.playing_status) === COMPLETED
    const at = time(row.last_playback_interaction_date, 'ms', now)
    yield { is: 'position', user: null, episode: refOf(row), position, total, finished, at }
  }
  for (const row of db.rows(queries.likes))
    yield { is: 'like', user: null, episode: refOf(row), at: time(row.last_starred_date, 'ms', now) }
  for (const row of db.rows(queries.queue)) yield { is: 'queued', user: null, episode: refOf(row) }
  for (const row of db.rows(queries.playlists)) {
    const list = text(row.list, 200)
    if (list !== null) yield { is: 'listed', user: null, list, episode: refOf(row) }
  }
  for (const row of db.rows(queries.bookmarks)) {
    const [moment, note, at] = [seconds(row.moment) ?? 0, text(row.note, 1000), time(row.created_at, 'ms', now)]
    yield { is: 'bookmark', user: null, episode: refOf(row), time: moment, note, at }
  }
}

/** It keeps no guid: an episode is found by its address, else by title and day. */
const makeRef = (row: ForeignRow, feeds: Feeds, now: number): EpisodeRef => ({
  feed: feeds.get(String(row.podcast)) ?? '',
  guid: null,
  address: text(row.download_url),
  title: text(row.title),
  publishedAt: time(row.published_date, 'ms', now),
  duration: seconds(row.duration),
  notes: text(row.episode_description, 20_000),
  type: text(row.file_type),
})

const useTables = (db: ForeignDatabase) =>
  db.use({
    podcasts: {
      keys: ['uuid', 'folder_uuid'],
      must: ['title', 'subscribed'],
      may: ['override_global_effects', 'playback_speed', 'start_from', 'skip_last'],
    },
    podcast_episodes: {
      keys: ['uuid', 'podcast_id'],
      must: ['title', 'download_url', 'played_up_to', 'playing_status'],
      may: `published_date duration starred last_starred_date last_playback_interaction_date episode_description
        file_type`.split(/\s+/),
    },
    up_next_episodes: { keys: ['episodeUuid', 'podcastUuid'], must: ['position'], may: ['title', 'downloadUrl'] },
    bookmarks: { keys: ['episode_uuid', 'podcast_uuid'], must: ['time'], may: ['title', 'created_at', 'deleted'] },
    folders: { keys: ['uuid'], must: ['name'], may: ['deleted'] },
    playlists: { keys: ['uuid'], may: ['title', 'manual', 'deleted'] },
    manual_playlist_episodes: {
      keys: ['playlist_uuid', 'episode_uuid'],
      may: ['podcast_uuid', 'title', 'download_url', 'published_at', 'sort_position'],
    },
  })

const wasPlayed = '(e.playing_status > 0 OR e.played_up_to > 0)'

const queries = {
  podcasts: `
    SELECT p.*, f.name AS folder,
           p.uuid IN (SELECT e.podcast_id FROM podcast_episodes e WHERE ${wasPlayed} OR e.starred = 1) AS used
      FROM podcasts p LEFT JOIN folders f ON f.uuid = p.folder_uuid AND coalesce(f.deleted, 0) = 0
     ORDER BY p.uuid, f.name`,
  positions: `
    SELECT e.*, e.podcast_id AS podcast FROM podcast_episodes e WHERE ${wasPlayed} ORDER BY e.podcast_id, e.uuid`,
  likes: `
    SELECT e.*, e.podcast_id AS podcast FROM podcast_episodes e WHERE e.starred = 1 ORDER BY e.podcast_id, e.uuid`,
  /** An episode of the queue or of a playlist may have no separate row. */
  queue: `
    SELECT e.*, coalesce(e.podcast_id, u.podcastUuid) AS podcast, coalesce(e.title, u.title) AS title,
           coalesce(e.download_url, u.downloadUrl) AS download_url
      FROM up_next_episodes u LEFT JOIN podcast_episodes e ON e.uuid = u.episodeUuid
     ORDER BY u.position, u.episodeUuid`,
  bookmarks: `
    SELECT e.*, coalesce(e.podcast_id, b.podcast_uuid) AS podcast, b.time AS moment, b.title AS note, b.created_at
      FROM bookmarks b LEFT JOIN podcast_episodes e ON e.uuid = b.episode_uuid
     WHERE coalesce(b.deleted, 0) = 0 ORDER BY b.episode_uuid, b.time`,
  playlists: `
    SELECT e.*, l.title AS list, coalesce(e.podcast_id, x.podcast_uuid) AS podcast, coalesce(e.title, x.title) AS title,
           coalesce(e.download_url, x.download_url) AS download_url,
           coalesce(e.published_date, x.published_at) AS published_date
      FROM playlists l JOIN manual_playlist_episodes x ON x.playlist_uuid = l.uuid
      LEFT JOIN podcast_episodes e ON e.uuid = x.episode_uuid
     WHERE l.manual = 1 AND coalesce(l.deleted, 0) = 0 ORDER BY l.uuid, x.sort_position, x.episode_uuid`,
}
