import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Secret } from '../platform/secret'
import { createBookmarks } from './bookmarks'
import { createFavourites } from './favourites'
import { createFollowing } from './following'
import { createKeptDownloads } from './kept-downloads'
import { createMarking } from './marking'
import { createPlaylists } from './playlists'
import { createPodcastFiles } from './podcast-files'
import { createPodcastOverview } from './podcast-overview'
import { createPodcastSettings } from './podcast-settings'
import { createPrivateFeeds } from './private-feeds'
import { createQueue } from './queue'
import { createQueueArrivals } from './queue-arrivals'
import { createRemovePodcast, type RemovalNeeds } from './remove-podcast'
import { createRenamePodcast } from './rename-podcast'
import { createSavedQueues } from './saved-queues'
import { createSkipMarks } from './skip-marks'
import { createTags } from './tags'

type Needs = RemovalNeeds & { secret: Secret; publish: Publish; now: Clock; reserveBytes: number }

/** Builds everything by which people change the library. */
export function createLibrary(needs: Needs) {
  const playlists = createPlaylists(needs)
  return {
    bookmarks: createBookmarks(needs),
    favourites: createFavourites(needs),
    following: createFollowing(needs),
    marking: createMarking(needs),
    keptDownloads: createKeptDownloads({ ...needs, playlists }),
    playlists,
    podcastFiles: createPodcastFiles(needs),
    podcastOverview: createPodcastOverview(needs),
    podcastSettings: createPodcastSettings(needs),
    privateFeeds: createPrivateFeeds({ ...needs, playlists }),
    queue: createQueue(needs),
    queueArrivals: createQueueArrivals(needs),
    removePodcast: createRemovePodcast(needs),
    renamePodcast: createRenamePodcast(needs),
    savedQueues: createSavedQueues(needs),
    skipMarks: createSkipMarks(needs),
    tags: createTags(needs),
  }
}
