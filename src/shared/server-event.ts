import type { DownloadState, SharedEpisode } from './api/episode'
import type { TranscriptionState } from './api/texts'
import type { Notification } from './api/notification'
import type { FeedCheck, SharedPodcast } from './api/podcast'
import type { ErrorCode } from './error-code'

type EpisodeEvent = { podcast_episode: SharedEpisode }

/** Every frame that the socket sends, by type. Frames are hints: all of it can be fetched as well. */
export type ServerEvents = {
  offlineAvailable: EpisodeEvent & { podcast: SharedPodcast }
  deletedPodcastEpisodeLocally: EpisodeEvent & { message: string }
  addedPodcast: { podcast: SharedPodcast; message: string }
  /** A podcast is gone, with all that belongs to it. */
  podcastRemoved: { id: string }
  /** `new_count`: the number of episodes of the podcast that are new to the user now. */
  addedEpisodes: {
    podcast: SharedPodcast
    podcast_episodes: SharedEpisode[]
    total: number
    new_count: number
    message: string
  }
  refreshedPodcast: {
    podcast: SharedPodcast & FeedCheck
    result: 'unchanged' | 'updated' | 'failed'
    added: number
    updated: number
    errorCode?: ErrorCode
    message: string
  }
  downloadProgress: {
    id: string
    episode_id: string
    state: DownloadState | 'cancelled'
    receivedBytes: number
    totalBytes: number | null
    bytesPerSecond: number
    /** The reason why the last attempt failed, the status that its host answered, and when the next one begins. */
    errorCode: ErrorCode | null
    status: number | null
    nextAttemptAt: string | null
  }
  transcriptionProgress: {
    id: string
    episodeId: string
    /** `ended`: nothing is transcribed any more. */
    state: TranscriptionState | 'ended'
    sentBytes: number
    totalBytes: number | null
    errorCode: ErrorCode | null
    nextAttemptAt: string | null
  }
  opmlAdded: {
    jobId: string
    feedUrl: string
    podcast: SharedPodcast
    existing: boolean
    done: number
    total: number
    message: string
  }
  opmlError: {
    jobId: string
    feedUrl: string
    title: string | null
    errorCode: ErrorCode
    message: string
    done: number
    total: number
  }
  opmlProgress: { jobId: string; done: number; failed: number; total: number; finished: boolean }
  /** Something may have changed since the page that opened the socket began to load. */
  missed: Record<never, never>
  moveChanged: { id: string }
  notification: { notification: Notification }
  queueChanged: { version: number }
  /** The disk of the server became full, or has room again. `disk`: which one, for admins; free bytes, null = unknown. */
  roomChanged: { isFull: boolean; disk: { folder: string; freeBytes: number | null } | null }
  /**
   * A user's position changed. `sender`: the player that reported it; '' = unknown. `new_count`: as above, of
   * the podcast of the episode; both are absent if that is gone.
   */
  progress: {
    episode_id: string
    position: number
    total: number | null
    finished: boolean
    device: string
    sender: string
    podcast_id?: string
    new_count?: number
  }
  /** The positions of these episodes, by their `episode_id`, were changed together: marked, or that was undone. */
  episodesMarked: { episode_ids: string[] }
  /** An episode was removed from what is to be continued, or is back there. */
  episodeHidden: { episode_id: string; hidden: boolean }
  /** Parts of an episode, by its `id`, were marked, or no longer are. */
  skipMarksChanged: { id: string }
  /** A playlist, by its `id`, was made, changed or removed. */
  playlistChanged: { id: string }
  /** Bookmarks were added, changed or removed. */
  bookmarksChanged: Record<never, never>
}

export type ServerEventType = keyof ServerEvents
export type ServerEvent = { [T in ServerEventType]: { type: T } & ServerEvents[T] }[ServerEventType]
