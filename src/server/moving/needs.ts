import type { UserNames } from '../accounts/names'
import type { BegunWork } from '../begun-work'
import type { ForgottenFiles } from '../downloads/forgotten'
import type { Names } from '../downloads/names'
import type { Renaming } from '../downloads/rename'
import type { AddUnreadNeeds } from '../feeds/subscribe'
import type { Refresh } from '../feeds/refresh'
import type { Removing } from '../library/removals'
import type { MediaReader } from '../media/reader'
import type { Log } from '../platform/log'
import type { Playback } from '../playback/playback'
import type { MediaFolder } from '../storage/folder'
import type { DownloadRow } from '../store/downloads'
import type { MoveCountRow, MoveFailure, MoveRow } from '../store/moves'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import type { Sync } from '../sync'
import type { LibraryAddresses } from '../sync/library'
import type { Child } from '../thread/child'
import type { MoveTasks } from './tasks'

/** A move that is rehearsed: its file, and on whose behalf. */
export type Rehearsal = {
  path: string
  user: UserRow
  from: string
  authority: MoveRow['authority']
  withUsers: boolean
  files: FileOptions | null
  /** Ends it: nobody waits for it any more. */
  signal: AbortSignal
}
/** All items of the source, and their outcomes. `failure`: why it would end early. */
export type Rehearsed = { items: number; counts: MoveCountRow[]; failure: MoveFailure | null }

/** Memory in bytes that reading a file may take, and the total time in milliseconds. */
export type ReaderLimits = { memoryBytes: number; timeMs: number }

/** Starts a process that reads the file at `path`; `signal` ends it. */
export type StartReader = (path: string, signal: AbortSignal) => Promise<Child<MoveTasks>>

/** Notifies open pages that a move progressed. */
export const noteProgress = ({ publish }: Pick<MovingNeeds, 'publish'>, { user_id, uuid }: MoveRow) =>
  publish({ type: 'moveChanged', userId: user_id, uuid })

export type MovingNeeds = AddUnreadNeeds & {
  log: Log
  begun: BegunWork
  startReader: StartReader
  /** The folder of the copies, with one folder for each move. */
  folder: string
  /** The rules of user names. */
  names: Pick<UserNames, 'requireName' | 'requireFree' | 'requireUnreserved'>
  addresses: Pick<LibraryAddresses, 'finder'>
  playback: Pick<Playback, 'write'>
  sync: Pick<Sync, 'actions' | 'subscriptions'>
  refresh: Pick<Refresh, 'refresh'>
  subscribe: (
    user: UserRow,
    address: string,
    options: { evenUnplayable: boolean; firstDownloads?: number; source: 'import' },
  ) => Promise<PodcastRow>
  /** Does everything that a move would do on a copy of the library; null = there is no room for rehearsals here. */
  rehearse: ((rehearsal: Rehearsal) => Promise<Rehearsed>) | null
  /** Removes an account with everything that belongs to it; `confirm` as for podcasts. Throws `last-admin`. */
  removeUser: (user: UserRow, confirm: () => boolean) => void
  removePodcast: (podcast: PodcastRow, withFiles: boolean, removing: Removing) => Promise<void>
  /** Whether feeds are requested; a dry run adds podcasts unread. */
  readsFeeds: boolean
  disk: FileNeeds
}

/** Parts that import files, and undo that. */
type FileNeeds = {
  /** Imported files are stored in the media folder, whatever the storage of downloads. */
  files: MediaFolder
  names: Names
  forgotten: ForgottenFiles
  rename: Pick<Renaming, 'finished'>
  media: MediaReader
  /** Disk space that copies leave free. */
  reserveBytes: number
  /** Stores a cover from a local file. Throws for anything but a picture. */
  keepCover: (podcastId: number, url: string, bytes: Uint8Array) => Promise<void>
  /** Removes pictures that nothing points to any more, by their digests. */
  dropCovers: (digests: readonly string[]) => Promise<void>
  /** Removes a download from the queue, whatever its state. */
  cancelDownload: (row: DownloadRow) => Promise<void>
}

/** The APIs of servers, as `--from` names them. */
export const serverNames = ['castellan', 'gpodder-server', 'audiobookshelf-server'] as const
export type ServerName = (typeof serverNames)[number]

/**
 * The way in which a file of another program is put into the media folder: `link` copies where a hard link cannot be
 * made.
 */
export const fileWays = ['link', 'copy', 'move'] as const
/** `fetched`: from another server, one at a time, into a folder that is deleted with the move. */
export type FileWay = (typeof fileWays)[number] | 'fetched'

/** The beginning of a path in the source ('' = any), and the folder of this machine that stands for it. */
export type FolderPair = { from: string; to: string }

/** The files of a move, as they are kept with it. */
export type FileOptions = { folders: readonly FolderPair[]; way: FileWay }
