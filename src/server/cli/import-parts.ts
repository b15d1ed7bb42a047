import { join } from 'node:path'
import { createFeedKeys } from '../accounts/keys'
import type { Config } from '../config'
import { DATABASE_FILE, openDataFolder } from '../data-folder'
import { createNames } from '../downloads/names'
import { createFeedReader } from '../feeds/reader'
import { createRefresh } from '../feeds/refresh'
import { createSubscribe } from '../feeds/subscribe'
import { createQueue } from '../library/queue'
import { createMoves } from '../moving/moves'
import { createOutbound } from '../outbound/request'
import { systemClock } from '../platform/clock'
import { createEvents } from '../platform/events'
import { createLog, logFailure } from '../platform/log'
import { createPlayback } from '../playback/playback'
import { createSecondThread } from '../second-thread'
import { createWriteLock } from '../store/write-lock'
import { createSync } from '../sync'

export type ImportParts = ReturnType<typeof createImportParts>

/**
 * Creates the parts of the server that a move needs. Accounts are not among them: what they do at the start depends on
 * the server's own variables. `readsFeeds` false: nothing is requested.
 */
export function createImportParts(config: Config, { readsFeeds }: { readsFeeds: boolean }) {
  const { dataFolder, serverUrl, podcastLimit, pollingMinutes } = config
  const now = systemClock
  const log = createLog('error', config.logFormat)
  const lock = createWriteLock()
  const { store, secret } = openDataFolder(dataFolder, { lock })
  const events = createEvents(logFailure(log, 'Event listener failed'))
  const { publish } = events
  const outbound = createOutbound(config)
  const thread = createSecondThread(join(dataFolder, DATABASE_FILE), lock)
  const shared = { store, secret, outbound, thread, publish, now, log }
  const playback = createPlayback(shared)
  const folderFor = createNames(shared).newFolderFor
  const feeds = { ...shared, reader: createFeedReader(thread), pollingMinutes, parallel: config.parallelRefreshes }
  const refresh = createRefresh(feeds)
  const { subscribe } = createSubscribe({ ...feeds, refresh, folderFor, podcastLimit })
  const sync = createSync({ ...shared, feedKeys: createFeedKeys(secret), serverUrl, playback, subscribe })
  const folder = join(dataFolder, 'moving')
  const { addresses } = sync
  const newThread = () => createSecondThread(join(dataFolder, DATABASE_FILE), createWriteLock())
  const moves = createMoves({
    ...shared,
    folder,
    newThread,
    addresses,
    playback,
    refresh,
    subscribe,
    folderFor,
    podcastLimit,
    readsFeeds,
  })
  events.listen(createQueue(shared).listeners)
  events.listen(sync.listeners)
  return {
    store,
    moves,
    async close() {
      await Promise.all([moves.stop(), refresh.stop()])
      await thread.close()
      store.close()
    },
  }
}
