import type { ServerEvent } from '../../../shared/server-event'
import type { DomainEvent, DomainEvents } from '../../platform/events'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import type { Viewer } from '../../store/visibility'
import { writeInstantOrNull } from '../core/instants'
import type { Links } from '../core/links'
import { presentSharedEpisode } from './episodes.present'
import { presentNotification } from './notifications'
import { presentCheck, presentSharedPodcast } from './podcasts.present'

type SocketViewer = Viewer & Pick<UserRow, 'role'>

/** Writes the frame of each event that clients hear of; the others concern only the server, or end sockets. */
type Framers = {
  [T in keyof DomainEvents]?: (
    event: DomainEvents[T],
    store: Store,
    viewer: SocketViewer,
    links: Links,
  ) => ServerEvent | null
}

/** Writes an event as a socket frame; null if its subject is gone in the meantime, or if this viewer may not see it. */
export function frameOf(event: DomainEvent, store: Store, viewer: SocketViewer, links: Links): ServerEvent | null {
  const framer = framers[event.type] as
    ((...given: [DomainEvent, Store, SocketViewer, Links]) => ServerEvent | null) | undefined
  return framer?.(event, store, viewer, links) ?? null
}

const sees = ({ explicit_consent }: Viewer, ...rows: { explicit: number }[]) =>
  explicit_consent === 1 || rows.every(row => row.explicit === 0)

function podcastAndEpisode(episodeId: number, store: Store, viewer: Viewer, links: Links) {
  const episode = store.episodes.find(episodeId)
  const podcast = episode && store.podcasts.findShared(viewer, episode.podcast_id)
  return episode && podcast && sees(viewer, episode)
    ? { podcast_episode: presentSharedEpisode(episode, links), podcast: presentSharedPodcast(podcast, links) }
    : null
}

const frameOfMarked = (episodeIds: readonly number[], store: Store, viewer: Viewer): ServerEvent => ({
  type: 'episodesMarked',
  episode_ids: store.episodes
    .listByIds(episodeIds)
    .filter(row => sees(viewer, row))
    .map(row => row.eid),
})

const framers: Framers = {
  roomChanged: ({ isFull, folder, free }, _store, { role }) => ({
    type: 'roomChanged',
    isFull,
    disk: role === 'admin' ? { folder, freeBytes: free } : null,
  }),
  downloadFinished({ episodeId }, store, viewer, links) {
    const found = podcastAndEpisode(episodeId, store, viewer, links)
    return found && { type: 'offlineAvailable', ...found }
  },
  fileRemoved({ episodeId }, store, viewer, links) {
    const found = podcastAndEpisode(episodeId, store, viewer, links)
    return (
      found && {
        type: 'deletedPodcastEpisodeLocally',
        podcast_episode: found.podcast_episode,
        message: `Deleted the file of ${found.podcast_episode.name}`,
      }
    )
  },
  addedPodcast({ podcastId }, store, viewer, links) {
    const podcast = store.podcasts.findShared(viewer, podcastId)
    return (
      podcast && {
        type: 'addedPodcast',
        podcast: presentSharedPodcast(podcast, links),
        message: `Added podcast ${podcast.title}`,
      }
    )
  },
  podcastRemoved: ({ uuid, explicit }, _store, viewer) =>
    sees(viewer, { explicit: Number(explicit) }) ? { type: 'podcastRemoved', id: uuid } : null,
  addedEpisodes({ podcastId, episodeIds, total, explicitTotal }, store, viewer, links) {
    const podcast = store.podcasts.findShared(viewer, podcastId)
    if (!podcast) return null
    const seen = store.episodes.listByIds(episodeIds).filter(row => sees(viewer, row))
    if (seen.length === 0) return null
    const visibleTotal = viewer.explicit_consent ? total : total - explicitTotal
    return {
      type: 'addedEpisodes',
      podcast: presentSharedPodcast(podcast, links),
      podcast_episodes: seen.map(row => presentSharedEpisode(row, links)),
      total: visibleTotal,
      new_count: store.newEpisodes.countFor(viewer, podcastId),
      message: `Added ${visibleTotal} episodes of ${podcast.title}`,
    }
  },
  refreshedPodcast({ podcastId, result, added, updated, explicit, errorCode, message }, store, viewer, links) {
    const podcast = store.podcasts.findShared(viewer, podcastId)
    if (!podcast) return null
    const seen = viewer.explicit_consent
      ? { added, updated }
      : { added: added - explicit.added, updated: updated - explicit.updated }
    const hasNothing = result === 'updated' && added + updated > 0 && seen.added + seen.updated === 0
    return {
      type: 'refreshedPodcast',
      podcast: { ...presentSharedPodcast(podcast, links), ...presentCheck(podcast) },
      result: hasNothing ? 'unchanged' : result,
      ...seen,
      ...(errorCode && { errorCode: errorCode }),
      message: message ?? `Refreshed podcast ${podcast.title}`,
    }
  },
  coverStored({ podcastId }, store, viewer, links) {
    const podcast = store.podcasts.findShared(viewer, podcastId)
    return (
      podcast && {
        type: 'refreshedPodcast',
        podcast: { ...presentSharedPodcast(podcast, links), ...presentCheck(podcast) },
        result: 'updated',
        added: 0,
        updated: 0,
        message: `Refreshed podcast ${podcast.title}`,
      }
    )
  },
  downloadProgress({ eid, nextAttemptAt, ...figures }, store, viewer) {
    if (!store.episodes.findVisible(viewer, eid)) return null
    return { type: 'downloadProgress', ...figures, episode_id: eid, nextAttemptAt: writeInstantOrNull(nextAttemptAt) }
  },
  transcriptionProgress({ episodeId, nextAttemptAt, ...figures }, store, viewer) {
    const episode = store.episodes.find(episodeId)
    if (!episode || !store.episodes.findVisible(viewer, episode.eid)) return null
    return {
      type: 'transcriptionProgress',
      ...figures,
      episodeId: episode.uuid,
      nextAttemptAt: writeInstantOrNull(nextAttemptAt),
    }
  },
  opmlAdded({ jobId, feedUrl, podcastId, existing, done, total }, store, viewer, links) {
    const podcast = store.podcasts.findShared(viewer, podcastId)
    if (!podcast) return null
    const message = existing ? `${podcast.title} is already in the library` : `Added podcast ${podcast.title}`
    const shared = presentSharedPodcast(podcast, links)
    return { type: 'opmlAdded', jobId, feedUrl, podcast: shared, existing, done, total, message }
  },
  opmlError: ({ jobId, feedUrl, title, errorCode, message, done, total }) => ({
    type: 'opmlError',
    jobId,
    feedUrl,
    title,
    errorCode: errorCode,
    message,
    done,
    total,
  }),
  opmlProgress: ({ jobId, done, failed, total, finished }) => ({
    type: 'opmlProgress',
    jobId,
    done,
    failed,
    total,
    finished,
  }),
  moveChanged: ({ uuid }) => ({ type: 'moveChanged', id: uuid }),
  notification({ notificationId }, store) {
    const row = store.notifications.find(notificationId)
    return row && { type: 'notification', notification: presentNotification(row) }
  },
  episodeHidden: ({ eid, hidden }) => ({ type: 'episodeHidden', episode_id: eid, hidden }),
  skipMarksChanged: ({ uuid }) => ({ type: 'skipMarksChanged', id: uuid }),
  playlistChanged: ({ uuid }) => ({ type: 'playlistChanged', id: uuid }),
  bookmarksChanged: () => ({ type: 'bookmarksChanged' }),
  queueChanged: ({ version }) => ({ type: 'queueChanged', version }),
  progress({ eid, position, total, finished, device, sender }, store, viewer) {
    const episode = store.episodes.findByEid(eid)
    const podcast = episode && {
      podcast_id: episode.podcast_uuid,
      new_count: store.newEpisodes.countFor(viewer, episode.podcast_id),
    }
    return { type: 'progress', episode_id: eid, position, total, finished, device, sender, ...podcast }
  },
  episodesMarked: ({ episodeIds }, store, viewer) => frameOfMarked(episodeIds, store, viewer),
  positionsRestored: ({ episodeIds }, store, viewer) => frameOfMarked(episodeIds, store, viewer),
}
