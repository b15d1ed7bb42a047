import type { Listeners } from '../../../../platform/events'
import { createDownloadNews } from './download-news'
import { createItemNews } from './item-news'
import type { NewsNeeds } from './news-needs'
import type { Peers } from './peers'
import { createPlaylistNews } from './playlist-news'
import { createUserNews } from './user-news'

/** Notifies apps of changes, of our events those that they know. Nothing is written while no app is signed in. */
export function createNews(needs: NewsNeeds) {
  const users = createUserNews(needs)
  const items = createItemNews(needs)
  const downloads = createDownloadNews(needs)
  const playlists = createPlaylistNews(needs)
  const { episodes } = needs.app.store

  const fileChanged = ({ episodeId }: { episodeId: number }) => {
    const podcastId = episodes.find(episodeId)?.podcast_id
    if (podcastId !== undefined) items.changed(podcastId)
  }
  const listeners: Listeners = {
    progress: users.progressed,
    episodesMarked: ({ userId }) => users.changed(userId),
    episodeHidden: ({ userId }) => users.changed(userId),
    addedPodcast: ({ podcastId }) => items.added(podcastId),
    podcastRenamed: ({ podcastId }) => items.changed(podcastId),
    podcastRemoved: items.removed,
    refreshedPodcast: ({ podcastId, added, updated }) => void (added + updated > 0 && items.changed(podcastId)),
    coverStored: ({ podcastId }) => items.changed(podcastId),
    textsStored: fileChanged,
    downloadFinished: fileChanged,
    fileRemoved: fileChanged,
    downloadProgress: downloads.progressed,
    playlistChanged: playlists.changed,
  }
  return {
    /** The same events, heard only while somebody would be notified. */
    listeners: whileAnybody(needs.peers, listeners),
    stop() {
      users.stop()
      items.stop()
      playlists.stop()
    },
  }
}

const whileAnybody = (peers: Peers, listeners: Listeners): Listeners =>
  Object.fromEntries(
    Object.entries(listeners).map(([type, listen]) => [
      type,
      (event: never) => (peers.size > 0 ? (listen as (event: never) => unknown)(event) : undefined),
    ]),
  )
