import { SECOND } from '../../platform/clock'
import type { NewAction } from '../../store/episode-actions'
import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import { hasPlace, isFinished, readAction } from '../../sync/spelling'
import type { EpisodeRef, Item, PositionItem } from '../item'
import { isCopyOf } from '../lines'
import { bytes, isOnTheWeb, isTrue, seconds, type Source, type SourceFile, text, time } from './source'

/** Sections that gPodder gives automatically. */
const ownSections = new Set(['audio', 'video', 'other'])

/** The desktop program; its file `Database` has no extension. */
export const gpodder: Source = {
  name: 'gpodder',
  title: 'gPodder',
  isFile: true,
  recognise: ({ db }) => db?.hasTables('podcast', 'episode', 'version') ?? false,
  read,
}

async function* read({ db, now }: SourceFile): AsyncGenerator<Item> {
  use(db!)
  yield* readPodcasts(db!)
  yield* readSubscriptions(db!)
  for (const row of db!.rows(playedEpisodes)) {
    const episode = refOf(row, now)
    const total = seconds(row.total_time)
    const [position, at] = [seconds(row.current_position) ?? 0, time(row.at, 's', now)]
    yield { is: 'position', user: null, episode, position, total, finished: isTrue(row.finished), at }
  }
  // Its lock against deletion is the nearest thing that it has to a like.
  for (const row of db!.rows(`${episodes} WHERE e.archive = 1 ${inOrder}`))
    yield { is: 'like', user: null, episode: refOf(row, now), at: time(row.last_playback, 's', now) }
  for (const row of db!.rows(`${episodes} WHERE e.state = 2 ${inOrder}`))
    yield { is: 'removed', episode: refOf(row, now) }
  for (const row of db!.rows(`${episodes} WHERE e.state = 1 ${inOrder}`)) {
    const name = text(row.download_filename)
    if (name === null) continue
    const path = [text(row.download_folder), name].filter(Boolean).join('/')
    yield { is: 'file', episode: refOf(row, now), path, size: bytes(row.file_size), at: null }
  }
}

const use = (db: ForeignDatabase) =>
  db.use({
    podcast: {
      keys: ['id'],
      must: ['url'],
      may: ['title', 'auth_username', 'auth_password', 'pause_subscription', 'section', 'download_folder'],
    },
    episode: {
      keys: ['id', 'podcast_id'],
      must: ['url'],
      may: `guid title description description_html link published state is_new archive total_time current_position
        current_position_updated last_playback mime_type download_filename file_size`.split(/\s+/),
    },
  })

const episodes = `SELECT e.*, p.url AS feed, p.download_folder FROM episode e JOIN podcast p ON p.id = e.podcast_id`
const inOrder = 'ORDER BY e.podcast_id, e.id'

/**
 * `is_new = 0` alone says nothing: episodes older than the subscription are stored in the same way. Played means that
 * the end was reached by the program's own rule, or that an episode was played and then reset.
 */
const playedEpisodes = `
  SELECT e.*, p.url AS feed, max(coalesce(e.current_position_updated, 0), coalesce(e.last_playback, 0)) AS at,
         (e.current_position > 0 AND e.total_time > 0
            AND (e.current_position + 10 >= e.total_time OR e.current_position >= 0.99 * e.total_time))
         OR (e.is_new = 0 AND e.last_playback > 0 AND coalesce(e.current_position, 0) <= 0) AS finished
    FROM episode e JOIN podcast p ON p.id = e.podcast_id
   WHERE e.current_position > 0 OR (e.is_new = 0 AND e.last_playback > 0) ${inOrder}`

function* readPodcasts(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows('SELECT * FROM podcast ORDER BY id')) {
    const feed = text(row.url)
    if (feed === null || !isOnTheWeb(feed)) continue
    const user = text(row.auth_username)
    const credentials = user === null ? null : { user, password: text(row.auth_password) ?? '' }
    yield { is: 'podcast', feed, title: text(row.title), credentials, active: !isTrue(row.pause_subscription) }
  }
}

function* readSubscriptions(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows('SELECT * FROM podcast ORDER BY id')) {
    const feed = text(row.url)
    if (feed === null || !isOnTheWeb(feed)) {
      yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
      continue
    }
    yield { is: 'subscription', user: null, feed }
    const section = text(row.section)
    if (section && !ownSections.has(section.toLowerCase())) yield { is: 'tag', user: null, feed, name: section }
  }
}

const refOf = (row: ForeignRow, now: number): EpisodeRef => ({
  feed: text(row.feed) ?? '',
  guid: text(row.guid),
  address: text(row.url),
  title: text(row.title),
  publishedAt: time(row.published, 's', now),
  duration: seconds(row.total_time),
  notes: text(row.description_html, 20_000) ?? text(row.description, 20_000),
  link: text(row.link),
  type: text(row.mime_type),
})

const NAME = 'gpodder-server'
/** Apps stop reporting shortly before the end. */
const NEAR_THE_END = 10

/** A server with gPodder's API or the app of Nextcloud, whose answers were copied: subscriptions and plays. */
export const gpodderServer: Source = {
  name: NAME,
  title: 'gPodder-compatible server',
  isFile: false,
  recognise: ({ db, head }) => db === null && isCopyOf(NAME, head),
  read: readServer,
}

async function* readServer({ records, now }: SourceFile): AsyncGenerator<Item> {
  for (const record of records()) {
    const feed = text(record.feed)
    if (record.is === 'feed' && feed !== null && isOnTheWeb(feed))
      yield { is: 'podcast', feed, title: text(record.title), active: true }
  }
  for (const record of records()) {
    if (record.is !== 'feed') continue
    const feed = text(record.feed)
    if (feed !== null && isOnTheWeb(feed)) yield { is: 'subscription', user: null, feed }
    else yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
  }
  for (const action of newestActions(records(), now).values()) yield positionOf(action, now)
}

/** The newest position of each episode; of two with the same time, the later one. */
function newestActions(records: Iterable<ForeignRow>, now: number): Map<string, NewAction> {
  const newest = new Map<string, NewAction>()
  for (const record of records) {
    const action = record.is === 'action' ? readAction(0, record, Math.floor(now / SECOND)) : null
    if (!action || !hasPlace(action)) continue
    const key = `${action.feed_key} ${action.media_key}`
    const known = newest.get(key)
    if (known && action.at < known.at && action.said_at !== null) continue
    newest.set(key, { ...action, guid: action.guid ?? known?.guid ?? null })
  }
  return newest
}

function positionOf(action: NewAction, now: number): PositionItem {
  const { feed_url: feed, media_url: address, guid, said_at } = action
  const [position, total] = [seconds(action.position) ?? 0, seconds(action.total)]
  const isNearTheEnd = position > 0 && total !== null && position >= total - NEAR_THE_END
  return {
    is: 'position',
    user: null,
    episode: { feed, guid, address, title: null, publishedAt: null, duration: total },
    position,
    total,
    finished: isFinished(action) || isNearTheEnd,
    at: time(said_at, 's', now),
  }
}
