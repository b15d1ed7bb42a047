import type { Download } from '../../shared/api/download'
import type { Episode, EpisodeWrapper, SharedEpisode } from '../../shared/api/episode'
import type { History } from '../../shared/api/history'
import type { Podcast, SharedPodcast } from '../../shared/api/podcast'
import type { DownloadRow } from '../store/downloads'
import type { EpisodeForUser, EpisodeRow } from '../store/episodes'
import type { PlaybackRow } from '../store/playback'
import type { PodcastForUser, PodcastRow } from '../store/podcasts'

// Our rows in the words of the wire. `base` is the server's address with a slash at its end.

export const instant = (ms: number) => new Date(ms).toISOString()
const instantOrNull = (ms: number | null) => (ms === null ? null : instant(ms))

/** With a version in it where the picture is known: it may be cached for ever then. */
const coverUrl = (base: string, kind: 'podcasts' | 'episodes', uuid: string, digest: string | null) =>
  `${base}covers/${kind}/${uuid}${digest ? `?v=${digest.slice(0, 12)}` : ''}`

export function presentSharedPodcast(row: PodcastRow, base: string): SharedPodcast {
  return {
    id: row.uuid,
    legacyId: null,
    name: row.title,
    directory_id: row.uuid,
    directory_name: row.folder,
    podfetch_feed: `${base}rss/${row.uuid}`,
    rssfeed: row.feed_url,
    image_url: coverUrl(base, 'podcasts', row.uuid, row.cover),
    original_image_url: row.image_url ?? '',
    summary: row.summary,
    author: row.author,
    language: row.language,
    keywords: row.keywords,
    explicit: row.explicit ? 'true' : 'false',
    last_build_date: instantOrNull(row.built_at),
    active: row.active === 1,
    guid: row.guid,
    link: row.link,
    medium: row.medium,
    episode_count: row.episode_count,
    added_at: instant(row.added_at),
    last_episode_at: instantOrNull(row.last_episode_at),
    last_checked_at: instantOrNull(row.checked_at),
    next_check_at: row.active && !row.gone ? instant(row.next_check_at) : null,
    feed_state: feedState(row),
    last_error:
      row.error_code === null
        ? null
        : {
            errorCode: row.error_code,
            message: row.error_message ?? '',
            since: instant(row.error_since ?? row.checked_at ?? 0),
          },
    has_warnings: row.warnings === 1,
    has_credentials: row.has_credentials === 1,
  }
}

function feedState(row: PodcastRow): SharedPodcast['feed_state'] {
  if (!row.active) return 'inactive'
  if (row.gone) return 'gone'
  return row.error_code === null ? 'ok' : 'failing'
}

export const presentPodcast = (row: PodcastForUser, base: string): Podcast => ({
  ...presentSharedPodcast(row, base),
  favorites: row.favourite === 1,
  tags: [],
  unlistened_count: row.unlistened,
})

const extensions: Record<string, string> = { 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a', 'audio/aac': 'aac', 'audio/ogg': 'ogg', 'audio/flac': 'flac', 'video/mp4': 'mp4' } // prettier-ignore

export function presentSharedEpisode(row: EpisodeRow, base: string): SharedEpisode {
  const type = row.file_type ?? row.enclosure_type
  const extension = extensions[type ?? ''] ?? (type?.startsWith('video/') ? 'mp4' : 'mp3')
  return {
    id: row.uuid,
    legacyId: null,
    episode_id: row.eid,
    podcast_id: row.podcast_uuid,
    name: row.title,
    url: withoutUserInfo(row.enclosure_url),
    date_of_recording: instant(row.published_at),
    image_url: row.image_url ?? row.podcast_image ?? '',
    local_image_url: row.image_url
      ? coverUrl(base, 'episodes', row.uuid, row.cover)
      : coverUrl(base, 'podcasts', row.podcast_uuid, row.podcast_cover),
    total_time: row.duration,
    local_url: `${base}media/${row.eid}.${extension}`,
    status: row.file_path !== null,
    download_time: instantOrNull(row.downloaded_at),
    guid: row.guid,
    deleted: row.removed === 1,
    episode_numbering_processed: false,
    link: row.link,
    season: row.season,
    episode_number: row.number,
    episode_type: row.type,
    explicit: row.explicit === 1,
    mime_type: type,
    file_size: row.file_size ?? row.enclosure_size,
    has_chapters: row.chapters_url !== null,
    has_transcript: row.transcripts !== null,
    download_state: row.download_state === 'done' ? null : row.download_state,
  }
}

export const presentEpisode = (row: EpisodeForUser, base: string): Episode => ({
  ...presentSharedEpisode(row, base),
  description: row.notes,
  favored: row.liked === 1,
})

export const presentWrapper = (row: EpisodeForUser, base: string): EpisodeWrapper => ({
  podcastEpisode: presentEpisode(row, base),
  podcastHistoryItem: presentHeard(row),
})

/** What the caller heard of an episode, from the columns joined to it. */
export function presentHeard(row: EpisodeForUser): History | null {
  if (row.heard_at === null || row.heard_position === null) return null
  return presentHistory(row, {
    started: row.heard_started,
    position: row.heard_position,
    total: row.heard_total,
    finished: row.heard_finished ?? 0,
    device: row.heard_device ?? '',
    updated_at: row.heard_at,
  })
}

export function presentHistory(
  episode: EpisodeRow,
  heard: Pick<PlaybackRow, 'started' | 'position' | 'total' | 'finished' | 'device' | 'updated_at'>,
): History {
  return {
    podcast: episode.podcast_feed,
    episode: withoutUserInfo(episode.enclosure_url),
    timestamp: instant(heard.updated_at),
    guid: episode.guid,
    action: 'play',
    started: heard.started,
    position: heard.position,
    total: heard.total ?? (episode.duration || null),
    device: heard.device,
    finished: heard.finished === 1,
  }
}

export function presentDownload(
  row: DownloadRow,
  live: { received: number; total: number | null; speed: number } | null,
): Download {
  return {
    id: row.uuid,
    episodeId: row.episode_uuid,
    episode_id: row.eid,
    podcastId: row.podcast_uuid,
    episodeName: row.episode_title,
    podcastName: row.podcast_title,
    state: row.state,
    attempts: row.attempts,
    receivedBytes: live?.received ?? row.received_bytes,
    totalBytes: live?.total ?? row.total_bytes,
    bytesPerSecond: live ? live.speed : null,
    errorCode: row.error_code,
    message: row.message,
    nextAttemptAt: instantOrNull(row.next_attempt_at),
    createdAt: instant(row.created_at),
    startedAt: instantOrNull(row.started_at),
    finishedAt: instantOrNull(row.finished_at),
    automatic: row.automatic === 1,
  }
}

function withoutUserInfo(address: string): string {
  const url = URL.parse(address)
  if (!url || (url.username === '' && url.password === '')) return address
  url.username = ''
  url.password = ''
  return url.href
}
