import type { Chapter } from '../../../shared/api/chapter'
import type { Download } from '../../../shared/api/download'
import type { Episode, EpisodeWrapper, SharedEpisode } from '../../../shared/api/episode'
import type { EpisodeHistory, History } from '../../../shared/api/history'
import type { Invite } from '../../../shared/api/invite'
import type { Job } from '../../../shared/api/job'
import type { Notification } from '../../../shared/api/notification'
import type { Podcast, SharedPodcast } from '../../../shared/api/podcast'
import type { Tag } from '../../../shared/api/tag'
import type { Transcript, TranscriptSegment } from '../../../shared/api/transcript'
import type { User, UserSummary } from '../../../shared/api/user'
import { mediaExtension } from '../../sync/private-addresses'
import { feedLink, mediaLink, type Links } from '../core/links'
import type { ChapterRow } from '../../store/chapters'
import type { DocumentRow, Segment } from '../../store/documents'
import type { DownloadRow } from '../../store/downloads'
import type { EpisodeForUser, EpisodeRow } from '../../store/episodes'
import type { NotificationRow } from '../../store/notifications'
import type { PlaybackRow } from '../../store/playback'
import type { PodcastForUser, PodcastRow } from '../../store/podcasts'
import type { JobItemRow, JobRow } from '../../store/jobs'
import type { InviteRow } from '../../store/invites'
import type { TagRow } from '../../store/tags'
import type { UserRow } from '../../store/users'

// Our rows in the words of the wire.

export const instant = (ms: number) => new Date(ms).toISOString()
const instantOrNull = (ms: number | null) => (ms === null ? null : instant(ms))

/** With a version in it where the picture is known: it may be cached for ever then. */
const coverUrl = (links: Links, kind: 'podcasts' | 'episodes', uuid: string, digest: string | null) =>
  mediaLink(links, `covers/${kind}/${uuid}${digest ? `?v=${digest.slice(0, 12)}` : ''}`)

export function presentSharedPodcast(row: PodcastRow, links: Links): SharedPodcast {
  return {
    id: row.uuid,
    legacyId: null,
    name: row.title,
    directory_id: row.uuid,
    directory_name: row.folder,
    podfetch_feed: feedLink(links, row.uuid),
    rssfeed: row.feed_url,
    image_url: coverUrl(links, 'podcasts', row.uuid, row.cover),
    original_image_url: row.image_url ?? '',
    summary: row.summary,
    author: row.author,
    language: row.language,
    keywords: row.keywords,
    serial: row.serial === 1,
    explicit: row.explicit ? 'true' : 'false',
    last_build_date: instantOrNull(row.built_at),
    active: row.active === 1,
    guid: row.guid,
    link: row.link,
    medium: row.medium,
    episode_count: row.visible_count,
    added_at: instant(row.added_at),
    last_episode_at: instantOrNull(row.visible_last_at),
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
    feed_items: row.feed_items,
    feed_unplayable: row.feed_unplayable,
  }
}

function feedState(row: PodcastRow): SharedPodcast['feed_state'] {
  if (!row.active) return 'inactive'
  if (row.gone) return 'gone'
  return row.error_code === null ? 'ok' : 'failing'
}

type TagOfPodcast = TagFacts & { user: string }

export const presentPodcast = (row: PodcastForUser, links: Links): Podcast => ({
  ...presentSharedPodcast(row, links),
  favorites: row.favourite === 1,
  tags: (JSON.parse(row.tags) as TagOfPodcast[]).map(tag => presentTag(tag, tag.user)),
  unlistened_count: row.visible_count - row.finished_count,
})

export function presentSharedEpisode(row: EpisodeRow, links: Links): SharedEpisode {
  const type = row.file_type ?? row.enclosure_type
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
      ? coverUrl(links, 'episodes', row.uuid, row.cover)
      : coverUrl(links, 'podcasts', row.podcast_uuid, row.podcast_cover),
    total_time: row.duration,
    local_url: mediaLink(links, `media/${row.eid}.${mediaExtension(type)}`),
    status: row.file_path !== null,
    download_time: instantOrNull(row.downloaded_at),
    guid: row.guid,
    deleted: row.removed === 1,
    episode_numbering_processed: row.numbered === 1,
    link: row.link,
    season: row.season,
    episode_number: row.number,
    episode_type: row.type,
    explicit: row.explicit === 1,
    mime_type: type,
    file_size: row.file_size ?? row.enclosure_size,
    has_chapters: row.has_own_chapters === 1 || row.chapters_url !== null,
    chapters_unread: row.chapters_unread,
    has_transcript: row.transcripts !== null,
    download_state: row.download_state === 'done' ? null : row.download_state,
    superseded: row.superseded === 1,
  }
}

export const presentEpisode = (row: EpisodeForUser, links: Links): Episode => ({
  ...presentSharedEpisode(row, links),
  description: row.notes,
  favored: row.liked === 1,
})

export const presentWrapper = (row: EpisodeForUser, links: Links): EpisodeWrapper => ({
  podcastEpisode: presentEpisode(row, links),
  podcastHistoryItem: presentHeard(row),
})

/** What the caller heard of an episode, from the columns joined to it. */
export function presentHeard(row: EpisodeForUser): History | null {
  if (row.playback_at === null || row.playback_position === null) return null
  return presentHistory(row, {
    started: row.playback_started,
    position: row.playback_position,
    total: row.playback_total,
    finished: row.playback_finished ?? 0,
    device: row.playback_device ?? '',
    updated_at: row.playback_at,
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

/** An episode that was never played: its beginning. */
export const presentUnplayed = (episode: EpisodeRow): EpisodeHistory => ({
  podcast: episode.podcast_feed,
  episode: withoutUserInfo(episode.enclosure_url),
  timestamp: null,
  guid: episode.guid,
  action: 'new',
  started: null,
  position: 0,
  total: episode.duration || null,
  device: '',
  finished: false,
})

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

type TagFacts = Pick<TagRow, 'uuid' | 'name' | 'color' | 'description' | 'created_at'>

export const presentTag = (row: TagFacts, userUuid: string): Tag => ({
  id: row.uuid,
  name: row.name,
  color: row.color,
  user_id: userUuid,
  description: row.description,
  created_at: instant(row.created_at),
})

export const presentJob = (row: JobRow, items: readonly JobItemRow[]): Job => ({
  id: row.uuid,
  kind: row.kind,
  state: row.state,
  total: row.total,
  done: row.done,
  failed: row.failed,
  startedAt: instant(row.started_at),
  finishedAt: instantOrNull(row.finished_at),
  items: items.map(item => ({
    feedUrl: item.feed_url,
    title: item.title,
    state: item.state,
    podcastId: item.podcast_uuid,
    errorCode: item.error_code,
    message: item.message,
  })),
})

export const presentNotification = (row: NotificationRow): Notification => ({
  id: row.uuid,
  typeOfMessage: row.type,
  message: row.message,
  createdAt: instant(row.created_at),
  status: row.dismissed ? 'dismissed' : 'unread',
  podcastId: row.podcast_uuid,
  episodeId: row.episode_uuid,
  episodeCount: row.episode_count,
})

export const presentUserSummary = (row: UserRow): UserSummary => ({
  id: row.uuid,
  username: row.username,
  role: row.role,
  explicitConsent: row.explicit_consent === 1,
  createdAt: instant(row.created_at),
})

export const presentUser = (row: UserRow, feedKey: string | null, podcastsLeft: number | null): User => ({
  ...presentUserSummary(row),
  apiKey: null,
  apiKeySet: row.api_key_hash !== null,
  feedKey,
  readOnly: row.built_in === 1,
  podcastsLeft,
  country: row.country,
  language: row.language,
})

/** `duration` in seconds, 0 = unknown: where the last chapter ends. */
export const presentChapters = (rows: readonly ChapterRow[], duration: number, links: Links): Chapter[] =>
  rows.map((row, index) => ({
    id: row.uuid,
    startTime: row.start_ms / 1000,
    endTime: (row.end_ms ?? rows[index + 1]?.start_ms ?? Math.max(duration * 1000, 0)) / 1000,
    title: row.title,
    href: row.href,
    image: row.image_url === null ? null : mediaLink(links, `covers/chapters/${row.uuid}`),
  }))

/** As Podcasting 2.0 writes chapters. */
export const chapterFile = (chapters: readonly Chapter[]) => ({
  version: '1.2.0',
  chapters: chapters.map(({ startTime, endTime, title, href, image }) => ({
    startTime,
    ...(endTime > startTime && { endTime }),
    title,
    ...(href && { url: href }),
    ...(image && { img: image }),
  })),
})

export const presentTranscript = (row: DocumentRow): Transcript => ({
  id: row.uuid,
  source: 'feed',
  language: row.language,
  mimeType: row.type,
  status: row.state,
  error: row.error,
})

export const presentSegments = (segments: readonly Segment[]): TranscriptSegment[] =>
  segments.map((segment, idx) => ({ idx, ...segment }))

export const presentInvite = (row: InviteRow): Invite => ({
  id: row.id,
  role: row.role,
  explicitConsent: row.explicit_consent === 1,
  createdAt: instant(row.created_at),
  expiresAt: instant(row.expires_at),
  acceptedAt: instantOrNull(row.accepted_at),
})

function withoutUserInfo(address: string): string {
  const url = URL.parse(address)
  if (!url || (url.username === '' && url.password === '')) return address
  url.username = ''
  url.password = ''
  return url.href
}
