import type { AddUnreadNeeds } from '../feeds/add-unread'
import type { Refresh } from '../feeds/refresh'
import type { Log } from '../platform/log'
import type { Playback } from '../playback/playback'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import type { LibraryAddresses } from '../sync/library'
import type { Thread } from '../thread'
import type { MoveTasks } from './tasks'

export type MovingNeeds = AddUnreadNeeds & {
  log: Log
  /** Starts a thread that reads a file. */
  newThread: () => Thread<MoveTasks>
  /** The folder in which the copies lie, one folder for each move. */
  folder: string
  addresses: Pick<LibraryAddresses, 'finder'>
  playback: Pick<Playback, 'write'>
  refresh: Pick<Refresh, 'refresh'>
  subscribe: (
    user: UserRow,
    address: string,
    options: { evenUnplayable: boolean; firstDownloads?: number },
  ) => Promise<PodcastRow>
  /** Whether feeds are requested; a dry run adds podcasts unread. */
  readsFeeds: boolean
}
