import { computed, effect, signal, untracked } from '@preact/signals-core'
import i18next from 'i18next'
import { createApi } from './api'
import { createClient } from './api/client'
import { describeFailure } from './failure'
import { createMediaEngine } from './player/engine'
import { playInOneTab } from './device/one-tab'
import { createPlayer } from './player/player'
import { createSleepTimer } from './player/sleep-timer'
import { createCredentials, isCredential } from './state/credentials'
import { createAfterLogin } from './state/after-login'
import { createAppUpdate } from './state/app-update'
import { createDrafts } from './state/drafts'
import { createEpisodeChanges } from './state/episode-changes'
import { createKept } from './state/kept'
import { createLibrary } from './state/library'
import { createLiveDownloads } from './state/live-downloads'
import { createNotifications } from './state/notifications'
import { createOpmlImport } from './state/opml-import'
import { createOverlay } from './state/overlay'
import { createPendingProgress } from './state/pending-progress'
import { createPlaces } from './state/places'
import { createPlaylistEditor } from './state/playlist-editor'
import { createQueue } from './state/queue'
import { createSession } from './state/session'
import { createSingleKeys } from './state/single-keys'
import { connectSocket } from './state/socket'
import { createTags } from './state/tags'
import { createTheme } from './state/theme'
import { createToasts } from './state/toasts'

const CONNECT_MS = 150

export type AppState = ReturnType<typeof createAppState>

/** Everything that the interface knows and can do, wired once. `prefix` is the path that the server lies below. */
export function createAppState(prefix: string) {
  const client = createClient(prefix, {
    authorization: () => session.authorization(),
    onNotSignedIn: () => void session.confirm(),
  })
  const api = createApi(client)
  const toasts = createToasts()
  const session = createSession({
    ...api,
    credentials: createCredentials(localStorage, sessionStorage),
    // Loaded where somebody signs in this way, and by nobody else.
    createOidc: async config => (await import('./state/oidc')).createOidc(config),
    onLeaving() {
      player.clear()
      sessionStorage.clear()
      drafts.clear()
      pendingProgress.clear()
      void kept.clear()
    },
    beginAnew: isAtHome => (isAtHome ? location.replace(`${prefix}/ui/`) : location.reload()),
  })
  const library = createLibrary(
    api.podcasts,
    podcast =>
      void import('./state/unfavoured').then(({ warnOfPhones }) => warnOfPhones({ client, library, toasts }, podcast)),
  )
  const downloads = createLiveDownloads(api.downloads)
  const changes = createEpisodeChanges()
  const queue = createQueue(api.queue)
  const tags = createTags({ api: api.tags, library })
  const playlistEditor = createPlaylistEditor(api.playlists)
  const isConnected = signal(true)
  const afterLogin = createAfterLogin(sessionStorage)
  const places = createPlaces(window)
  const drafts = createDrafts()
  const searchOverlay = createOverlay()
  const playerSheet = createOverlay()
  const keysHelp = createOverlay()
  const singleKeys = createSingleKeys(localStorage)
  const notifications = createNotifications(api.notifications)
  const opmlImport = createOpmlImport(api.opml)
  const theme = createTheme(localStorage, matchMedia('(prefers-color-scheme: dark)'), document.documentElement)

  const kept = createKept(localStorage)
  const pendingProgress = createPendingProgress(api.playback.save, localStorage)
  const appUpdate = createAppUpdate(prefix)
  const video = document.createElement('video')
  const player = createPlayer({
    createEngine: events => createMediaEngine({ audio: new Audio(), video }, events),
    findHistory: api.playback.find,
    preferencesOf: api.podcasts.preferences,
    addressOf: kept.addressOf,
    async save(progress, options) {
      kept.heard(progress)
      await pendingProgress.save(progress, options)
    },
    onFailed: reason => toasts.failed(i18next.t(`player-failed-${reason}`)),
    onEnded: goOn,
    storage: localStorage,
  })

  if ('mediaSession' in navigator)
    void import('./device/media-session').then(({ announceToSystem }) =>
      announceToSystem(player, navigator.mediaSession, playNext),
    )
  playInOneTab(player, new BroadcastChannel(`castellan-player${prefix}`))

  const failed = (error: unknown) => toasts.failed(describeFailure(error))

  function listen() {
    const socket = connectSocket({
      address: session.config.value!.wsUrl,
      handlers: {
        addedPodcast: ({ podcast }) => library.merge(podcast),
        addedEpisodes({ podcast }) {
          library.merge(podcast)
          changes.added(podcast.id)
        },
        refreshedPodcast: ({ podcast }) => library.refreshed(podcast),
        offlineAvailable: ({ podcast_episode }) => changes.changed(podcast_episode),
        deletedPodcastEpisodeLocally: ({ podcast_episode }) => changes.changed(podcast_episode),
        downloadProgress: event => downloads.progressed(event),
        progress: event => changes.heard(event),
        opmlAdded(event) {
          library.merge(event.podcast)
          opmlImport.added(event)
        },
        opmlError: event => opmlImport.failed(event),
        opmlProgress: event => opmlImport.progressed(event),
        notification: ({ notification }) => notifications.arrived(notification),
        queueChanged: ({ version }) => void queue.changed(version).catch(() => undefined),
      },
      onConnect,
      confirm: session.confirm,
    })
    effect(() => {
      isConnected.value = socket.isConnected.value
    })
  }

  const sleepTimer = createSleepTimer(player)

  /** What is next in the queue begins by itself. */
  function goOn() {
    if (!sleepTimer.endsHere()) playNext()
  }
  // What plays is in the queue until it was heard, and comes no more.
  const upcoming = computed(() =>
    queue.items.value.filter(({ podcastEpisode }) => podcastEpisode.id !== player.current.value?.episode.id),
  )
  const next = computed(() => (player.current.value ? upcoming.value[0] : undefined))
  function playNext() {
    if (!next.value) return
    const podcast = library.byId.value.get(next.value.podcastEpisode.podcast_id)
    void player.play(next.value, podcast?.name ?? '').catch(failed)
  }

  let isLoaded = false
  /** What all pages share. */
  function loadShared() {
    isLoaded = true
    void queue.load().catch(() => undefined)
    void notifications.load().catch(() => undefined)
    void library.load()
    void downloads.load().catch(() => undefined)
  }

  function onConnect() {
    // Pages that were there before the connection may have missed something, too.
    if (isLoaded) changes.all()
    player.goOn()
    void pendingProgress.flush().catch(() => undefined)
    appUpdate.check()
    loadShared()
  }

  /** The episode that was played last goes back into the bar, paused where it was. */
  async function restorePlayer() {
    const eid = player.lastEpisode()
    if (!eid) return
    const wrapper = await api.episodes.find(eid).catch(() => null)
    if (!wrapper || player.current.value) return
    const podcast = await api.podcasts.find(wrapper.podcastEpisode.podcast_id).catch(() => null)
    if (player.current.value) return
    await player.show(wrapper, podcast?.name ?? '')
    // Heard while the server was away, and not told yet.
    const untold = pendingProgress.of(eid)
    if (untold && player.current.value && !player.isPlaying.value) player.position.value = untold.time
  }

  // Signing out begins the page anew, so this happens once.
  effect(() => {
    if (session.phase.value !== 'signed-in') return
    untracked(() => {
      const owner = session.user.value?.id ?? ''
      // What somebody else heard here is not this user's.
      if (!kept.isOf(owner)) pendingProgress.clear()
      void kept.belongTo(owner)
      void restorePlayer()
      listen()
      // Once the events flow; where they are slow to come, or do not, without them.
      setTimeout(() => {
        if (!isLoaded) loadShared()
      }, CONNECT_MS)
    })
  })

  return {
    api,
    client,
    prefix,
    session,
    isConnected,
    afterLogin,
    places,
    drafts,
    searchOverlay,
    playerSheet,
    keysHelp,
    singleKeys,
    notifications,
    opmlImport,
    library,
    downloads,
    changes,
    queue,
    tags,
    playlistEditor,
    player,
    /** The picture of what plays, where it has one. */
    video,
    /** What the queue goes on with, and its first. */
    upcoming,
    next,
    playNext,
    sleepTimer,
    kept,
    appUpdate,
    toasts,
    theme,
    failed,
    async start() {
      addEventListener('storage', event => {
        const { key } = event as StorageEvent
        if (key === null || isCredential(key)) void session.followOtherTab()
      })
      void appUpdate.start().catch(() => undefined)
      await session.start()
      addEventListener('beforeunload', event => {
        if (drafts.all.peek().size > 0) event.preventDefault()
      })
      addEventListener('online', player.goOn)
      addEventListener('pagehide', () => player.leave())
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'hidden') player.leave()
      })
    },
  }
}
