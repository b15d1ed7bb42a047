import { join } from 'node:path'
import { createAccounts } from './accounts'
import type { ThrottleLimits } from './accounts/throttle'
import { createAudit, createRefusals } from './audit/audit'
import { createBegunWork } from './begun-work'
import { createClips, type ClipLimits } from './clips/clips'
import type { Config } from './config'
import { createCovers } from './covers/covers'
import { DATABASE_FILE, openDataFolder } from './data-folder'
import { createDirectory } from './directory'
import type { DirectoryAddresses } from './directory/directories'
import { createMediaDisk } from './downloads'
import type { DownloadLimits } from './downloads/pace'
import { createFeeds } from './feeds'
import type { FeedLimits } from './feeds/fetch/fetch'
import { createLibrary } from './library'
import { createIdentities } from './library/identities'
import { createRemovals } from './library/removals'
import type { MediaLimits } from './media/limits'
import { createMoving } from './moving'
import type { ReaderLimits } from './moving/needs'
import { createNotify } from './notify'
import { createOpmlImport } from './opml/import'
import type { Resolve } from './outbound/reach'
import { createOutbound } from './outbound/request'
import { type Clock, monotonicClock, SECOND, systemClock } from './platform/clock'
import { createEvents, type Listeners } from './platform/events'
import { createLog, type Log, logFailure } from './platform/log'
import { createRoom, type MeasureFree } from './platform/room'
import { createPlaying } from './playback'
import { createIndexer } from './search/indexer'
import { createSecondThread } from './second-thread'
import { createSidecars } from './sidecars/sidecars'
import { createStartReader } from './start-reader'
import { countEvents, createRequestCounts } from './statistics/statistics'
import type { BucketLimits } from './storage/s3'
import { createWriteLock } from './store/writing'
import { createSync } from './sync'
import { createTexts } from './texts/texts'
import type { TranscriptionLimits } from './transcription/attempt'
import { createTranscriptions } from './transcription/transcriptions'
import { createUpkeep } from './upkeep'

export type Context = ReturnType<typeof createContext>

/**
 * `server`: does everything. `command`: the command line, next to a server that may be running; it leaves accounts as
 * the server's variables made them. `rehearsal`: a copy of the library that is thrown away, in which no feed is
 * requested.
 */
type Role = 'server' | 'command' | 'rehearsal'

/** Replacements for tests; the product uses the defaults. Times are in milliseconds unless stated otherwise. */
export type Overrides = {
  now?: Clock
  /** A clock that never runs backwards. */
  elapsed?: Clock
  log?: Log
  resolve?: Resolve
  /** Free bytes on the disk of the data folder. */
  measureFree?: MeasureFree
  bodySeconds?: number
  /** How long a request that changes something waits while another process writes. */
  writeWaitMs?: number
  directoryAddresses?: DirectoryAddresses
  throttleLimits?: Partial<ThrottleLimits>
  feedLimits?: FeedLimits
  downloadLimits?: Partial<DownloadLimits>
  mediaLimits?: MediaLimits
  clipLimits?: ClipLimits
  readerLimits?: Partial<ReaderLimits>
  bucketLimits?: Partial<BucketLimits>
  transcriptionLimits?: Partial<TranscriptionLimits>
}

/** The server asks every 10 ms whether it may write: with a shorter pause, a command would take every turn. */
const COMMAND_PAUSE_MS = 25
/** The second thread, which writes more, moves the log into the database: requests would wait for this thread. */
const CHECKPOINT_PAGES = 16_000

/** Creates every part of the program once; a part comes after those that it needs. */
export function createContext(config: Config, { role = 'server', ...overrides }: Overrides & { role?: Role } = {}) {
  const isServer = role === 'server'
  const { now = systemClock, elapsed = monotonicClock, bodySeconds = 60, writeWaitMs = 4 * SECOND } = overrides
  const { dataFolder, serverUrl, podcastLimit, reserveBytes, secretKey, replicaUrl } = config
  const database = join(dataFolder, DATABASE_FILE)
  const log = overrides.log ?? createLog(isServer ? config.logLevel : 'error', config.logFormat)
  const lock = createWriteLock()
  const pace = isServer ? { checkpointPages: CHECKPOINT_PAGES } : { minPauseMs: COMMAND_PAUSE_MS }
  const opening = { lock, ...pace, secretKey, replicaUrl, isCopy: role === 'rehearsal' }
  const { store, secret } = openDataFolder(dataFolder, opening)
  const events = createEvents(logFailure(log, 'Event listener failed'))
  const { publish } = events
  const outbound = createOutbound({ ...config, proxies: config.podcastProxies }, overrides.resolve)
  // Signing in and moving in have nothing to do with podcasts: PROXY does not apply to them.
  const servers = createOutbound(config, overrides.resolve)
  const thread = createSecondThread(database, lock, isServer ? {} : { minPauseMs: COMMAND_PAUSE_MS })
  // A backup or an integrity check takes minutes: each has its own thread, which keeps no other task waiting.
  const newThread = () => createSecondThread(database, createWriteLock())
  const { measureFree: measure, throttleLimits } = overrides
  const room = createRoom({ folder: dataFolder, publish, log, checkpoint: store.checkpoint, measure })
  const begun = createBegunWork({ store, now, log, isServer })
  const shared = { store, secret, config, outbound, thread, publish, now, elapsed, log, begun, reserveBytes }
  const toServers = { ...shared, outbound: servers }

  const notify = createNotify({ ...toServers, freeBytes: () => disk.files.folder.freeBytes() })
  const { recordSignIn } = notify.destinations
  const accounts = createAccounts({ ...toServers, isServer, room, throttleLimits, recordSignIn })
  const refusals = createRefusals(shared)
  const audit = createAudit({ ...shared, outside: isServer ? 'server' : 'command-line', days: config.auditDays })
  const playing = createPlaying(shared)
  const indexer = createIndexer(shared)
  const covers = createCovers({ ...shared, folder: join(dataFolder, 'covers') })
  const texts = createTexts(shared)
  const disk = createMediaDisk({ ...shared, isServer, covers, limits: overrides })
  const { files, downloads } = disk
  const sidecars = createSidecars({ ...shared, covers, folder: files.folder })
  const transcriptions = createTranscriptions({ ...shared, files, texts, limits: overrides.transcriptionLimits })
  const clips = createClips({ ...shared, files, limits: overrides.clipLimits })
  const folderFor = disk.names.newFolderFor
  const directory = createDirectory({ ...shared, addresses: overrides.directoryAddresses })
  const feeds = createFeeds({ ...shared, ...directory, folderFor, limits: overrides.feedLimits })
  const { refresh, subscribe } = feeds
  const opmlImport = createOpmlImport({ ...shared, subscribe, podcastLimit })
  const sync = createSync({ ...shared, feedKeys: accounts.feedKeys, serverUrl, ...playing, subscribe })
  const removals = createRemovals({ ...shared, ...disk, covers, clips })
  const library = createLibrary({ ...shared, ...disk, removals })
  const upkeep = createUpkeep({ ...toServers, newThread, downloads, files, kept: library.keptDownloads.ids })
  const moving = createMoving({
    ...toServers,
    ...feeds,
    isServer,
    readsFeeds: role !== 'rehearsal',
    newThread,
    openCopy,
    startReader: folder => createStartReader(folder, overrides.readerLimits),
    users: accounts.users,
    removePodcast: library.removePodcast,
    folderFor,
    podcastLimit,
    ...playing,
    sync,
    covers,
    disk,
  })

  const listening: { listeners: Listeners }[] = [audit, library.queue, sync]
  const ofServer = [refusals, library.queueArrivals, downloads, refresh, texts, transcriptions, covers, sidecars]
  if (isServer) listening.push(...ofServer, indexer, library.keptDownloads, ...Object.values(notify))
  for (const { listeners } of listening) events.listen(listeners)
  if (isServer) store.neverStandStill()

  const { tidying, backups, integrity, updates } = upkeep
  const stoppable: { stop: () => unknown }[] = [downloads, refresh, texts, transcriptions, indexer, tidying, backups]
  stoppable.push(integrity, updates, opmlImport, moving.moves, disk.rename, removals, covers, sidecars)
  stoppable.push(notify.destinations, audit, disk.spool)
  return {
    ...shared,
    ...accounts,
    ...disk,
    ...feeds,
    ...library,
    ...notify,
    ...upkeep,
    ...playing,
    ...moving,
    ...directory,
    bodySeconds,
    writeWaitMs,
    events,
    /** Stops a part of the server with all other work, before the database closes. */
    stopWith: (part: { stop: () => unknown }) => void stoppable.push(part),
    indexer,
    covers,
    texts,
    transcriptions,
    sidecars,
    clips,
    identities: createIdentities({ ...shared, ...disk, refresh }),
    removals,
    opmlImport,
    room,
    sync,
    audit,
    refusals,
    requestCounts: createRequestCounts(),
    eventCounts: countEvents(events),
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

/** Opens a copy of the library. */
export const openCopy = (config: Config): Context => createContext(config, { role: 'rehearsal' })
