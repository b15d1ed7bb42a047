import type { ServerEvent } from '../../shared/server-event'
import type { DomainEvent, DomainEvents } from '../events'
import type { Store } from '../store'
import type { Viewer } from '../store/users'
import type { Links } from './links'
import { presentSharedEpisode, presentSharedPodcast } from './present'

type Shareable = Exclude<DomainEvent['type'], 'signInChanged'>
type Framers = {
  [T in Shareable]: (event: DomainEvents[T], store: Store, viewer: Viewer, links: Links) => ServerEvent | null
}

/** What happened, as a socket frame; null when what it is about is not there for this viewer, or has gone meanwhile. */
export function frameOf(event: DomainEvent, store: Store, viewer: Viewer, links: Links): ServerEvent | null {
  if (event.type === 'signInChanged') return null
  const framer = framers[event.type] as (...given: [DomainEvent, Store, Viewer, Links]) => ServerEvent | null
  return framer(event, store, viewer, links)
}

const sees = ({ explicit_consent }: Viewer, ...rows: { explicit: number }[]) =>
  explicit_consent === 1 || rows.every(row => row.explicit === 0)

function visiblePodcast(id: number, store: Store, viewer: Viewer) {
  const podcast = store.podcasts.find(id)
  return podcast && sees(viewer, podcast) ? podcast : null
}

function podcastAndEpisode(episodeId: number, store: Store, viewer: Viewer, links: Links) {
  const episode = store.episodes.find(episodeId)
  const podcast = episode && visiblePodcast(episode.podcast_id, store, viewer)
  return episode && podcast && sees(viewer, episode)
    ? { podcast_episode: presentSharedEpisode(episode, links), podcast: presentSharedPodcast(podcast, links) }
    : null
}

const framers: Framers = {
  offlineAvailable({ episodeId }, store, viewer, links) {
    const found = podcastAndEpisode(episodeId, store, viewer, links)
    return found && { type: 'offlineAvailable', ...found }
  },
  deletedPodcastEpisodeLocally({ episodeId }, store, viewer, links) {
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
    const podcast = visiblePodcast(podcastId, store, viewer)
    return (
      podcast && {
        type: 'addedPodcast',
        podcast: presentSharedPodcast(podcast, links),
        message: `Added podcast ${podcast.title}`,
      }
    )
  },
  addedEpisodes({ podcastId, episodeIds, total }, store, viewer, links) {
    const podcast = visiblePodcast(podcastId, store, viewer)
    if (!podcast) return null
    const found = store.episodes.listByIds(episodeIds)
    const seen = found.filter(row => sees(viewer, row))
    if (seen.length === 0) return null
    // The newest 50 of `total` are named: those hidden among them are taken off.
    const visibleTotal = total - (found.length - seen.length)
    return {
      type: 'addedEpisodes',
      podcast: presentSharedPodcast(podcast, links),
      podcast_episodes: seen.map(row => presentSharedEpisode(row, links)),
      total: visibleTotal,
      message: `Added ${visibleTotal} episodes of ${podcast.title}`,
    }
  },
  refreshedPodcast({ podcastId, result, added, updated, errorCode, message }, store, viewer, links) {
    const podcast = visiblePodcast(podcastId, store, viewer)
    return (
      podcast && {
        type: 'refreshedPodcast',
        podcast: presentSharedPodcast(podcast, links),
        result,
        added,
        updated,
        ...(errorCode && { errorCode }),
        message: message ?? `Refreshed podcast ${podcast.title}`,
      }
    )
  },
  downloadProgress({ id, eid, state, receivedBytes, totalBytes, bytesPerSecond }, store, viewer) {
    if (!store.episodes.findVisible(viewer, eid)) return null
    return { type: 'downloadProgress', id, episode_id: eid, state, receivedBytes, totalBytes, bytesPerSecond }
  },
  progress: ({ eid, position, total, finished, device }) => ({
    type: 'progress',
    episode_id: eid,
    position,
    total,
    finished,
    device,
  }),
}
