import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Secret } from '../platform/secret'
import { createBookmarks, createSkipMarks } from './marks'
import {
  createFavourites,
  createFollowing,
  createPodcastOverview,
  createRenamePodcast,
  createTags,
  createPodcastFiles,
} from './podcasts'
import { createKeptDownloads } from './kept-downloads'
import { createMarking } from './marking'
import { createPlaylists } from './playlists'
import { createPodcastSettings } from './podcast-settings'
import { createPrivateFeeds } from './private-feeds'
import { createQueue, createQueueArrivals } from './queue'
import { createRemovePodcast, type RemovalNeeds } from './removals'
import { createSavedQueues } from './saved-queues'
import { createSuggestions } from './suggestions'

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
    suggestions: createSuggestions({ ...needs, playlists }),
    tags: createTags(needs),
  }
}
