import { tagColors, roles } from '../../../shared/choices'
import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { EpisodeRef, Item, ItemOf, UserItem } from '../item'
import { podfetchDump, podfetchQueries, readPodfetchSettings, usePodfetch } from './podfetch-tables'
import { isOnTheWeb, isTrue, number, seconds, type Source, type SourceFile, text, time } from './source'

/** The user of a server without sign-in: the person who moves. */
const STANDARD_USER = 'user123'
/** Its own positions carry no mark for the end: an episode counts as played from this many seconds before it. */
const NEAR_THE_END = 10
/** The date of episodes whose feed gave one that could not be read. */
const UNREAD_DATE = Date.UTC(2021, 0, 1)

type Queries = ReturnType<typeof podfetchQueries>

/** The server's SQLite database, or a dump of another one, of all three generations of its schema. */
export const podfetch: Source = {
  name: 'podfetch',
  title: 'PodFetch',
  isFile: true,
  recognise: ({ db }) => db?.hasTables('podcasts', 'podcast_episodes', '__diesel_schema_migrations') ?? false,
  read,
  dump: podfetchDump,
}

async function* read({ db, now }: SourceFile): AsyncGenerator<Item> {
  const { owner } = usePodfetch(db!)
  const queries = podfetchQueries(owner)
  for (const row of db!.rows(queries.users)) {
    const name = userOf(row)
    if (name !== null) yield { is: 'user', name, ...personOf(row) }
  }
  yield* readPodcasts(db!, queries)
  yield* readFeeds(db!, queries)
  yield* readPodfetchSettings(db!, queries)
  yield* readPositions(db!, queries, now)
  yield* readLists(db!, queries, now)
  const history = { db: db!, queries, userOf, refOf: (row: ForeignRow) => refOf(row, now), now }
  yield* readListened(history)
  yield* readTranscripts(history)
}

function* readPodcasts(db: ForeignDatabase, queries: Queries): Generator<Item> {
  for (const row of db.rows(queries.podcasts)) {
    const feed = text(row.rssfeed)
    if (feed === null || !isOnTheWeb(feed)) continue
    const active = row.active === null || isTrue(row.active)
    yield { is: 'podcast', feed, title: text(row.name), guid: text(row.guid), active }
  }
}

function* readFeeds(db: ForeignDatabase, queries: Queries): Generator<Item> {
  for (const row of db.rows(queries.podcasts)) {
    const feed = text(row.rssfeed)
    if (feed === null || !isOnTheWeb(feed)) yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
  }
  for (const row of db.rows(queries.favourites)) {
    const feed = text(row.feed)
    if (feed !== null) yield { is: 'subscription', user: userOf(row), feed }
  }
  for (const row of db.rows(queries.tags)) {
    const [feed, name] = [text(row.feed), text(row.name, 100)]
    const color = tagColors.find(one => one === row.color) ?? null
    if (feed !== null && name !== null)
      yield { is: 'tag', user: userOf(row), feed, name, color, description: text(row.description) }
  }
}

function* readPositions(db: ForeignDatabase, queries: Queries, now: number): Generator<Item> {
  for (const row of db.rows(queries.positions)) {
    const [position, total] = [seconds(row.position) ?? 0, seconds(row.total)]
    const finished = total !== null && position >= total - NEAR_THE_END
    const at = time(row.at, 'text', now)
    yield { is: 'position', user: userOf(row), episode: refOf(row, now), position, total, finished, at }
  }
  for (const row of db.rows(queries.appPositions)) {
    const [position, total] = [seconds(row.position) ?? 0, seconds(row.total)]
    const at = number(row.at) === null ? time(row.at, 'text', now) : time(row.at, 'ms', now)
    const finished = isTrue(row.is_finished)
    yield { is: 'position', user: userOf(row), episode: refOf(row, now), position, total, finished, at }
  }
  for (const row of db.rows(queries.unknownPositions))
    yield { is: 'left-out', kind: 'positions', reason: 'not-in-the-feed', feed: text(row.feed) }
}

function* readLists(db: ForeignDatabase, queries: Queries, now: number): Generator<Item> {
  for (const row of db.rows(queries.likes)) yield { is: 'like', user: userOf(row), episode: refOf(row, now), at: null }
  for (const row of db.rows(queries.queue)) yield { is: 'queued', user: userOf(row), episode: refOf(row, now) }
  for (const row of db.rows(queries.playlists)) {
    const list = text(row.list, 200)
    if (list !== null) yield { is: 'listed', user: userOf(row), list, episode: refOf(row, now) }
  }
  for (const row of db.rows(queries.removed)) yield { is: 'removed', episode: refOf(row, now) }
  yield* readFiles(db, queries, now)
}

/** Files on a disk; those in an object store cannot be copied. */
function* readFiles(db: ForeignDatabase, queries: Queries, now: number): Generator<Item> {
  for (const row of db.rows(queries.files)) {
    const path = text(row.path)
    if (path === null) continue
    if (text(row.place) === 'S3') yield { is: 'left-out', kind: 'files', reason: 'no-file', feed: text(row.feed) }
    else yield { is: 'file', episode: refOf(row, now), path, size: null, at: time(row.at, 'text', now) }
  }
}

/** Nothing of somebody who is in no row of `users`. A password is the SHA-256 of it in hex. */
function personOf({ role, password, explicit_consent }: ForeignRow): Partial<UserItem> {
  if (role === null) return {}
  const known = roles.find(one => one === role) ?? 'user'
  const hash = text(password, 100)
  return {
    role: known,
    explicit: isTrue(explicit_consent),
    password: hash === null ? null : { scheme: 'sha256', hash },
  }
}

function userOf({ owner }: ForeignRow): string | null {
  const name = text(owner, 200)
  return name === STANDARD_USER ? null : name
}

function refOf(row: ForeignRow, now: number): EpisodeRef {
  const publishedAt = time(row.date_of_recording, 'text', now)
  return {
    feed: text(row.feed) ?? '',
    guid: text(row.guid),
    address: text(row.url),
    title: text(row.name),
    publishedAt: publishedAt === UNREAD_DATE ? null : publishedAt,
    duration: seconds(row.total_time),
    notes: text(row.description, 20_000),
  }
}

/** Every segment is a row: a thousand transcripts have more of them than a library has episodes. */
const MAX_ROWS = 20_000_000

type Needs = {
  db: ForeignDatabase
  queries: { listened: string; transcripts: string; segments: string }
  userOf: (row: ForeignRow) => string | null
  refOf: (row: ForeignRow) => EpisodeRef
  now: number
}

/** Reads what people listened to, hour by hour. */
function* readListened({ db, queries, userOf, refOf, now }: Needs): Generator<Item> {
  for (const row of db.rows(queries.listened)) {
    const [at, listened] = [time(row.at, 'text', now), seconds(row.seconds)]
    const episode = refOf(row)
    if (at === null) yield { is: 'left-out', kind: 'listened', reason: 'no-time', feed: episode.feed }
    else if (listened !== null) yield { is: 'listened', user: userOf(row), episode, seconds: listened, at }
  }
}

/** Reads the transcripts that the server has made itself. */
function* readTranscripts({ db, queries, refOf }: Needs): Generator<Item> {
  const segments = segmentsByTranscript(db.rows(queries.segments, MAX_ROWS))
  let next = segments.next()
  for (const row of db.rows(queries.transcripts)) {
    if (next.done || next.value.id !== row.id) continue
    const episode = refOf(row)
    const { found } = next.value
    next = segments.next()
    if (found === null) yield { is: 'left-out', kind: 'transcripts', reason: 'too-many', feed: episode.feed }
    else yield { is: 'transcript', episode, language: text(row.language, 35), segments: found }
  }
}

/** Joins rows that follow each other. */
function* segmentsByTranscript(
  rows: Iterable<ForeignRow>,
): Generator<{ id: unknown; found: TranscriptSegments | null }> {
  let id: unknown
  let collected: ReturnType<typeof collectSegments> | null = null
  for (const row of rows) {
    if (collected && row.transcript_id !== id) {
      yield { id, found: collected.all() }
      collected = null
    }
    collected ??= collectSegments()
    id = row.transcript_id
    collected.add(row)
  }
  if (collected) yield { id, found: collected.all() }
}

type TranscriptSegments = ItemOf<'transcript'>['segments']

const MAX_SEGMENTS = 50_000
/** In characters: sixty hours of speech. */
const MAX_TEXT = 4_000_000

/** Collects the rows of one transcript, which name `start_ms`, `end_ms`, `speaker` and `text`; null = too long. */
function collectSegments() {
  const segments: TranscriptSegments = []
  let length = 0
  return {
    add(row: ForeignRow) {
      const said = text(row.text)
      if (said === null) return
      length += said.length
      if (length > MAX_TEXT || segments.length >= MAX_SEGMENTS) return
      const start = (number(row.start_ms) ?? NaN) / 1000
      const end = seconds(row.end_ms, 'ms') === null ? null : number(row.end_ms)! / 1000
      // One without a time is said after the one before it.
      segments.push({
        start: Number.isNaN(start) ? (segments.at(-1)?.start ?? 0) : start,
        end,
        text: said,
        speaker: text(row.speaker, 200),
      })
    },
    /** The collected rows; null if these are not all. */
    all: () => (length > MAX_TEXT || segments.length >= MAX_SEGMENTS ? null : segments),
  }
}
