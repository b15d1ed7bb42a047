import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Secret } from '../platform/secret'
import { createBookmarks } from './bookmarks'
import { createFavourites } from './favourites'
import { createMarking } from './marking'
import { createPlaylists } from './playlists'
import { createPodcastFiles } from './podcast-files'
import { createPodcastOverview } from './podcast-overview'
import { createPodcastSettings } from './podcast-settings'
import { createPrivateFeeds } from './private-feeds'
import { createQueue } from './queue'
import { createRemovePodcast, type RemovalNeeds } from './remove-podcast'
import { createRenamePodcast } from './rename-podcast'
import { createTags } from './tags'

type Needs = RemovalNeeds & { secret: Secret; publish: Publish; now: Clock; reserveBytes: number }

/** Builds everything by which people change the library. */
export const createLibrary = (needs: Needs) => ({
  bookmarks: createBookmarks(needs),
  favourites: createFavourites(needs),
  marking: createMarking(needs),
  playlists: createPlaylists(needs),
  podcastFiles: createPodcastFiles(needs),
  podcastOverview: createPodcastOverview(needs),
  podcastSettings: createPodcastSettings(needs),
  privateFeeds: createPrivateFeeds(needs),
  queue: createQueue(needs),
  removePodcast: createRemovePodcast(needs),
  renamePodcast: createRenamePodcast(needs),
  tags: createTags(needs),
})
