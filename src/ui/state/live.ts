import { effect, signal } from '@preact/signals-core'
import { idle } from '../device/idle'
import type { EpisodeChanges } from './episode-changes'
import type { FeedChecks } from './feed-checks'
import type { Library } from './library'
import type { LiveDownloads } from './live-downloads'
import type { LiveTranscriptions } from './live-transcriptions'
import type { Moving } from './moving'
import type { Notifications } from './notifications'
import type { OpmlImportState } from './opml-import'
import type { QueueState } from './queue'
import type { RoomState } from './room'
import type { Session } from './session'
import { connectSocket, type EventHandlers } from './socket'

type Needs = {
  session: Pick<Session, 'config' | 'confirm'>
  library: Library
  feedChecks: Pick<FeedChecks, 'note'>
  downloads: LiveDownloads
  transcriptions: Pick<LiveTranscriptions, 'progressed' | 'missed'>
  changes: EpisodeChanges
  queue: QueueState
  notifications: Notifications
  opmlImport: OpmlImportState
  moving: Pick<Moving, 'changed'>
  room: Pick<RoomState, 'changed' | 'missed'>
  /** Parts of an episode, by its `id`, were marked here or elsewhere. */
  onMarks: (id: string) => void
  /** The server is there, for the first time or again. */
  onConnect: () => void
  connect?: typeof connectSocket
  /** Resolves in an idle moment of the page. */
  whenIdle?: () => Promise<unknown>
}

/**
 * Keeps what all pages share up to date: loads it at once, and again whenever the socket opens. What did not change
 * in the meantime is not sent again.
 */
export function createLive(needs: Needs) {
  const { connect = connectSocket, whenIdle = idle } = needs
  const isConnected = signal(true)
  let loading = Promise.resolve()
  let wasClosed = false

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
    // Not at the same time: it would overtake the first answers, which are on their way, and delay those of the page.
    loading = loading.then(whenIdle).then(loadShared)
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
  opmlImport,
  moving,
  room,
  onMarks,
}: Needs): EventHandlers => ({
  skipMarksChanged: ({ id }) => onMarks(id),
  addedPodcast({ podcast }) {
    library.merge(podcast)
    changes.added(podcast.id)
  },
  podcastRemoved({ id }) {
    library.removed(id)
    // Nobody reports its downloads and transcriptions one by one.
    transcriptions.missed()
    void downloads.load().catch(() => undefined)
  },
  addedEpisodes({ podcast }) {
    library.merge(podcast)
    changes.added(podcast.id)
  },
  refreshedPodcast({ podcast }) {
    library.refreshed(podcast)
    feedChecks.note(podcast)
  },
  offlineAvailable: ({ podcast_episode }) => changes.changed(podcast_episode),
  deletedPodcastEpisodeLocally: ({ podcast_episode }) => changes.changed(podcast_episode),
  downloadProgress: event => downloads.progressed(event),
  transcriptionProgress(event) {
    transcriptions.progressed(event)
    if (event.state === 'done') changes.edited(event.episodeId, episode => ({ ...episode, has_transcript: true }))
  },
  progress: event => changes.played(event),
  episodeHidden: () => changes.hidden(),
  opmlAdded(event) {
    library.merge(event.podcast)
    opmlImport.added(event)
  },
  opmlError: event => opmlImport.failed(event),
  moveChanged: () => moving.changed(),
  roomChanged: event => room.changed(event),
  opmlProgress: event => opmlImport.progressed(event),
  notification: ({ notification }) => notifications.arrived(notification),
  queueChanged: ({ version }) => void queue.changed(version).catch(() => undefined),
})
