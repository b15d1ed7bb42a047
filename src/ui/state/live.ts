import { effect, signal } from '@preact/signals-core'
import { idle } from '../device/load-code'
import type { EpisodeChanges } from './episode-changes'
import type { FeedChecks, LiveDownloads, LiveTranscriptions, Moving, Notifications, RoomState } from './live-state'
import type { Library } from './library'
import type { OpmlImportState } from './opml-import'
import type { QueueState } from './queue'
import type { Session } from './session'
import type { ServerEvent, ServerEvents } from '../../shared/server-event'

type Needs = {
  session: Pick<Session, 'config' | 'confirm'>
  library: Library
  feedChecks: Pick<FeedChecks, 'note'>
  downloads: LiveDownloads
  transcriptions: Pick<LiveTranscriptions, 'progressed' | 'missed'>
  changes: EpisodeChanges
  queue: QueueState
  notifications: Notifications
  /** Edits the import of this page; its code is loaded for that. */
  editImport: (edit: (opmlImport: OpmlImportState) => void) => void
  moving: Pick<Moving, 'changed'>
  room: Pick<RoomState, 'changed' | 'missed'>
  /** Called when parts of an episode, by its `id`, were marked here or elsewhere. */
  onMarks: (id: string) => void
  /** Called when the server can be reached, for the first time or again. */
  onConnect: () => void
  connect?: typeof connectSocket
  /** Resolves in an idle moment of the page. */
  whenIdle?: () => Promise<unknown>
  later?: (work: () => void, ms: number) => unknown
}

/** Markings and edits of many episodes arrive in pieces, for which the pages are loaded again together. */
const MARKED_MS = 400

/**
 * Keeps what all pages share up to date: loads it at once, and again whenever the socket opens. What did not change
 * in the meantime is not sent again.
 */
export function createLive(needs: Needs) {
  const { connect = connectSocket, whenIdle = idle, later = setTimeout } = needs
  const isConnected = signal(true)
  let loading = Promise.resolve()
  let wasClosed = false
  let isReloadDue = false
  /** Podcasts of which a feed edited episodes. */
  const edited = new Set<string>()

  async function loadShared() {
    const { queue, notifications, library, downloads } = needs
    await Promise.allSettled([queue, notifications, library, downloads].map(({ load }) => load()))
  }
  function onConnect() {
    needs.room.missed()
    // Pages may have missed something, too.
    if (wasClosed) {
      needs.changes.all()
      needs.transcriptions.missed()
    }
    needs.onConnect()
    // Not at the same time: it would overtake the first answers, which are being sent, and delay those of the page.
    loading = loading.then(whenIdle).then(loadShared)
  }
  function onEdited(podcastId: string) {
    const isDue = edited.size > 0
    edited.add(podcastId)
    if (isDue) return
    later(() => {
      const [first] = edited
      if (edited.size === 1) needs.changes.added(first!)
      else needs.changes.all()
      edited.clear()
    }, MARKED_MS)
  }
  function onMarked() {
    if (isReloadDue) return
    isReloadDue = true
    later(() => {
      isReloadDue = false
      needs.changes.all()
      void needs.library.load().catch(() => undefined)
    }, MARKED_MS)
  }
  return {
    isConnected,
    start() {
      const { config, confirm } = needs.session
      const socket = connect({
        address: config.value!.wsUrl,
        handlers: handlersOf({ ...needs, onMarked, onEdited }),
        onConnect,
        confirm,
      })
      loading = loadShared()
      effect(() => {
        isConnected.value = socket.isConnected.value
        wasClosed ||= !isConnected.value
      })
    },
  }
}

const handlersOf = ({
  library,
  feedChecks,
  changes,
  downloads,
  transcriptions,
  queue,
  notifications,
  editImport,
  moving,
  room,
  onMarks,
  onMarked,
  onEdited,
}: Needs & { onMarked: () => void; onEdited: (podcastId: string) => void }): EventHandlers => ({
  missed: () => changes.all(),
  skipMarksChanged: ({ id }) => onMarks(id),
  addedPodcast({ podcast }) {
    library.merge(podcast)
    changes.added(podcast.id)
  },
  podcastRemoved({ id }) {
    library.removed(id)
    // There are no events for its single downloads and transcriptions.
    transcriptions.missed()
    void downloads.load().catch(() => undefined)
  },
  addedEpisodes({ podcast, new_count }) {
    library.merge(podcast, new_count)
    changes.added(podcast.id)
  },
  refreshedPodcast({ podcast, updated }) {
    library.refreshed(podcast)
    feedChecks.note(podcast)
    if (updated > 0) onEdited(podcast.id)
  },
  offlineAvailable: ({ podcast_episode }) => changes.changed(podcast_episode),
  deletedPodcastEpisodeLocally: ({ podcast_episode }) => changes.changed(podcast_episode),
  downloadProgress: event => downloads.progressed(event),
  transcriptionProgress(event) {
    transcriptions.progressed(event)
    if (event.state === 'done') changes.edited(event.episodeId, episode => ({ ...episode, has_transcript: true }))
  },
  progress(event) {
    changes.played(event)
    if (event.podcast_id !== undefined) library.countNew(event.podcast_id, event.new_count ?? 0)
  },
  episodesMarked({ episode_ids }) {
    changes.marked(episode_ids)
    onMarked()
  },
  episodeHidden: () => changes.hidden(),
  playlistChanged: ({ id }) => changes.listed(id),
  bookmarksChanged: () => changes.listed(null),
  opmlAdded(event) {
    library.merge(event.podcast)
    editImport(({ added }) => added(event))
  },
  opmlError: event => editImport(({ failed }) => failed(event)),
  moveChanged: () => moving.changed(),
  roomChanged: event => room.changed(event),
  opmlProgress: event => editImport(({ progressed }) => progressed(event)),
  notification: ({ notification }) => notifications.arrived(notification),
  queueChanged: ({ version }) => void queue.changed(version).catch(() => undefined),
})

export type EventHandlers = { [T in keyof ServerEvents]: (event: ServerEvents[T]) => void }

const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000

/** The code of a socket that the server closes because the sign-in has ended. */
const SIGN_IN_ENDED = 4401
/** The reason it gives if somebody has ended the session, for example from a list. */
const SESSION_ENDED = 'session ended'

type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose'>
type SocketNeeds = {
  address: string
  handlers: EventHandlers
  /** From here on no event is missed; earlier ones may have been. */
  onConnect: () => void
  /**
   * Checks before every attempt but the first that the sign-in is still valid, and renews the cookie. `isSignedOut`:
   * the server says that somebody ended this browser's session.
   */
  confirm: (isSignedOut: boolean) => Promise<boolean>
  open?: (address: string) => Socket
  later?: (work: () => void, ms: number) => unknown
}

/** Receives live events for as long as the page is there, and connects again after every gap. */
export function connectSocket({
  address,
  handlers,
  onConnect,
  confirm,
  open = url => new WebSocket(url),
  later = (work, ms) => setTimeout(work, ms),
}: SocketNeeds) {
  const isConnected = signal(true)
  let retryMs = FIRST_RETRY_MS

  async function reconnect(isSignedOut = false) {
    if (await confirm(isSignedOut)) connect()
    else retry()
  }

  function retry() {
    later(() => void reconnect(), retryMs)
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }

  function connect(query = '') {
    const socket = open(address + query)
    socket.onopen = () => {
      isConnected.value = true
      retryMs = FIRST_RETRY_MS
      onConnect()
    }
    socket.onmessage = message => {
      const event = JSON.parse(message.data as string) as ServerEvent
      const handler = handlers[event.type] as ((event: ServerEvent) => void) | undefined
      handler?.(event)
    }
    socket.onclose = ({ code, reason }) => {
      if (code === SIGN_IN_ENDED) return void reconnect(reason === SESSION_ENDED)
      isConnected.value = false
      retry()
    }
  }
  // The server then says whether the page, which began to load so long ago, may have missed something.
  connect(`?age=${Math.round(performance.now())}`)
  return { isConnected }
}
