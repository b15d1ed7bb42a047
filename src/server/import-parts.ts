import { join } from 'node:path'
import { createBegunWork } from './begun-work'
import { createFeedKeys } from './accounts/keys'
import { createUsers } from './accounts/users'
import { createAudit } from './audit/audit'
import { createRemovedClips } from './clips/removed'
import type { Config } from './config'
import { DATABASE_FILE, openDataFolder } from './data-folder'
import { createCovers } from './covers/covers'
import { createMediaFiles } from './storage'
import { createForgottenFiles } from './downloads/forgotten'
import { createKeptFiles } from './downloads/kept-files'
import { createNames } from './downloads/names'
import { createDownloads } from './downloads/queue'
import { createRename } from './downloads/rename'
import { createFeedReader } from './feeds/reader'
import { createRefresh } from './feeds/refresh'
import { createSubscribe } from './feeds/subscribe'
import { createQueue } from './library/queue'
import { createRemovals } from './library/removals'
import { createRemovePodcast } from './library/remove-podcast'
import { createMediaReader } from './media/reader'
import { createMoves } from './moving/moves'
import { createOutbound } from './outbound/request'
import { monotonicClock, systemClock } from './platform/clock'
import { createEvents } from './platform/events'
import { createLog, logFailure } from './platform/log'
import { createPlayback } from './playback/playback'
import { createSecondThread } from './second-thread'
import { createWriteLock } from './store/write-lock'
import { createStartReader } from './start-reader'
import { createSync } from './sync'

/** The server asks every 10 ms whether it may write, and takes its turn. */
const minPauseMs = 25

export type ImportParts = ReturnType<typeof createImportParts>

/**
 * Creates the parts of the server that a move needs, and other changes of podcasts by the command line. Of accounts
 * only their rules are among them: what accounts do at the start depends on the server's own variables. `isCopy`: the
 * library is thrown away later, and nothing is requested.
 */
export function createImportParts(config: Config, { isCopy }: { isCopy: boolean }) {
  const { dataFolder, serverUrl, podcastLimit, pollingMinutes, secretKey, replicaUrl } = config
  const now = systemClock
  const log = createLog('error', config.logFormat)
  const lock = createWriteLock()
  const { store, secret } = openDataFolder(dataFolder, { lock, minPauseMs, secretKey, replicaUrl, isCopy })
  const events = createEvents(logFailure(log, 'Event listener failed'))
  const { publish } = events
  events.listen(createAudit({ store, now, log, outside: 'command-line', days: config.auditDays }).listeners)
  const outbound = createOutbound({ ...config, proxies: config.podcastProxies })
  const thread = createSecondThread(join(dataFolder, DATABASE_FILE), lock, { minPauseMs })
  const begun = createBegunWork({ store, now, log, isServer: false })
  const shared = { store, secret, outbound, thread, publish, now, log, begun }
  const playback = createPlayback(shared)
  const names = createNames(shared)
  const folderFor = names.newFolderFor
  const removal = createRemoval(config, shared, names)
  const feeds = { ...shared, reader: createFeedReader(thread), pollingMinutes, parallel: config.parallelRefreshes }
  const refresh = createRefresh(feeds)
  const { subscribe } = createSubscribe({ ...feeds, refresh, folderFor, podcastLimit })
  const sync = createSync({ ...shared, feedKeys: createFeedKeys(secret), serverUrl, playback, subscribe })
  const folder = join(dataFolder, 'moving')
  const { addresses } = sync
  const builtInSignsIn = config.isOpen || config.password !== null
  const users = createUsers({ store, config, publish, now, log, builtInSignsIn })
  const clips = createRemovedClips({ store, folder: join(dataFolder, 'clips') })
  const removals = createRemovals({ ...removal, thread, clips })
  const removePodcast = createRemovePodcast({ ...removal, removals })
  const moves = createMoves({
    ...shared,
    outbound: createOutbound(config),
    folder,
    startReader: createStartReader(folder),
    names: users,
    addresses,
    playback,
    sync,
    removePodcast,
    removeUser: users.remove,
    refresh,
    subscribe,
    folderFor,
    podcastLimit,
    rehearse: null,
    readsFeeds: !isCopy,
    disk: {
      ...removal,
      files: removal.files.folder,
      reserveBytes: config.reserveBytes,
      keepCover: removal.covers.keep,
      dropCovers: removal.covers.removeUnused,
      cancelDownload: row => removal.downloads.cancel(row, false),
    },
  })
  events.listen(createQueue(shared).listeners)
  events.listen(sync.listeners)
  return {
    store,
    moves,
    refresh,
    subscribe,
    removePodcast,
    removals,
    keptFiles: removal.keptFiles,
    files: removal.files,
    async close() {
      await Promise.all([
        moves.stop(),
        refresh.stop(),
        removals.stop(),
        removal.downloads.stop(),
        removal.covers.stop(),
      ])
      await thread.close()
      store.close()
    },
  }
}

type Shared = Omit<Parameters<typeof createMediaReader>[0], 'limits'> &
  Omit<Parameters<typeof createCovers>[0], 'folder'>

/** Creates the parts that removing a podcast needs; nothing is downloaded. */
function createRemoval(config: Config, shared: Shared, names: ReturnType<typeof createNames>) {
  const files = createMediaFiles({
    ...shared,
    config,
    someKnownFiles: shared.store.episodes.someFiles,
    elapsed: monotonicClock,
  })
  const forgotten = createForgottenFiles({ ...shared, files })
  const media = createMediaReader(shared)
  const keptFiles = createKeptFiles({ ...shared, files, media })
  // It downloads and renames nothing.
  const coverOf = async () => null
  const rename = createRename({ ...shared, names, files, media, coverOf })
  const disk = { files, names, forgotten, media, keptFiles, rename }
  const { parallelDownloads, reserveBytes, dataFolder } = config
  const downloads = createDownloads({
    ...shared,
    ...disk,
    coverOf,
    clearCopies: async () => {},
    elapsed: monotonicClock,
    parallel: () => parallelDownloads,
    reserveBytes,
  })
  const covers = createCovers({ ...shared, folder: join(dataFolder, 'covers') })
  return { ...shared, ...disk, downloads, covers }
}
