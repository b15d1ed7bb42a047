import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { EpisodeRef, Item } from '../item'
import { bytes, isOnTheWeb, isTrue, number, seconds, type Source, type SourceFile, text, time } from './source'

const OLDEST = 1_000_000
const SUBSCRIBED = 0
const NOT_SUBSCRIBED = 1
const ARCHIVED = 2
/** Percent, by the number of the setting; 0 = as everything else. */
const volumes = [null, 50, 20, 150, 200, 250]

/** The database export of the Android app. */
export const antennapod: Source = {
  name: 'antennapod',
  title: 'AntennaPod',
  isFile: true,
  recognise: ({ db }) => (db?.hasTables('Feeds', 'FeedItems', 'FeedMedia') ?? false) && db!.userVersion() >= OLDEST,
  read,
}

async function* read({ db, now }: SourceFile): AsyncGenerator<Item> {
  use(db!)
  yield* readPodcasts(db!)
  yield* readFeeds(db!)
  yield* readEpisodes(db!, now)
}

const use = (db: ForeignDatabase) =>
  db.use({
    Feeds: {
      keys: ['id'],
      must: ['title', 'download_url'],
      may: `custom_title username password state tags auto_download keep_updated feed_playback_speed
        feed_volume_adaption feed_skip_intro feed_skip_ending include_filter exclude_filter`.split(/\s+/),
    },
    FeedItems: {
      keys: ['id', 'feed'],
      must: ['title', 'pubDate', 'read'],
      may: ['item_identifier', 'link', 'description'],
    },
    FeedMedia: {
      keys: ['id', 'feeditem'],
      must: ['download_url', 'duration', 'position'],
      may: `mime_type last_played_time playback_completion_date downloaded file_url filesize`.split(' '),
    },
    Favorites: { keys: ['id', 'feeditem'] },
    Queue: { keys: ['id', 'feeditem'] },
  })

const episodeColumns = `
  f.download_url AS feed, i.item_identifier, i.title, i.pubDate, i.link, i.description, i.read,
  m.download_url AS address, m.duration, m.position, m.mime_type, m.last_played_time, m.playback_completion_date`
const episodeJoins = 'JOIN Feeds f ON f.id = i.feed LEFT JOIN FeedMedia m ON m.feeditem = i.id'

/** Feeds that were only previewed count if something of them was played, liked or queued. */
const feedsWithUse = `
  SELECT f.*, f.id IN (
           SELECT i.feed FROM FeedItems i LEFT JOIN FeedMedia m ON m.feeditem = i.id WHERE i.read = 1 OR m.position > 0
            UNION SELECT i.feed FROM FeedItems i JOIN Favorites x ON x.feeditem = i.id
            UNION SELECT i.feed FROM FeedItems i JOIN Queue q ON q.feeditem = i.id) AS used
    FROM Feeds f ORDER BY f.id`

type Feed = { row: ForeignRow; feed: string | null; state: number; isTaken: boolean }

function* listFeeds(db: ForeignDatabase): Generator<Feed> {
  for (const row of db.rows(feedsWithUse)) {
    const feed = text(row.download_url)
    const state = number(row.state) ?? SUBSCRIBED
    const isTaken = feed !== null && isOnTheWeb(feed) && (state !== NOT_SUBSCRIBED || isTrue(row.used))
    yield { row, feed, state, isTaken }
  }
}

function* readPodcasts(db: ForeignDatabase): Generator<Item> {
  for (const { row, feed, state, isTaken } of listFeeds(db)) {
    if (!isTaken) continue
    const user = text(row.username)
    yield {
      is: 'podcast',
      feed: feed!,
      title: text(row.title),
      ownTitle: text(row.custom_title),
      credentials: user === null ? null : { user, password: text(row.password) ?? '' },
      active: state === SUBSCRIBED && row.keep_updated !== 0,
    }
  }
}

function* readFeeds(db: ForeignDatabase): Generator<Item> {
  for (const { row, feed, state, isTaken } of listFeeds(db)) {
    if (!isTaken) {
      const reason = feed !== null && isOnTheWeb(feed) ? 'not-subscribed' : 'not-on-the-web'
      yield { is: 'left-out', kind: 'podcasts', reason, feed }
      continue
    }
    if (state === SUBSCRIBED || state === ARCHIVED) yield { is: 'subscription', user: null, feed: feed! }
    for (const name of tagsOf(row)) yield { is: 'tag', user: null, feed: feed!, name }
    yield* readPreference(row, feed!)
    yield* readRules(row, feed!)
  }
}

/** Tags are joined by a separator of ASCII; two reserved names mean none. */
const tagsOf = ({ tags }: ForeignRow): string[] =>
  (typeof tags === 'string' ? tags : '')
    .split('\u001e')
    .map(tag => text(tag, 100))
    .filter(tag => tag !== null && tag !== '#root' && tag !== '#untagged')
    .map(tag => tag!)

function* readPreference(row: ForeignRow, feed: string): Generator<Item> {
  const given = number(row.feed_playback_speed)
  const speed = given !== null && given > 0 ? given : null
  const [skipIntro, skipOutro] = [seconds(row.feed_skip_intro) ?? 0, seconds(row.feed_skip_ending) ?? 0]
  const volume = volumes[number(row.feed_volume_adaption) ?? 0] ?? null
  if (speed === null && volume === null && skipIntro === 0 && skipOutro === 0) return
  yield { is: 'preference', user: null, feed, speed, volume, skipIntro, skipOutro }
}

function* readRules(row: ForeignRow, feed: string): Generator<Item> {
  const [include, exclude] = [wordsOf(row.include_filter), wordsOf(row.exclude_filter)]
  const given = number(row.auto_download)
  const autoDownload = given === 0 ? false : given === 2 ? true : null
  if (autoDownload === null && include === null && exclude === null) return
  yield { is: 'rules', feed, autoDownload, include, exclude }
}

/** Words and "several words", separated by blanks, as a list with commas. */
function wordsOf(value: unknown): string | null {
  const found = (text(value) ?? '')
    .split('"')
    .flatMap((part, place) => (place % 2 === 1 ? [part] : part.split(/\s+/)))
    .map(words => words.replaceAll(',', ' ').trim())
    .filter(Boolean)
  return found.length === 0 ? null : found.join(',')
}

function* readEpisodes(db: ForeignDatabase, now: number): Generator<Item> {
  const played = `SELECT ${episodeColumns} FROM FeedItems i ${episodeJoins}
                   WHERE i.read = 1 OR m.position > 0 ORDER BY i.feed, i.id, m.id`
  for (const row of db.rows(played)) {
    const [position, total] = [seconds(row.position, 'ms') ?? 0, seconds(row.duration, 'ms')]
    const at = time(row.last_played_time, 'ms', now) ?? time(row.playback_completion_date, 'ms', now)
    yield { is: 'position', user: null, episode: refOf(row, now), position, total, finished: isOne(row.read), at }
  }
  const liked = `SELECT ${episodeColumns} FROM Favorites x JOIN FeedItems i ON i.id = x.feeditem ${episodeJoins}
                  ORDER BY x.id, m.id`
  for (const row of db.rows(liked)) yield { is: 'like', user: null, episode: refOf(row, now), at: null }
  const queued = `SELECT ${episodeColumns} FROM Queue q JOIN FeedItems i ON i.id = q.feeditem ${episodeJoins}
                   ORDER BY q.id, m.id`
  for (const row of db.rows(queued)) yield { is: 'queued', user: null, episode: refOf(row, now) }
  // Their paths are the phone's: they are found by name and size.
  const files = `SELECT ${episodeColumns}, m.downloaded, m.file_url, m.filesize FROM FeedItems i ${episodeJoins}
                  WHERE m.downloaded > 0 ORDER BY i.feed, i.id, m.id`
  for (const row of db.rows(files)) {
    const [path, size, at] = [text(row.file_url), bytes(row.filesize), time(row.downloaded, 'ms', now)]
    if (path !== null) yield { is: 'file', episode: refOf(row, now), path, size, at }
  }
}

const isOne = (value: unknown) => number(value) === 1

const refOf = (row: ForeignRow, now: number): EpisodeRef => ({
  feed: text(row.feed) ?? '',
  guid: text(row.item_identifier),
  address: text(row.address),
  title: text(row.title),
  publishedAt: time(row.pubDate, 'ms', now),
  duration: seconds(row.duration, 'ms'),
  notes: text(row.description, 20_000),
  link: text(row.link),
  type: text(row.mime_type),
})
