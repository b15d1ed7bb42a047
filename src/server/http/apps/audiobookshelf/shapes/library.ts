import type { Context } from '../../../../context'

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
