import { effect, signal, untracked } from '@preact/signals-core'
import { createApi } from './api'
import { createClient, type Client } from './api/client'
import type { AppState } from './app-context'
import { createAppUpdate } from './device/app-update'
import { keptFiles } from './device/kept-files'
import { createOtherTabs } from './device/other-tabs'
import { createPlaces } from './device/places'
import { describeFailure } from './failure'
import { createPlayback } from './playback/playback'
import {
  createAddPodcast,
  createDrafts,
  createFirstRun,
  createOverlay,
  createQueuePanel,
  type Sample,
} from './state/shell'
import { keepActs } from './state/keep-acts'
import { createAfterLogin, createCredentials, ENDED_KEY, isCredential } from './state/credentials'
import { createEpisodeChanges } from './state/episode-changes'
import {
  createFeedChecks,
  createLiveDownloads,
  createLiveTranscriptions,
  createMoving,
  createNotifications,
  createRoomState,
} from './state/live-state'
import { createKept } from './state/kept'
import { createKeptAnswers } from './state/kept-answers'
import { createLibrary, createTags } from './state/library'
import { createLive } from './state/live'
import { createPendingProgress } from './state/pending-progress'
import { createQueue } from './state/queue'
import { createSession } from './state/session'
import { createSingleKeys, createSkipLengths, createTheme } from './state/preferences'
import { createToasts } from './state/toasts'

/**
 * Builds the state of the application, and returns it with the function that starts it. `prefix`: the path of the
 * server.
 */
export function createAppState(prefix: string, mayRedirect: boolean): { app: AppState; start: () => Promise<void> } {
  const answers = createKeptAnswers({
    storage: localStorage,
    isPossible: keptFiles.isPossible,
    probe: () => api.system.config(),
    revise: (...answer) => reviseBy(...answer, { acts: acts.list(), positions: pendingProgress.all() }),
  })
  const client = createClient(prefix, {
    authorization: () => session.authorization(),
    onNotSignedIn: () => void session.confirm(),
    answers,
  })
  const { api, acts, flush } = keepActs(createApi(client), localStorage, {
    onLate: () => void shared.queue.load().catch(() => undefined),
  })
  const shared = createShared(api, client)
  const browser = createBrowser(prefix)
  const failed = (error: unknown) => shared.toasts.failed(describeFailure(error))
  const pendingProgress = createPendingProgress(api.playback.save, localStorage)
  const { restore, forget, ...playback } = createPlayback({
    ...shared,
    ...browser,
    api,
    client,
    failed,
    pendingProgress,
    prefix,
    mayRedirect,
    isConnected: () => live.isConnected.value,
    isOffline: () => answers.isOffline.value,
  })
  const tabs = createOtherTabs(new BroadcastChannel(`castellan-sign-in${prefix}`))
  const credentials = createCredentials(localStorage, sessionStorage, tabs)
  const session = createSession({
    ...api,
    credentials,
    isAway: () => answers.isOffline.peek(),
    // Loaded only if somebody signs in this way.
    createOidc: async config => (await import('./state/oidc')).createOidc(config, prefix),
    async onLeaving() {
      playback.player.clear()
      sessionStorage.clear()
      forget()
      browser.drafts.clear()
      pendingProgress.clear()
      acts.clear()
      // The page is left next, and what it had not begun to delete by then would stay.
      const deleted = Promise.allSettled([browser.kept.clear(), answers.clear()])
      await whenPushed(({ leavePush }) => leavePush())
      await deleted
    },
    beginAnew: isAtHome => beginAnew(prefix, isAtHome),
  })
  const live = createLive({
    ...shared,
    session,
    editImport: edit => void whenImporting(({ opmlImportOf }) => edit(opmlImportOf(api.opml))),
    onMarks: id => playback.extras.peek()?.skipMarks.changed(id),
    onConnect() {
      playback.player.reconnect()
      void pendingProgress.flush().then(playback.player.catchUp, () => undefined)
      browser.appUpdate.check()
    },
  })
  function onSignedIn(owner: string) {
    const isOther = !browser.kept.isOf(owner)
    // Another user's positions and acts must not be sent as this one's.
    if (isOther) for (const mine of [pendingProgress, acts]) mine.clear()
    catchUpWhenReached(answers, flush, { ...shared, isConnected: live.isConnected })
    void answers.decide(!credentials.isOfTab(), isOther)
    void browser.kept.belongTo(owner)
    void whenPushed(({ followPush }) => followPush({ client, prefix, owner }))
    void restore()
    void shared.skipLengths.load().catch(() => undefined)
    live.start()
  }
  const { isConnected } = live
  const app = { api, client, prefix, session, isConnected, answers, failed, ...shared, ...browser, ...playback }
  return { app, start: () => start(app, onSignedIn) }
}

function beginAnew(prefix: string, isAtHome: boolean) {
  if (isAtHome) return location.replace(`${prefix}/ui/`)
  sessionStorage.setItem(ENDED_KEY, 'yes')
  location.reload()
}

type CatchingUp = Pick<AppState, 'queue' | 'changes' | 'isConnected'>

/** Sends what was done without the server, now and whenever it can be reached again: then lists are loaded again. */
function catchUpWhenReached(answers: AppState['answers'], flush: () => Promise<boolean>, shared: CatchingUp) {
  let wasOffline = false
  effect(() => {
    if (answers.isOffline.value) return void (wasOffline = true)
    // A socket that was closed has them loaded when it opens.
    if (wasOffline && shared.isConnected.peek()) shared.changes.all()
    wasOffline = false
    flush()
      .then(hasSent => (hasSent ? shared.queue.load() : undefined))
      .catch(() => undefined)
  })
}

/** Edits an answer by what was done here without the server, if there is anything. */
async function reviseBy(data: unknown, path: string, done: Parameters<typeof import('./state/revise').revise>[2]) {
  if (done.acts.length === 0 && Object.keys(done.positions).length === 0) return data
  return (await import('./state/revise')).revise(data, path, done)
}

/** Runs code for push messages, which is loaded only if this browser gets some. */
async function whenPushed(run: (push: typeof import('./state/push')) => Promise<void>) {
  if (localStorage.getItem('push')) await import('./state/push').then(run).catch(() => undefined)
}

const whenImporting = (run: (code: typeof import('./state/opml-import')) => void) =>
  import('./state/opml-import').then(run).catch(() => undefined)

/** State that all pages share, from the server. */
function createShared(api: AppState['api'], client: Client) {
  const toasts = createToasts()
  const library = createLibrary(
    api.podcasts,
    podcast =>
      // Loaded only when somebody removes a favourite.
      void import('./state/unfavoured').then(({ warnOfPhones }) => warnOfPhones({ client, library, toasts }, podcast)),
  )
  return {
    toasts,
    library,
    feedChecks: createFeedChecks(api.podcasts),
    downloads: createLiveDownloads(api.downloads),
    transcriptions: createLiveTranscriptions(),
    changes: createEpisodeChanges(),
    queue: createQueue(api.queue),
    tags: createTags({ api: api.tags, library }),
    skipLengths: createSkipLengths({ api: api.users }),
    notifications: createNotifications(api.notifications, localStorage),
    moving: createMoving(),
    room: createRoomState(),
    firstRun: createFirstRun(library.isEmpty),
  }
}

/** State of this browser only. */
function createBrowser(prefix: string) {
  return {
    afterLogin: createAfterLogin(sessionStorage),
    places: createPlaces(window),
    drafts: createDrafts(),
    addPodcast: createAddPodcast(),
    searchOverlay: createOverlay(),
    sample: signal<Sample | null>(null),
    playerSheet: createOverlay(),
    queuePanel: createQueuePanel(localStorage, query => matchMedia(query)),
    keysHelp: createOverlay(),
    singleKeys: createSingleKeys(localStorage),
    theme: createTheme(localStorage, matchMedia('(prefers-color-scheme: dark)'), document.documentElement),
    kept: createKept(localStorage, keptFiles),
    appUpdate: createAppUpdate(prefix),
  }
}

async function start(app: AppState, onSignedIn: (owner: string) => void) {
  const { session, drafts, player, appUpdate } = app
  // Signing out loads the page again, so this happens once.
  effect(() => {
    if (session.phase.value === 'signed-in') untracked(() => onSignedIn(session.user.value?.id ?? ''))
  })
  addEventListener('storage', event => {
    const { key } = event as StorageEvent
    if (key === null || isCredential(key)) void session.followOtherTab()
  })
  void appUpdate.start().catch(() => undefined)
  await session.start()
  addEventListener('beforeunload', event => {
    if (drafts.all.peek().size > 0) event.preventDefault()
  })
  addEventListener('online', player.reconnect)
  addEventListener('pagehide', player.leave)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') player.leave()
  })
}
