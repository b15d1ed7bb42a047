import { join } from 'node:path'
import { applyConfiguredPassword, lockUp, requireBuiltIn } from './accounts/configured'
import { createInvites } from './accounts/invites'
import { createFeedKeys } from './accounts/keys'
import { createSignIn } from './accounts/sign-in'
import { createSessions } from './accounts/sign-in/session'
import { createAppPasswords } from './accounts/app-passwords'
import { createThrottle, type ThrottleLimits } from './accounts/throttle'
import { createUsers } from './accounts/users'
import { systemClock, type Clock } from './platform/clock'
import type { Config } from './config'
import { createCovers } from './covers/covers'
import { adviceFor, DATABASE_FILE, openDataFolder } from './data-folder'
import type { DownloadLimits } from './downloads/download'
import { createMediaFiles } from './downloads/files'
import { createForgottenFiles } from './downloads/forgotten'
import { createKeptFiles } from './downloads/kept-files'
import { createNames } from './downloads/names'
import { createRename } from './downloads/rename'
import { createDirectories, type DirectoryAddresses } from './directory/directories'
import { createDownloads } from './downloads/queue'
import { createEvents } from './platform/events'
import type { FeedLimits } from './feeds/fetch'
import { createBackground } from './thread'
import { createBackups } from './backups/backups'
import { createIntegrity } from './backups/integrity'
import { createRefresh } from './feeds/refresh'
import { createSubscribe } from './feeds/subscribe'
import { createLog, describeError, type Log } from './platform/log'
import type { MediaLimits } from './media/limits'
import { createMediaReader } from './media/reader'
import { createNotifications } from './notifications/notify'
import { createOpmlImport } from './opml/import'
import { createPlaylists } from './library/playlists'
import { createQueue } from './library/queue'
import { createOutbound, type Resolve } from './outbound/request'
import { createRemovePodcast } from './library/remove-podcast'
import { recordPlayback } from './playback/record'
import { createSync } from './sync'
import { createRetention } from './retention/sweep'
import { createIndexer } from './search/indexer'
import { createWriteLock } from './store/write-lock'
import { createTexts } from './texts/texts'

export type Context = ReturnType<typeof createContext>

/** What a test may want otherwise; the product takes the defaults. */
export type Overrides = {
  now?: Clock
  log?: Log
  feedLimits?: FeedLimits
  downloadLimits?: DownloadLimits
  mediaLimits?: MediaLimits
  /** A clock that never goes back. */
  elapsed?: Clock
  throttleLimits?: ThrottleLimits
  bodySeconds?: number
  resolve?: Resolve
  directoryAddresses?: DirectoryAddresses
}

/** The only place that wires things together: built once, passed down. */
export function createContext(config: Config, overrides: Overrides = {}) {
  const now = overrides.now ?? systemClock
  const log = overrides.log ?? createLog(config.logLevel, config.logFormat)
  const database = join(config.dataFolder, DATABASE_FILE)
  const lock = createWriteLock()
  // The second thread writes the most, and waits for the disk: here that would keep everybody waiting.
  const { store, secret } = openDataFolder(config.dataFolder, { lock, checkpointPages: 16_000 })
  const events = createEvents(error => log.error('an event could not be told', { error: describeError(error) }))
  const { publish } = events
  const outbound = createOutbound(config, overrides.resolve)
  const background = createBackground(database, lock)
  const files = createMediaFiles(config.podcastFolder, store.episodes.someFiles)
  const forgotten = createForgottenFiles({ store, files, log })
  const media = createMediaReader({ background, log, ...(overrides.mediaLimits && { limits: overrides.mediaLimits }) })
  const keptFiles = createKeptFiles({ store, files, media, publish, now, log })

  const admin = requireBuiltIn(store, config, now)
  lockUp(store, config, admin, log)
  const passwordIsSet = applyConfiguredPassword(store, config, admin, log)
  const throttle = createThrottle(now, overrides.throttleLimits)
  const users = createUsers({
    store,
    config,
    publish,
    now,
    builtInSignsIn: config.isOpen || config.password !== null,
  })
  const invites = createInvites({ store, users, now })
  const sessions = createSessions(store, publish, now)
  const feedKeys = createFeedKeys(secret)
  const appPasswords = createAppPasswords({ store, now })
  const signIn = createSignIn({
    store,
    config,
    users,
    sessions,
    feedKeys,
    throttle,
    appPasswords,
    outbound,
    publish,
    now,
    log,
    ready: passwordIsSet,
  })

  const playlists = createPlaylists({ store, now })
  const queue = createQueue({ store, publish, now })
  const indexer = createIndexer({ store, background, log })
  const covers = createCovers({ store, outbound, secret, publish, now, log, folder: join(config.dataFolder, 'covers') })
  const names = createNames({ store })
  const downloads = createDownloads({
    store,
    names,
    outbound,
    files,
    forgotten,
    keptFiles,
    media,
    secret,
    publish,
    now,
    elapsed: overrides.elapsed ?? (() => performance.now()),
    log,
    parallel: config.parallelDownloads,
    reserveBytes: config.reserveBytes,
    ...(overrides.downloadLimits && { limits: overrides.downloadLimits }),
    atRest: id => rename.movedAway(moving => moving === id),
    finishing: id => rename.number(id),
    refreshFeed: id => refresh.refresh(id),
  })
  const feeds = {
    store,
    outbound,
    background,
    secret,
    publish,
    now,
    log,
    pollingMinutes: config.pollingMinutes,
    parallel: config.parallelRefreshes,
    ...(overrides.feedLimits && { limits: overrides.feedLimits }),
    afterApplied: (addedIds: readonly number[]) => {
      void downloads.begin(addedIds)
      texts.wantNewest(addedIds)
      void texts.fetchDue()
      void covers.fetchDue()
      void indexer.run()
    },
  }
  const refresh = createRefresh(feeds)
  const folderFor = (podcast: Parameters<typeof names.folderFor>[0]) =>
    names.folderFor(podcast, store.settings.current(), store.podcasts.isFolderTaken)
  const { subscribe, changeFeed } = createSubscribe({ ...feeds, refresh, folderFor, podcastLimit: config.podcastLimit })
  // A list and an app bring what somebody has subscribed to elsewhere: nothing of it is left out.
  const subscribeToAny: typeof subscribe = (user, address) => subscribe(user, address, { evenUnplayable: true })
  const opmlImport = createOpmlImport({
    store,
    subscribe: subscribeToAny,
    publish,
    now,
    log,
    podcastLimit: config.podcastLimit,
  })
  const rename = createRename({ store, names, files, media, now, log })
  const retention = createRetention({ store, downloads, files, now, log })
  const texts = createTexts({ store, outbound, background, secret, now, log, onKept: () => void indexer.run() })
  events.listen(texts.listen)
  const notifications = createNotifications({ store, publish, now })
  events.listen(notifications.listen)
  const sync = createSync({
    store,
    now,
    feedKeys,
    serverUrl: config.serverUrl,
    publish,
    subscribe: subscribeToAny,
    queue,
    // What an app says was held to the time of its arrival then; a clock that went back since changes nothing of it.
    record: (userId, episode, report, listeners) =>
      recordPlayback({ store, now: () => report.at, ...listeners }, userId, episode, report),
  })
  events.listen(sync.listen)
  const backups = createBackups({
    dataFolder: config.dataFolder,
    background: () => createBackground(database, createWriteLock()),
    databaseBytes: store.bytes,
    now,
    log,
    everyHours: config.backupHours,
    keep: config.backupsKept,
  })
  const integrity = createIntegrity({
    background: () => createBackground(database, createWriteLock()),
    advice: () => adviceFor(config.dataFolder),
    now,
    log,
  })
  const directories = createDirectories({
    outbound,
    now,
    keys: config.podindex,
    ...(overrides.directoryAddresses && { addresses: overrides.directoryAddresses }),
  })
  const removePodcast = createRemovePodcast({ store, downloads, rename, files, forgotten, keptFiles, covers, log })

  return {
    config,
    now,
    log,
    /** How long a client may take to send a body. */
    bodySeconds: overrides.bodySeconds ?? 60,
    store,
    events,
    publish,
    outbound,
    background,
    secret,
    files,
    admin,
    users,
    invites,
    sessions,
    feedKeys,
    throttle,
    appPasswords,
    signIn,
    playlists,
    queue,
    indexer,
    covers,
    downloads,
    refresh,
    subscribe,
    changeFeed,
    opmlImport,
    directories,
    names,
    rename,
    retention,
    texts,
    notifications,
    sync,
    backups,
    integrity,
    removePodcast,
    /** After the server took its last request. */
    async close() {
      covers.stop()
      await Promise.all([
        downloads.stop(),
        refresh.stop(),
        texts.stop(),
        indexer.stop(),
        opmlImport.stop(),
        rename.stop(),
        backups.stop(),
        integrity.stop(),
        passwordIsSet,
      ])
      await background.close()
      store.close()
    },
  }
}
