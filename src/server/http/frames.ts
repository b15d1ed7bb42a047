import type { ServerEvent } from '../../shared/server-event'
import type { DomainEvent, DomainEvents } from '../events'
import type { Store } from '../store'
import { presentSharedEpisode, presentSharedPodcast } from './present'

type Framers = {
  [T in keyof DomainEvents]: (event: DomainEvents[T], store: Store, base: string) => ServerEvent | null
}

/** What happened, as a socket frame; null when what it is about has gone meanwhile. */
export function frameOf(event: DomainEvent, store: Store, base: string): ServerEvent | null {
  const framer = framers[event.type] as (event: DomainEvent, store: Store, base: string) => ServerEvent | null
  return framer(event, store, base)
}

function podcastAndEpisode(episodeId: number, store: Store, base: string) {
  const episode = store.episodes.find(episodeId)
  const podcast = episode && store.podcasts.find(episode.podcast_id)
  return episode && podcast
    ? { podcast_episode: presentSharedEpisode(episode, base), podcast: presentSharedPodcast(podcast, base) }
    : null
}

const framers: Framers = {
  offlineAvailable({ episodeId }, store, base) {
    const found = podcastAndEpisode(episodeId, store, base)
    return found && { type: 'offlineAvailable', ...found }
  },
  deletedPodcastEpisodeLocally({ episodeId }, store, base) {
    const found = podcastAndEpisode(episodeId, store, base)
    return (
      found && {
        type: 'deletedPodcastEpisodeLocally',
        podcast_episode: found.podcast_episode,
        message: `Deleted the file of ${found.podcast_episode.name}`,
      }
    )
  },
  addedPodcast({ podcastId }, store, base) {
    const podcast = store.podcasts.find(podcastId)
    return (
      podcast && {
        type: 'addedPodcast',
        podcast: presentSharedPodcast(podcast, base),
        message: `Added podcast ${podcast.title}`,
      }
    )
  },
  addedEpisodes({ podcastId, episodeIds, total }, store, base) {
    const podcast = store.podcasts.find(podcastId)
    return (
      podcast && {
        type: 'addedEpisodes',
        podcast: presentSharedPodcast(podcast, base),
        podcast_episodes: store.episodes.listByIds(episodeIds).map(row => presentSharedEpisode(row, base)),
        total,
        message: `Added ${total} episodes of ${podcast.title}`,
      }
    )
  },
  refreshedPodcast({ podcastId, result, added, updated, errorCode, message }, store, base) {
    const podcast = store.podcasts.find(podcastId)
    return (
      podcast && {
        type: 'refreshedPodcast',
        podcast: presentSharedPodcast(podcast, base),
        result,
        added,
        updated,
        ...(errorCode && { errorCode }),
        message: message ?? `Refreshed podcast ${podcast.title}`,
      }
    )
  },
  downloadProgress: ({ id, eid, state, receivedBytes, totalBytes, bytesPerSecond }) => ({
    type: 'downloadProgress',
    id,
    episode_id: eid,
    state,
    receivedBytes,
    totalBytes,
    bytesPerSecond,
  }),
  progress: ({ eid, position, total, finished, device }) => ({
    type: 'progress',
    episode_id: eid,
    position,
    total,
    finished,
    device,
  }),
}
