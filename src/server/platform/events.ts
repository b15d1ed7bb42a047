import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditFacts } from '../../shared/api/audit'
import type { DownloadState } from '../../shared/api/episode'
import type { TranscriptionState } from '../../shared/api/texts'
import type { AuditKind } from '../../shared/audit-kinds'
import type { ErrorCode } from '../../shared/error-code'

// Why: docs/internals/decisions/0020

/** Numbers of episodes that a refresh added and changed. */
export type Changes = { added: number; updated: number }

/** Cause of a change: a person in the interface, a podcast app, or an import of a list. Listeners decide by it. */
export type Source = 'library' | 'sync' | 'import'

/**
 * An attempt to sign in that was refused. `name`: as it was typed, of any length and content; '' if the way has none.
 * `address`: an IPv4 address, the network of an IPv6 one, or `unknown`. `isRepeated`: the same lock-out was published
 * before.
 */
export type RefusedAttempt = {
  way: 'password' | 'code' | 'passkey' | 'key' | 'invite' | 'app-token' | 'openid' | 'proxy'
  reason:
    | 'wrong-password'
    | 'wrong-code'
    | 'wrong-passkey'
    | 'wrong-key'
    | 'wrong-token'
    | 'unknown-invitation'
    | 'not-accepted'
    | 'too-many-attempts'
  name: string
  address: string
  isRepeated: boolean
}

/**
 * An act that admins can read about and nothing else reacts to. `actor`: absent = the sender of the request that is
 * being answered. `about`: the account that it concerns. `via`: the way of signing in, or the kind of key.
 */
export type RecordedAct = {
  kind: AuditKind
  actor?: Person
  about?: Person
  via?: string
  detail?: string
  facts?: AuditFacts
}

/** Everything that other capabilities may react to, with our own ids; published after the change is committed. */
export type DomainEvents = {
  /** A refresh stored a feed; ids of the episodes that are new, oldest first. */
  feedApplied: { podcastId: number; addedIds: readonly number[] }
  /** The file of an episode is here. The wire calls it `offlineAvailable`. */
  downloadFinished: { episodeId: number }
  /** The file of an episode was removed. The wire calls it `deletedPodcastEpisodeLocally`. */
  fileRemoved: { episodeId: number }
  /** The host refused an episode's file: its address may have expired, and the feed may have a newer one. */
  mediaRefused: { podcastId: number }
  /** Chapters or a transcript of an episode were stored, or a transcript was deleted. */
  textsStored: { episodeId: number }
  /** The cover of a podcast was fetched. The wire has no separate word for it. */
  coverStored: { podcastId: number }
  podcastFavoured: { userId: number; podcastId: number; favoured: boolean; source: Source }
  /** Many positions of one podcast were set at once. */
  episodesMarked: { userId: number; podcastId: number; episodeIds: readonly number[]; source: Source }
  /** Positions were put back to what they were before a move; apps learn of it otherwise. */
  positionsRestored: { userId: number; episodeIds: readonly number[] }
  /** Episodes were played to the end just now, for the first time. */
  episodesFinished: { userId: number; episodeIds: readonly number[]; source: Source }
  /** A user's feed key was renewed. */
  feedKeyRenewed: { userId: number }
  /** `import`: one of many; the record of activity has one line for all. */
  addedPodcast: { podcastId: number; source: Source }
  /** A person gave a podcast another title. */
  podcastRenamed: { podcastId: number }
  /** A podcast is gone; `explicit`: whether it was hidden from users without consent. */
  podcastRemoved: { uuid: string; title: string; explicit: boolean; source: Source }
  /** The newest `episodeIds` of `total` new episodes, `explicitTotal` of which are explicit. */
  addedEpisodes: { podcastId: number; episodeIds: readonly number[]; total: number; explicitTotal: number }
  refreshedPodcast: {
    podcastId: number
    result: 'unchanged' | 'updated' | 'failed'
    added: number
    updated: number
    /** The explicit ones among these. */
    explicit: Changes
    errorCode?: ErrorCode
    message?: string
  }
  downloadProgress: {
    id: string
    eid: string
    state: DownloadState | 'cancelled'
    receivedBytes: number
    totalBytes: number | null
    bytesPerSecond: number
    errorCode: ErrorCode | null
    /** The status that the host of the file refused with. */
    status: number | null
    /** In milliseconds. */
    nextAttemptAt: number | null
  }
  transcriptionProgress: {
    id: string
    episodeId: number
    state: TranscriptionState | 'ended'
    sentBytes: number
    totalBytes: number | null
    errorCode: ErrorCode | null
    /** In milliseconds. */
    nextAttemptAt: number | null
  }
  progress: {
    userId: number
    eid: string
    position: number
    total: number | null
    finished: boolean
    device: string
    source: Source
    /** The session of an app that reported it; empty = none. */
    playSession: string
    /** The player of a page that reported it; empty = none. */
    sender: string
  }
  /** A user added, changed or removed a bookmark. */
  bookmarksChanged: { userId: number }
  /** A user hid an episode from Continue listening, or showed it again. */
  episodeHidden: { userId: number; eid: string; hidden: boolean }
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
    errorCode: ErrorCode
    message: string
    done: number
    total: number
  }
  opmlProgress: { userId: number; jobId: string; done: number; failed: number; total: number; finished: boolean }
  /** A move from another program progressed. */
  moveChanged: { userId: number; uuid: string }
  notification: { userId: number; notificationId: number }
  /** A feed has failed for a day; once until it has worked again. */
  feedFailing: { podcastId: number }
  /** A download waits for room on the disk; null = not known how many bytes are free. */
  diskFull: { freeBytes: number | null }
  /** The disk of the data folder became full, or has room again; bytes, null = the folder can't be reached. */
  roomChanged: { isFull: boolean; free: number | null; folder: string }
  /** A scheduled backup could not be made. */
  backupFailed: { reason: string }
  backupMade: { name: string }
  /** A playlist was made, changed or removed; milliseconds. */
  playlistChanged: {
    userId: number
    uuid: string
    name: string
    createdAt: number
    change: 'added' | 'changed' | 'removed'
  }
  /** Parts of an episode, by its `uuid`, were marked by a user, or no longer are. */
  skipMarksChanged: { userId: number; uuid: string }
  queueChanged: { userId: number; version: number }
  /**
   * A user's name, password, API key, role or consent changed, a second factor was turned on, or the account was
   * removed: its open sockets are closed, except those of the current session.
   */
  signInChanged: { userId: number; keptSessionId?: number | null }
  /** A session ended: its user signed out, or ended it from elsewhere. */
  sessionEnded: { userId: number; sessionId: number; device: string }
  /**
   * Somebody signed in to an account from a device or a network that was new to it. `at` in milliseconds; `device` and
   * `address`, shortened to its network, are empty if they are unknown.
   */
  signedInElsewhere: { userId: number; at: number; device: string; address: string }
  /**
   * A token that renews an app's sign-in was used after it had been replaced: somebody has a copy. The sign-in
   * `session`, by its uuid, has ended. `address` is that of the request.
   */
  renewalReused: { userId: number; session: string; app: string; address: string }
  signInRefused: RefusedAttempt
  /**
   * Many wrong passwords for a name came from addresses that its account does not know, which share their guesses from
   * now on. Once a day; the name may be nobody's.
   */
  accountAttacked: { name: string; failures: number }
  recorded: RecordedAct
  /** An app was signed out, by its own request or by its user. */
  appSessionEnded: { userId: number; appSessionId: number; app: string }
}

export type DomainEvent = { [T in keyof DomainEvents]: { type: T } & DomainEvents[T] }[keyof DomainEvents]
export type Publish = (event: DomainEvent) => void
/** Reactions of one capability to events, by their type. */
export type Listeners = { [T in keyof DomainEvents]?: (event: DomainEvents[T]) => unknown }

export type Events = ReturnType<typeof createEvents>

type Listener = (event: DomainEvent) => unknown

/** `onError`: a listener that fails, at once or later, must not undo the work of the publisher. */
export function createEvents(onError: (error: unknown) => void) {
  const listeners = new Set<Listener>()

  function notify(listener: Listener, event: DomainEvent) {
    try {
      const work = listener(event)
      if (work instanceof Promise) work.catch(onError)
    } catch (error) {
      onError(error)
    }
  }

  /** Returns the function that ends it. */
  function listenToAll(listener: Listener) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  return {
    publish(event: DomainEvent) {
      for (const listener of listeners) notify(listener, event)
    },
    listen: (table: Listeners) =>
      listenToAll(event => (table[event.type] as ((event: DomainEvent) => unknown) | undefined)?.(event)),
    listenToAll,
  }
}

/** An account that acts, or that an act concerns. */
export type Person = { uuid: string; username: string }

/** The request that is being answered: who sent it, once that is known, and from which address. */
type Acting = { actor: Person | null; address: () => string }

const requests = new AsyncLocalStorage<Acting>()

/** Runs `work`, and everything that it starts, on behalf of a request. */
export const actingFor = <T>(address: () => string, work: () => T): T => requests.run({ actor: null, address }, work)

/** Notes who sent the request that is being answered. */
export function noteActor({ uuid, username }: Person) {
  const request = requests.getStore()
  if (request) request.actor = { uuid, username }
}

/** The request on whose behalf the calling code runs; null for jobs and commands. */
export const actingNow = (): Acting | null => requests.getStore() ?? null
