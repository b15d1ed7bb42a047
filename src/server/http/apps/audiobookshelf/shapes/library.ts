import type { Context } from '../../../../context'
import type { CataloguePodcast } from '../../../../store/catalogue'
import { isFolderAddress } from '../../../../store/feeds'
import { withoutUserInfo } from '../../../core/links'

/** The ids of the one library that apps see, and of its one folder. */
export type LibraryIds = { libraryId: string; folderId: string }

/** The one library that apps see: this server. */
export const libraryIdOf = ({ store }: Pick<Context, 'store'>) => store.settings.current().id

export function libraryIdsOf(app: Pick<Context, 'store'>): LibraryIds {
  const libraryId = libraryIdOf(app)
  return { libraryId, folderId: derivedId(`folder of ${libraryId}`) }
}

/** An id in the form of a UUID (version 8), the same for the same text. */
function derivedId(text: string): string {
  const hex = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The library as an object. `at`: since when it exists, in milliseconds. */
export const presentLibrary = ({ libraryId, folderId }: LibraryIds, at: number) => ({
  id: libraryId,
  name: 'Podcasts',
  folders: [{ id: folderId, fullPath: '/podcasts', libraryId, addedAt: at }],
  displayOrder: 1,
  icon: 'podcast',
  mediaType: 'podcast',
  provider: 'itunes',
  settings: {
    coverAspectRatio: 1,
    disableWatcher: true,
    autoScanCronExpression: null,
    podcastSearchRegion: 'us',
    markAsFinishedPercentComplete: null,
    markAsFinishedTimeRemaining: 10,
  },
  lastScan: null,
  lastScanVersion: null,
  createdAt: at,
  lastUpdate: at,
})

// Apps distinguish podcasts from books by the first key that only one of them has: the order of the keys matters.

/** The description of a podcast; `author` and `feedUrl` come before the keys that books have too. */
export function presentMetadata(row: CataloguePodcast) {
  const image = row.image_url ?? ''
  return {
    title: row.title,
    author: row.author,
    description: row.summary ?? '',
    releaseDate: row.visible_last_at === null ? null : new Date(row.visible_last_at).toISOString(),
    genres: genresOf(row),
    feedUrl: isPrivate(row) ? null : withoutUserInfo(row.feed_url),
    imageUrl: image === '' || isPrivate(row) || isFolderAddress(image) ? null : withoutUserInfo(image),
    itunesPageUrl: null,
    itunesId: null,
    itunesArtistId: null,
    explicit: row.explicit === 1,
    language: row.language,
    type: row.serial ? 'serial' : 'episodic',
  }
}

/** Whether nobody but the server reads its feed: there is none, or it asks for a password. */
const isPrivate = (row: CataloguePodcast) => row.has_credentials === 1 || isFolderAddress(row.feed_url)

/** The names of a podcast's categories, wide and narrow, each once. */
export const genresOf = ({ categories }: Pick<CataloguePodcast, 'categories'>): string[] =>
  categories === null ? [] : [...new Set((JSON.parse(categories) as string[][]).flat())]

export const tagsOf = ({ tags }: Pick<CataloguePodcast, 'tags'>): string[] =>
  tags === '[]' ? [] : (JSON.parse(tags) as string[])

/** The name of the cover's file. It is never read by it, but apps show no cover without it. */
export const coverPathOf = ({ folder }: Pick<CataloguePodcast, 'folder'>) => `/podcasts/${folder}/cover.jpg`

const downloading = (row: CataloguePodcast) => ({
  autoDownloadEpisodes: false,
  autoDownloadSchedule: '0 * * * *',
  lastEpisodeCheck: row.checked_at ?? row.added_at,
  maxEpisodesToKeep: 0,
  maxNewEpisodesToDownload: 3,
})

const presentMetadataWithPrefix = (row: CataloguePodcast) => ({ ...presentMetadata(row), titleIgnorePrefix: row.title })

export const minifiedMedia = (row: CataloguePodcast) => ({
  id: row.uuid,
  metadata: presentMetadataWithPrefix(row),
  coverPath: coverPathOf(row),
  tags: tagsOf(row),
  numEpisodes: row.visible_count,
  ...downloading(row),
  size: row.visible_bytes,
})

export const plainMedia = <Episode>(row: CataloguePodcast, episodes: readonly Episode[]) => ({
  id: row.uuid,
  libraryItemId: row.uuid,
  metadata: presentMetadata(row),
  coverPath: coverPathOf(row),
  tags: tagsOf(row),
  episodes,
  ...downloading(row),
})

export const expandedMedia = <Episode>(row: CataloguePodcast, episodes: readonly Episode[]) => ({
  ...plainMedia(row, episodes),
  metadata: presentMetadataWithPrefix(row),
  size: row.visible_bytes,
})
