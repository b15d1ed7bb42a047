import type { CataloguePodcast } from '../../../../store/catalogue'
import { presentFile } from './file'
import type { LibraryIds } from './library'
import { expandedMedia, minifiedMedia, plainMedia } from './media'

/** Everything of an item that comes before its media. */
function headOf(row: CataloguePodcast, { libraryId, folderId }: LibraryIds) {
  const at = changedAt(row)
  return {
    id: row.uuid,
    ino: row.uuid,
    oldLibraryItemId: null,
    libraryId,
    folderId,
    path: `/podcasts/${row.folder}`,
    relPath: row.folder,
    isFile: false,
    mtimeMs: at,
    ctimeMs: at,
    birthtimeMs: row.added_at,
    addedAt: row.added_at,
    updatedAt: at,
    isMissing: false,
    isInvalid: false,
    mediaType: 'podcast',
  }
}

/** When the episodes or the cover of a podcast changed last: apps ask for the cover again by it. */
const changedAt = (row: CataloguePodcast) => Math.max(row.added_at, row.visible_last_at ?? 0, row.cover_at ?? 0)

/** A podcast in a list. */
export const minifiedItem = (row: CataloguePodcast, ids: LibraryIds) => ({
  ...headOf(row, ids),
  media: minifiedMedia(row),
  numFiles: row.visible_files,
  size: row.visible_bytes,
})

/** A podcast with its episodes in their plain form. */
export const plainItem = <Episode>(row: CataloguePodcast, ids: LibraryIds, episodes: readonly Episode[]) => ({
  ...headOf(row, ids),
  libraryFiles: libraryFilesOf(row),
  media: plainMedia(row, episodes),
})

/** A podcast with its episodes in their expanded form. */
export const expandedItem = <Episode>(row: CataloguePodcast, ids: LibraryIds, episodes: readonly Episode[]) => ({
  ...headOf(row, ids),
  numFiles: row.visible_files,
  size: row.visible_bytes,
  lastScan: null,
  scanVersion: null,
  libraryFiles: libraryFilesOf(row),
  media: expandedMedia(row, episodes),
})

/** The cover alone: apps look there for its size, and find the files of episodes in the episodes. */
const libraryFilesOf = (row: CataloguePodcast) => [
  {
    ino: `cover-${row.uuid}`,
    metadata: presentFile(row.folder, 'cover.jpg', '.jpg', 0, changedAt(row)),
    isSupplementary: null,
    addedAt: row.added_at,
    updatedAt: changedAt(row),
    fileType: 'image',
  },
]
