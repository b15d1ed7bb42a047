import type { DownloadState } from '../../shared/api/episode'

/** How many episodes a refresh brought and changed. */
export type Changes = { added: number; updated: number }

/** What happened, by our own ids; published after the change is committed. The socket turns it into frames. */
export type DomainEvents = {
  offlineAvailable: { episodeId: number }
  deletedPodcastEpisodeLocally: { episodeId: number }
  addedPodcast: { podcastId: number }
  /** The newest of `total`; so many of which are explicit. */
  addedEpisodes: { podcastId: number; episodeIds: readonly number[]; total: number; explicitTotal: number }
  refreshedPodcast: {
    podcastId: number
    result: 'unchanged' | 'updated' | 'failed'
    added: number
    updated: number
    /** How many of these are explicit. */
    explicit: Changes
    errorCode?: string
    message?: string
  }
  downloadProgress: {
    id: string
    eid: string
    state: DownloadState | 'cancelled'
    receivedBytes: number
    totalBytes: number | null
    bytesPerSecond: number
  }
  progress: {
    userId: number
    eid: string
    position: number
    total: number | null
    finished: boolean
    device: string
  }
  opmlAdded: {
    userId: number
    jobId: string
    feedUrl: string
    podcastId: number
    existing: boolean
    done: number
    total: number
  }
  opmlError: {
    userId: number
    jobId: string
    feedUrl: string
    title: string | null
    errorCode: string
    message: string
    done: number
    total: number
  }
  opmlProgress: { userId: number; jobId: string; done: number; failed: number; total: number; finished: boolean }
  notification: { userId: number; notificationId: number }
  /** Another order, or other episodes, up next. */
  queueChanged: { userId: number; version: number }
  /** Name, password, role or consent are others, or the account is gone: open sockets of this user end. */
  signInChanged: { userId: number }
  /** Somebody signed out in this browser. */
  sessionEnded: { sessionId: number }
}

export type DomainEvent = { [T in keyof DomainEvents]: { type: T } & DomainEvents[T] }[keyof DomainEvents]
export type Publish = (event: DomainEvent) => void
/** `onError`: a listener that trips must not undo the work of whoever told it. */
export function createEvents(onError: (error: unknown) => void) {
  const listeners = new Set<(event: DomainEvent) => void>()
  return {
    publish(event: DomainEvent) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          onError(error)
        }
      }
    },
    /** Answers the function that ends it. */
    listen(listener: (event: DomainEvent) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
