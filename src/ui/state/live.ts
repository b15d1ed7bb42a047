import { effect, signal } from '@preact/signals-core'
import type { EpisodeChanges } from './episode-changes'
import type { Library } from './library'
import type { LiveDownloads } from './live-downloads'
import type { Notifications } from './notifications'
import type { OpmlImportState } from './opml-import'
import type { QueueState } from './queue'
import type { Session } from './session'
import { connectSocket, type EventHandlers } from './socket'

/** Time that a page waits for the socket before it loads without it. */
const CONNECT_MS = 150

type Needs = {
  session: Pick<Session, 'config' | 'confirm'>
  library: Library
  downloads: LiveDownloads
  changes: EpisodeChanges
  queue: QueueState
  notifications: Notifications
  opmlImport: OpmlImportState
  /** The server is there, for the first time or again. */
  onConnect: () => void
  connect?: typeof connectSocket
  later?: (work: () => void, ms: number) => unknown
}

/** Keeps what all pages share up to date: loads it once the socket is open, and again after every gap. */
export function createLive(needs: Needs) {
  const { connect = connectSocket, later = (work, ms) => setTimeout(work, ms) } = needs
  const isConnected = signal(true)
  let isLoaded = false

  function loadShared() {
    isLoaded = true
    const { queue, notifications, library, downloads } = needs
    for (const { load } of [queue, notifications, library, downloads]) void load().catch(() => undefined)
  }
  function onConnect() {
    // Pages that were there before the connection may have missed something, too.
    if (isLoaded) needs.changes.all()
    needs.onConnect()
    loadShared()
  }
  return {
    isConnected,
    start() {
      const { config, confirm } = needs.session
      const socket = connect({
        address: config.value!.wsUrl,
        handlers: handlersOf(needs),
        onConnect,
        confirm,
      })
      effect(() => {
        isConnected.value = socket.isConnected.value
      })
      later(() => {
        if (!isLoaded) loadShared()
      }, CONNECT_MS)
    },
  }
}

const handlersOf = ({ library, changes, downloads, queue, notifications, opmlImport }: Needs): EventHandlers => ({
  addedPodcast: ({ podcast }) => library.merge(podcast),
  addedEpisodes({ podcast }) {
    library.merge(podcast)
    changes.added(podcast.id)
  },
  refreshedPodcast: ({ podcast }) => library.refreshed(podcast),
  offlineAvailable: ({ podcast_episode }) => changes.changed(podcast_episode),
  deletedPodcastEpisodeLocally: ({ podcast_episode }) => changes.changed(podcast_episode),
  downloadProgress: event => downloads.progressed(event),
  progress: event => changes.played(event),
  opmlAdded(event) {
    library.merge(event.podcast)
    opmlImport.added(event)
  },
  opmlError: event => opmlImport.failed(event),
  opmlProgress: event => opmlImport.progressed(event),
  notification: ({ notification }) => notifications.arrived(notification),
  queueChanged: ({ version }) => void queue.changed(version).catch(() => undefined),
})
