import { idsOfPlaylist } from '../../library/playlist-episodes'
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
import { inPages, PAGE, rest } from './pages'

/** A person who takes everything along, and what is to come with it. */
export type Leaving = {
  store: Pick<
    Store,
    'exports' | 'playlists' | 'podcasts' | 'podcastSettings' | 'queue' | 'savedQueues' | 'smartLists' | 'tags'
  >
  secret: Pick<Secret, 'open'>
  user: UserRow
  /** Milliseconds. */
  now: number
  /** The media files to read; null = they stay. */
  files: Pick<MediaFiles, 'storageOf'> | null
  /** Whether passwords of feeds are included, in clear. */
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

/** Reads the episodes of all podcasts, those included of which there is nothing to tell. */
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

/** Reads a queue that is kept for later in its order. */
export const keptIn = ({ store, user }: Leaving, queueId: number) =>
  inPages<ExportedItem>((last, limit) => store.exports.keptFor(user, queueId, last?.place ?? -1, limit))

/** Reads a playlist in its order; one that fills itself, as it is now. */
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
