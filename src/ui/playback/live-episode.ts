import type { Episode } from '../../shared/api/episode'
import type { LiveItem, LiveStream } from '../../shared/api/playables'
import type { KnownPodcast } from '../../shared/api/podcast'
import type { Playing } from './state'

/** Represents a live stream in the player as an episode that the server doesn't know. */
export function liveEpisode(podcast: KnownPodcast, item: LiveItem, stream: LiveStream): Playing {
  const id = `live-${item.id}`
  const episode: Episode = {
    id,
    legacyId: null,
    episode_id: id,
    podcast_id: podcast.id,
    name: item.title || podcast.name,
    url: item.url ?? '',
    date_of_recording: item.start,
    undated: false,
    image_url: podcast.original_image_url ?? '',
    local_image_url: podcast.image_url,
    coverColor: podcast.coverColor,
    total_time: 0,
    local_url: stream.local_url,
    status: false,
    download_time: null,
    guid: item.guid,
    deleted: false,
    episode_numbering_processed: false,
    link: item.url ?? null,
    season: null,
    episode_number: null,
    episode_type: 'full',
    explicit: podcast.explicit === 'true',
    mime_type: stream.type,
    file_size: null,
    has_chapters: false,
    chapters_unread: null,
    has_transcript: false,
    download_state: null,
    superseded: false,
    first_published: null,
    newer_recording: false,
    description: '',
    favored: false,
    is_new: false,
  }
  return { episode, podcastName: podcast.name, podcastId: podcast.id, live: item }
}
