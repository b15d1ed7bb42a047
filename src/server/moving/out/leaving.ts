import { idsOfPlaylist } from '../../library/playlists'
import { collectGarbage } from '../../platform/engine'
import type { Secret } from '../../platform/secret'
import type { MediaFiles } from '../../storage'
import type { Store } from '../../store'
import type { Position } from '../../store/episodes'
import type {
  ExportedBookmark,
  ExportedEpisode,
  ExportedFile,
  ExportedItem,
  ExportedPlayback,
  ExportedPodcast,
} from '../../store/exports'
import type { PlaylistRow } from '../../store/playlists'
import type { UserRow } from '../../store/users'

/** An export of everything: whose, and what it includes. */
export type Leaving = {
  store: Pick<
    Store,
    'exports' | 'playlists' | 'podcasts' | 'podcastSettings' | 'queue' | 'savedQueues' | 'smartLists' | 'tags'
  >
  secret: Pick<Secret, 'open'>
  user: UserRow
  /** Milliseconds. */
  now: number
  /** The media files to include; null = none. */
  files: Pick<MediaFiles, 'storageOf'> | null
  /** Whether passwords of feeds are included, in clear text. */
  withPasswords: boolean
  /** Ids of the podcasts: thousands at most. */
  podcasts: readonly number[]
}

const START: Position = { publishedAt: Number.MIN_SAFE_INTEGER, id: 0 }

/** Reads the podcasts of an export. One that is deleted in the meantime is missing. */
export async function* podcastsOf({ store, user, podcasts }: Leaving): AsyncGenerator<ExportedPodcast> {
  for (const [place, id] of podcasts.entries()) {
    const podcast = store.exports.podcast(user.id, id)
    if (podcast) yield podcast
    if (place % PAGE === PAGE - 1) await rest(PAGE)
  }
}

/** Reads the episodes of all podcasts, including those without anything of the person. */
export async function* episodesOf({ store, user, podcasts }: Leaving): AsyncGenerator<ExportedEpisode[]> {
  for (const podcast of podcasts)
    yield* inPages<ExportedEpisode>((last, limit) =>
      store.exports.episodesFor(user, podcast, last ? placeOf(last) : START, limit),
    )
}

/** Reads the episodes with a file. */
export async function* filesOf({ store, user, podcasts }: Leaving): AsyncGenerator<ExportedFile[]> {
  for (const podcast of podcasts)
    yield* inPages<ExportedFile>((last, limit) =>
      store.exports.filesFor(user, podcast, last ? placeOf(last) : START, limit),
    )
}

/** Reads the bookmarks, the first made first. */
export const bookmarksOf = ({ store, user }: Leaving) =>
  inPages<ExportedBookmark>((last, limit) => store.exports.bookmarksFor(user, last?.id ?? 0, limit))

/** Reads the queue in its order. */
export const queueOf = ({ store, user }: Leaving) =>
  inPages<ExportedItem>((last, limit) => store.exports.queueFor(user, last?.place ?? -1, limit))

/** Reads a saved queue in its order. */
export const keptIn = ({ store, user }: Leaving, queueId: number) =>
  inPages<ExportedItem>((last, limit) => store.exports.keptFor(user, queueId, last?.place ?? -1, limit))

/** Reads a playlist in its order; a smart playlist as it is now. */
export async function* listedIn(leaving: Leaving, playlist: PlaylistRow): AsyncGenerator<ExportedItem[]> {
  const { store, user, now } = leaving
  if (playlist.rules === null)
    return yield* inPages<ExportedItem>((last, limit) =>
      store.exports.listedFor(user, playlist.id, last?.place ?? -1, limit),
    )
  const rows = store.exports.namedFor(user, idsOfPlaylist({ store, now: () => now }, user, playlist))
  if (rows.length > 0) yield rows
  await rest(rows.length)
}

/** Reads what was played, the earliest first. */
export const playedBy = ({ store, user }: Leaving) =>
  inPages<ExportedPlayback>((last, limit) =>
    store.exports.playedFor(user, last ? { publishedAt: last.played_at, id: last.episode_id } : START, limit),
  )

const placeOf = (row: { published_at: number; id: number }): Position => ({
  publishedAt: row.published_at,
  id: row.id,
})

/** Whether a person may see the rules by which podcasts are downloaded, as the API has it. */
export const maySeeRules = ({ user }: Leaving): boolean => user.role !== 'user'

/** Rows that are read at once: a few milliseconds of work. */
const PAGE = 250
/** Garbage that a row leaves, in bytes. */
const LEFT_BEHIND = 2000

/**
 * Reads a list page by page, each from the last row of the one before, and lets other work run between them. Other
 * requests may change the list in the meantime.
 */
async function* inPages<Row>(read: (last: Row | null, limit: number) => Row[]): AsyncGenerator<Row[]> {
  let last: Row | null = null
  for (;;) {
    const rows = read(last, PAGE)
    if (rows.length > 0) yield rows
    await rest(rows.length)
    if (rows.length < PAGE) return
    last = rows.at(-1)!
  }
}

/** Lets other work run after some rows. */
async function rest(rows: number) {
  collectGarbage(rows * LEFT_BEHIND)
  await new Promise(setImmediate)
}

/** Changes the rows of each page. */
export async function* mapPages<Row, To>(
  pages: AsyncIterable<readonly Row[]>,
  change: (row: Row) => To,
): AsyncGenerator<To[]> {
  for await (const page of pages) yield page.map(change)
}

/** An object without the members that are null or absent. */
export const given = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** A time in RFC 3339, UTC; null for none, and for one beyond the calendar. */
export function instant(at: number | null): string | null {
  const date = at === null ? null : new Date(at)
  return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Writes a list as a member of an object, page by page. */
export async function* writeList(name: string, pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  yield `${JSON.stringify(name)}:[`
  yield* separated(pages, value => JSON.stringify(value))
  yield ']'
}

/** Writes an object as a member of an object; each page has members of it, none of which appears twice. */
export async function* writeMembers(
  name: string,
  pages: AsyncIterable<readonly (readonly [string, unknown])[]>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(name)}:{`
  yield* separated(pages, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  yield '}'
}

async function* separated<T>(pages: AsyncIterable<readonly T[]>, write: (value: T) => string): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    if (page.length === 0) continue
    yield `${isFirst ? '\n' : ',\n'}${page.map(write).join(',\n')}`
    isFirst = false
  }
}
