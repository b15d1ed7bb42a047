import type { BegunWork } from '../begun-work'
import type { UserNames } from '../accounts/names'
import type { AddUnreadNeeds } from '../feeds/add-unread'
import type { Refresh } from '../feeds/refresh'
import type { Removing } from '../library/remove-podcast'
import type { Log } from '../platform/log'
import type { Playback } from '../playback/playback'
import type { PodcastRow } from '../store/podcasts'
import type { MoveCountRow, MoveRow } from '../store/moves'
import type { UserRow } from '../store/users'
import type { Sync } from '../sync'
import type { LibraryAddresses } from '../sync/library'
import type { Child } from '../thread/child'
import type { FileOptions } from './files/options'
import type { FileNeeds } from './files/needs'
import type { MoveTasks } from './tasks'

/** A move that is tried out: its file, and on whose behalf. */
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
/** All items of the source, and what would become of them. `message`: why it would end early. */
export type Rehearsed = { items: number; counts: MoveCountRow[]; message: string | null }

/** Memory in bytes that reading a file may take, and all the time in milliseconds. */
export type ReaderLimits = { memoryBytes: number; timeMs: number }

/** Starts a process that reads the file at `path`; `signal` ends it. */
export type StartReader = (path: string, signal: AbortSignal) => Promise<Child<MoveTasks>>

/** Notifies open pages that a move came a step further. */
export const noteProgress = ({ publish }: Pick<MovingNeeds, 'publish'>, { user_id, uuid }: MoveRow) =>
  publish({ type: 'moveChanged', userId: user_id, uuid })

export type MovingNeeds = AddUnreadNeeds & {
  log: Log
  begun: BegunWork
  startReader: StartReader
  /** The folder in which the copies lie, one folder for each move. */
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
  /** Removes an account with all that is its own; `confirm` as for podcasts. Throws `last-admin`. */
  removeUser: (user: UserRow, confirm: () => boolean) => void
  removePodcast: (podcast: PodcastRow, withFiles: boolean, removing: Removing) => Promise<void>
  /** Whether feeds are requested; a dry run adds podcasts unread. */
  readsFeeds: boolean
  disk: FileNeeds
}
