import type { UserNames } from '../accounts/names'
import type { AddUnreadNeeds } from '../feeds/add-unread'
import type { Refresh } from '../feeds/refresh'
import type { Log } from '../platform/log'
import type { Playback } from '../playback/playback'
import type { PodcastRow } from '../store/podcasts'
import type { MoveCountRow, MoveRow } from '../store/moves'
import type { UserRow } from '../store/users'
import type { Sync } from '../sync'
import type { LibraryAddresses } from '../sync/library'
import type { Thread } from '../thread'
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
}
/** All items of the source, and what would become of them. `message`: why it would end early. */
export type Rehearsed = { items: number; counts: MoveCountRow[]; message: string | null }

/** Tells open pages that a move came a step further. */
export const noteProgress = ({ publish }: Pick<MovingNeeds, 'publish'>, { user_id, uuid }: MoveRow) =>
  publish({ type: 'moveChanged', userId: user_id, uuid })

export type MovingNeeds = AddUnreadNeeds & {
  log: Log
  /** Starts a thread that reads a file. */
  newThread: () => Thread<MoveTasks>
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
    options: { evenUnplayable: boolean; firstDownloads?: number },
  ) => Promise<PodcastRow>
  /** Does everything that a move would do on a copy of the library; null = there is no room for rehearsals here. */
  rehearse: ((rehearsal: Rehearsal) => Promise<Rehearsed>) | null
  /** Removes an account with all that is its own; `confirm` as for podcasts. Throws `last-admin`. */
  removeUser: (username: string, confirm: () => boolean) => void
  removePodcast: (podcast: PodcastRow, withFiles: boolean, confirm: () => boolean) => Promise<void>
  /** Whether feeds are requested; a dry run adds podcasts unread. */
  readsFeeds: boolean
  disk: FileNeeds
}
