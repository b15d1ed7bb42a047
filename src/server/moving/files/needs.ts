import type { ForgottenFiles } from '../../downloads/forgotten'
import type { Names } from '../../downloads/names'
import type { Renaming } from '../../downloads/rename'
import type { MediaReader } from '../../media/reader'
import type { MediaFolder } from '../../storage/folder'
import type { DownloadRow } from '../../store/downloads'

/** Parts that bring files along, and take them back. */
export type FileNeeds = {
  /** Files that come go into the media folder, whatever the storage of downloads. */
  files: MediaFolder
  names: Names
  forgotten: ForgottenFiles
  rename: Pick<Renaming, 'finished'>
  media: MediaReader
  /** Disk space that copies leave free. */
  reserveBytes: number
  /** Stores a cover that is here already. Throws for what is no picture. */
  keepCover: (podcastId: number, url: string, bytes: Uint8Array) => Promise<void>
  /** Removes pictures that nothing points to any more, by their digests. */
  dropCovers: (digests: readonly string[]) => Promise<void>
  /** Takes a download out of the queue, whatever it is doing. */
  cancelDownload: (row: DownloadRow) => Promise<void>
}
