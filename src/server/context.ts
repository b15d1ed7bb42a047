import { join } from 'node:path'
import { createAccounts } from './accounts'
import { createBegunWork } from './begun-work'
import { createAudit } from './audit/audit'
import { createRefusals } from './audit/refusals'
import { createBackups } from './backups/backups'
import { createIntegrity } from './backups/integrity'
import { createClips } from './clips/clips'
import type { Config } from './config'
import { createCovers } from './covers/covers'
import { adviceFor, DATABASE_FILE, openDataFolder } from './data-folder'
import { createDestinations } from './destinations'
import { createDirectories } from './directory/directories'
import { createPopular } from './directory/popular'
import { createClearCopies } from './downloads/clear-copies'
import { createFileCheck } from './downloads/file-check'
import { createForgottenFiles } from './downloads/forgotten'
import { createKeptFiles } from './downloads/kept-files'
import { createMediaMove } from './downloads/media-move'
import { createNames } from './downloads/names'
import { createDownloads } from './downloads/queue'
import { createRename } from './downloads/rename'
import { createPreview } from './feeds/preview'
import { createIdentities } from './library/identities'
import { createFeedReader } from './feeds/reader'
import { createRefresh } from './feeds/refresh'
import { createSubscribe } from './feeds/subscribe'
import { createLibrary } from './library'
import { createRemovals } from './library/removals'
import { createMediaReader } from './media/reader'
import { createMoves } from './moving/moves'
import { createMovingOut } from './moving/out'
import { createNotifications } from './notifications/notify'
import { createTroubles } from './notifications/troubles'
import { createOpmlImport } from './opml/import'
import { createOutbound } from './outbound/request'
import { monotonicClock, SECOND, systemClock } from './platform/clock'
import { createEvents } from './platform/events'
import { createRoom } from './platform/room'
import { createLog, logFailure } from './platform/log'
import type { Overrides } from './overrides'
import { createHidden } from './playback/hidden'
import { createPlayback } from './playback/playback'
import { createPlaySessions } from './playback/sessions'
import { createRehearse } from './rehearse'
import { createReplicaWatch } from './replica/watch'
import { createRetention } from './retention/sweep'
import { createSecondThread } from './second-thread'
import { createIndexer } from './search/indexer'
import { countEvents } from './statistics/event-counts'
import { createRequestCounts } from './statistics/request-counts'
import { createWriteLock } from './store/write-lock'
import { createSidecars } from './sidecars/sidecars'
import { createStartReader } from './start-reader'
import { createSync } from './sync'
import { createMediaFiles } from './storage'
import { createTexts } from './texts/texts'
import { createTranscriptions } from './transcription/transcriptions'
import { createUpdates } from './updates/updates'
import { createUpkeep } from './upkeep/upkeep'

export type Context = ReturnType<typeof createContext>

/** Creates every part of the server once; a part comes after those that it needs. */
export function createContext(config: Config, overrides: Overrides = {}) {
  const { now = systemClock, elapsed = monotonicClock, bodySeconds = 60, writeWaitMs = 4 * SECOND } = overrides
  const log = overrides.log ?? createLog(config.logLevel, config.logFormat)
  const { dataFolder, serverUrl, podcastLimit, pollingMinutes, reserveBytes, secretKey, replicaUrl } = config
  const lock = createWriteLock()
  // Requests wait while this thread moves the log into the database: the second thread, which writes more, does it.
  const { store, secret } = openDataFolder(dataFolder, { lock, checkpointPages: 16_000, secretKey, replicaUrl })
  const events = createEvents(logFailure(log, 'Event listener failed'))
  const { publish } = events
  const outbound = createOutbound({ ...config, proxies: config.podcastProxies }, overrides.resolve)
  // People who sign in or move in are no podcasts: PROXY is not for them.
  const servers = createOutbound(config, overrides.resolve)
  const thread = createSecondThread(join(dataFolder, DATABASE_FILE), lock)
  // A backup or an integrity check takes minutes: each has its own thread, which keeps no other task waiting.
  const newThread = () => createSecondThread(join(dataFolder, DATABASE_FILE), createWriteLock())
  const room = createRoom({
    folder: dataFolder,
    publish,
    log,
    checkpoint: store.checkpoint,
    measure: overrides.measureFree,
  })
  const begun = createBegunWork({ store, now, log, isServer: true })
  const shared = { store, secret, outbound, thread, publish, now, log, begun }

  const destinations = createDestinations({ ...shared, outbound: servers })
  const accounts = createAccounts({
    ...shared,
    outbound: servers,
    config,
    room,
    throttleLimits: overrides.throttleLimits,
    recordSignIn: destinations.recordSignIn,
  })
  const { feedKeys } = accounts
  const refusals = createRefusals(shared)
  const audit = createAudit({ ...shared, outside: 'server', days: config.auditDays })

  const playback = createPlayback(shared)
  const playSessions = createPlaySessions({ ...shared, playback })
  const hide = createHidden(shared)
  const indexer = createIndexer(shared)
  const upkeep = createUpkeep(shared)
  const covers = createCovers({ ...shared, folder: join(dataFolder, 'covers') })
  const texts = createTexts(shared)

  const files = createMediaFiles({
    ...shared,
    config,
    elapsed,
    someKnownFiles: store.episodes.someFiles,
    limits: overrides.bucketLimits,
    onReturn: () => void downloads.storageReturned(),
  })
  const sidecars = createSidecars({ ...shared, covers, folder: files.folder })
  const names = createNames(shared)
  const forgotten = createForgottenFiles({ ...shared, files, elapsed })
  const media = createMediaReader({ ...shared, limits: overrides.mediaLimits })
  const keptFiles = createKeptFiles({ ...shared, files, media })
  const coverOf = covers.pictureOf
  const rename = createRename({ ...shared, names, files, media, coverOf })
  const disk = { files, names, forgotten, media, keptFiles, rename }
  const mediaMove = createMediaMove({ ...shared, files, forgotten, reserveBytes })
  const downloads = createDownloads({
    ...shared,
    ...disk,
    coverOf,
    clearCopies: createClearCopies({ dataFolder, files, mediaMove }),
    elapsed,
    parallel: () => store.settings.current().parallelDownloads ?? config.parallelDownloads,
    reserveBytes,
    limits: overrides.downloadLimits,
  })

  const fileCheck = createFileCheck({ ...shared, ...disk })
  const transcriptions = createTranscriptions({
    ...shared,
    files,
    texts,
    server: config.transcription,
    proxies: config,
    limits: overrides.transcriptionLimits,
    elapsed,
  })
  const clips = createClips({
    ...shared,
    files,
    folder: join(dataFolder, 'clips'),
    reserveBytes,
    arePublic: config.publicClips,
    limits: overrides.clipLimits,
  })

  const feeds = {
    ...shared,
    reader: createFeedReader(thread),
    pollingMinutes,
    parallel: config.parallelRefreshes,
    limits: overrides.feedLimits,
  }
  const refresh = createRefresh(feeds)
  const identities = createIdentities({ ...shared, refresh, forgotten })
  const { subscribe, changeFeed } = createSubscribe({
    ...feeds,
    refresh,
    folderFor: names.newFolderFor,
    podcastLimit,
  })
  const previewFeed = createPreview({ ...feeds, podcastLimit })
  const opmlImport = createOpmlImport({ ...shared, subscribe, podcastLimit })
  const directories = createDirectories({ ...shared, keys: config.podindex, addresses: overrides.directoryAddresses })
  const popular = createPopular({ directories, now, hasPodindex: config.podindex !== null })
  const notifications = createNotifications({ ...shared, destinations })
  const troubles = createTroubles({ ...shared, destinations, freeBytes: () => files.folder.freeBytes(), reserveBytes })
  const sync = createSync({ ...shared, feedKeys, serverUrl, playback, subscribe })
  const backups = createBackups({
    ...shared,
    dataFolder,
    newThread,
    databaseBytes: store.bytes,
    everyHours: config.backupHours,
    keep: config.backupsKept,
  })
  const integrity = createIntegrity({ ...shared, newThread, advice: () => adviceFor(dataFolder, replicaUrl) })
  const replica = createReplicaWatch({ ...shared, config })
  const updates = createUpdates({ ...shared, outbound: servers, address: config.updateCheckUrl })
  const removals = createRemovals({ ...shared, ...disk, covers, clips })
  const library = createLibrary({ ...shared, ...disk, downloads, removals, reserveBytes })
  const movingOut = createMovingOut({ ...shared, files })
  const retention = createRetention({ ...shared, downloads, files, kept: library.keptDownloads.ids })
  const movingFolder = join(dataFolder, 'moving')
  const moves = createMoves({
    ...shared,
    outbound: servers,
    folder: movingFolder,
    startReader: createStartReader(movingFolder, overrides.readerLimits),
    addresses: sync.addresses,
    playback,
    sync,
    refresh,
    subscribe,
    names: accounts.users,
    folderFor: names.newFolderFor,
    podcastLimit,
    removePodcast: library.removePodcast,
    removeUser: accounts.users.remove,
    rehearse: createRehearse(config, secret, newThread),
    readsFeeds: true,
    disk: {
      ...disk,
      files: files.folder,
      reserveBytes,
      keepCover: covers.keep,
      dropCovers: covers.removeUnused,
      cancelDownload: row => downloads.cancel(row, false),
    },
  })

  events.listen(refusals.listeners)
  events.listen(audit.listeners)
  events.listen(library.queue.listeners)
  events.listen(library.queueArrivals.listeners)
  events.listen(downloads.listeners)
  events.listen(refresh.listeners)
  events.listen(texts.listeners)
  events.listen(transcriptions.listeners)
  events.listen(covers.listeners)
  events.listen(sidecars.listeners)
  events.listen(indexer.listeners)
  events.listen(destinations.listeners)
  events.listen(notifications.listeners)
  events.listen(troubles.listeners)
  events.listen(sync.listeners)

  store.neverStandStill()

  const stoppable: { stop: () => unknown }[] = [
    downloads,
    refresh,
    texts,
    transcriptions,
    indexer,
    upkeep,
    opmlImport,
    moves,
    rename,
    removals,
    backups,
    integrity,
    covers,
    sidecars,
    updates,
    destinations,
    audit,
  ]
  return {
    ...shared,
    ...accounts,
    ...disk,
    ...library,
    config,
    bodySeconds,
    writeWaitMs,
    socketLimits: overrides.socketLimits,
    events,
    /** Stops a part of the server with all other work, before the database closes. */
    stopWith: (part: { stop: () => unknown }) => void stoppable.push(part),
    playback,
    playSessions,
    hide,
    indexer,
    upkeep,
    covers,
    texts,
    transcriptions,
    sidecars,
    clips,
    fileCheck,
    downloads,
    removals,
    refresh,
    identities,
    subscribe,
    changeFeed,
    previewFeed,
    opmlImport,
    moves,
    movingOut,
    directories,
    popular,
    retention,
    notifications,
    destinations,
    troubles,
    room,
    sync,
    audit,
    refusals,
    requestCounts: createRequestCounts(),
    eventCounts: countEvents(events),
    backups,
    integrity,
    replica,
    updates,
    /** Stops all work, then closes the database. Call it when the server accepts no more requests. */
    async close() {
      await store.whenWritable(SECOND)
      begun.stopping()
      await Promise.all([...stoppable.map(part => part.stop()), accounts.passwordIsSet])
      await thread.close()
      store.close()
    },
  }
}
