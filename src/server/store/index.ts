import type { Database } from 'bun:sqlite'
import { announcementStore, liveNoticeStore, notificationStore, troubleStore } from './notifications'
import { appDataStore } from './app-data'
import { appPasswordStore, inviteStore, knownPlaceStore, passkeyStore, secondFactorStore } from './passkeys'
import { appSessionStore } from './app-sessions'
import { auditStore } from './audit'
import { writeBackup, writeCopy } from './backup'
import { begunWorkStore, figureStore, healthStore, retentionStore, updateStore, upkeepStore } from './upkeep'
import { bookmarkStore, playbackMarks, skipMarkStore } from './marks'
import { catalogueLists, catalogueStore } from './catalogue'
import { chapterStore, documentChanges, documentLookups } from './documents'
import { clipStore } from './clips'
import { coverStore, sidecarStore } from './covers'
import { deliveryStore, destinationStore } from './destinations'
import { deviceStore, episodeActionChanges, episodeActions } from './episode-actions'
import { downloadAttempts } from './download-attempts'
import { downloadLists, downloadLookups, downloadQueue } from './downloads'
import { episodeFileLists, episodeFiles } from './episode-files'
import { episodeLikes, episodeLists, listFilters, newEpisodeStore } from './episode-lists'
import { episodeLookups } from './episodes'
import { exportStore } from './exports'
import { feedAddresses, feedEpisodes, feedStates } from './feeds'
import { formerEpisodeStore } from './former-episodes'
import { forgottenFileStore, keptFileStore, mediaCopyStore } from './kept-files'
import { keptNextStore } from './kept-next'
import { twinStore } from './twins'
import { jobStore } from './jobs'
import { listenedStore } from './listened'
import { loudnessStore, playbackHiddenStore, playbackStore, playSessionStore } from './playback'
import { moveArrivals } from './move-arrivals'
import { moveChanges, moveLookups } from './moves'
import { moveRows, moveUndo, moveUses } from './move-undo'
import { openDatabase, removeStatistics, noteFingerprint } from './open'
import { peopleStore, searchStore } from './search'
import { keptEpisodeStore, playlistStore } from './playlists'
import { podcastChanges, podcastSettingsStore } from './podcast-settings'
import { podcastFolders, podcastLists, podcastOverview } from './podcast-lists'
import { podcastLookups } from './podcasts'
import { queueArrivalStore, queueStore, savedQueueStore } from './queue'
import { type RemovableTable, removalStore } from './removals'
import { sessionStore } from './sessions'
import { settingsStore } from './settings'
import { setUpStatements, createTurns, createWriteLock, createWriting, type Ways, type WriteLock } from './writing'
import {
  subscriptionChanges,
  subscriptionStore,
  syncDirectory,
  syncEpisodes,
  syncFeeds,
  syncState,
} from './subscriptions'
import { tagStore } from './tags'
import { timelineStore } from './timeline'
import { timeStore } from './times'
import { transcriptionChanges, transcriptionLookups } from './transcriptions'
import { smartListStore } from './smart-lists'
import { userAccess, userChanges, userLookups } from './users'
import { yourEpisodeStore } from './your-episodes'

export type Store = ReturnType<typeof createStore>

const MAX_PAUSE_MS = 50

type Options = {
  /** See `openDatabase`. */
  checkpointPages?: number
  /** Shared by the threads that write into the same database. */
  lock?: WriteLock
  /** The least pause between two turns, in which the server, another process, may write. */
  minPauseMs?: number
  /** The longest pause between two turns while another thread waits to write. */
  maxPauseMs?: number
  /** See `openDatabase`. */
  secretKey?: Uint8Array | null
  /** See `openDatabase`. */
  isCopy?: boolean
}

/** Opens a database for all threads that share `lock`; see `openDatabase` for the failures. */
export function openStore(
  path: string,
  {
    checkpointPages,
    lock = createWriteLock(),
    minPauseMs = 0,
    maxPauseMs = MAX_PAUSE_MS,
    secretKey,
    isCopy,
  }: Options = {},
): Store {
  const db = openDatabase(path, { checkpointPages, secretKey, isCopy })
  const writing = createWriting(db, lock)
  setUpStatements(db, writing)
  const store = createStore(db, { lock, writing, minPauseMs, maxPauseMs })
  store.users.noteMissingLooks()
  return store
}

function createStore(db: Database, { lock, writing, minPauseMs, maxPauseMs }: Ways) {
  const inTransaction = <T>(work: () => T): T => writing.hold(() => db.transaction(work).immediate())
  const inRemoval = <T>(work: () => T): T =>
    writing.hold(() => withoutForeignKeys(db, () => db.transaction(work).immediate()))
  const tables = families(db)
  const dataVersion = () => db.query<{ data_version: number }, []>('PRAGMA data_version').get()!.data_version

  return {
    ...tables,
    /** Runs `work` as one transaction; `work` must not await. */
    inTransaction,
    /**
     * The same for work that calls `removals.remove`; not within another transaction. Foreign keys are off until it
     * ends: nothing else in it may delete a row that others refer to.
     */
    inRemoval,
    /** Removes these rows, each in a transaction. `removals.list` names those of which much is left to delete. */
    removeEach(table: RemovableTable, rows: readonly { id: number; title: string }[]) {
      for (const { id, title } of rows) inRemoval(() => tables.removals.remove(table, id, title))
    },
    ...createTurns({ db, lock, writing, inTransaction, minPauseMs, maxPauseMs }),
    /** A number that changes with everything that this process writes; not when another does. */
    writes: lock.writes,
    isWritable: writing.isWritable,
    whenWritable: writing.whenWritable,
    write: writing.write,
    neverStandStill: writing.neverStandStill,
    /** A text that changes with everything that is written, by this process or another. */
    written: () => `${lock.writes()} ${dataVersion()}`,
    /** A number that changes when another process writes, such as the command line; not by our own writing. */
    dataVersion,
    /** Writes everything into one file, with the server's secret. Throws `BackupError`. */
    writeBackup: (secret: Uint8Array, target: string) => writeBackup(db, secret, target),
    /** Writes a copy to work on, without the server's secret. */
    writeCopy: (target: string) => writeCopy(db, target),
    /** Notes which secret belongs to this library: its number, never the secret. */
    noteFingerprint: (fingerprint: number) => writing.hold(() => noteFingerprint(db, fingerprint)),
    /** Size of the database without its log. */
    bytes: () =>
      db
        .query<{ bytes: number }, []>('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
        .get()!.bytes,
    /** The plan of a query, for tests that hold lists to their index. */
    explain: (sql: string) =>
      db
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(row => row.detail),
    /** See `removeStatistics`: all open connections plan without them afterwards. */
    removeStatistics: () => removeStatistics(db),
    /** Moves the log into the database as far as nobody reads it, so that it is used again. */
    checkpoint: () => void db.run('PRAGMA wal_checkpoint(PASSIVE)'),
    /** Frees the pages that SQLite keeps in memory. */
    shrink: () => db.run('PRAGMA shrink_memory'),
    close() {
      writing.close()
      try {
        db.close(true)
      } catch {
        // A statement that nobody refers to any more would keep the file open until it is collected.
        Bun.gc(true)
        db.close()
      }
    },
  }
}

/** The pragma does nothing within a transaction, so it surrounds it. */
function withoutForeignKeys<T>(db: Database, work: () => T): T {
  db.run('PRAGMA foreign_keys = OFF')
  try {
    return work()
  } finally {
    db.run('PRAGMA foreign_keys = ON')
  }
}

/** The tables of one database, by family. Calls are synchronous and never span an `await`. */
const families = (db: Database) => ({
  announcements: announcementStore(db),
  liveNotices: liveNoticeStore(db),
  appData: appDataStore(db),
  appPasswords: appPasswordStore(db),
  begunWork: begunWorkStore(db),
  audit: auditStore(db),
  bookmarks: bookmarkStore(db),
  catalogue: { ...catalogueStore(db), ...catalogueLists(db) },
  chapters: chapterStore(db),
  clips: clipStore(db),
  covers: coverStore(db),
  deliveries: deliveryStore(db),
  destinations: destinationStore(db),
  documents: { ...documentLookups(db), ...documentChanges(db) },
  downloads: { ...downloadLookups(db), ...downloadLists(db), ...downloadQueue(db), ...downloadAttempts(db) },
  episodes: {
    ...episodeLookups(db),
    ...episodeLists(db),
    ...episodeFiles(db),
    ...episodeFileLists(db),
    ...episodeLikes(db),
    ...feedEpisodes(db),
  },
  exports: exportStore(db),
  figures: figureStore(db),
  formerEpisodes: formerEpisodeStore(db),
  forgottenFiles: forgottenFileStore(db),
  twins: twinStore(db),
  health: healthStore(db),
  sidecars: sidecarStore(db),
  smartLists: smartListStore(db),
  keptEpisodes: keptEpisodeStore(db),
  keptNext: keptNextStore(db),
  skipMarks: skipMarkStore(db),
  updates: updateStore(db),
  invites: inviteStore(db),
  jobs: jobStore(db),
  keptFiles: keptFileStore(db),
  knownPlaces: knownPlaceStore(db),
  mediaCopies: mediaCopyStore(db),
  listened: listenedStore(db),
  moves: {
    ...moveLookups(db),
    ...moveChanges(db),
    ...moveUndo(db),
    ...moveRows(db),
    ...moveUses(db),
    ...moveArrivals(db),
  },
  notifications: notificationStore(db),
  passkeys: passkeyStore(db),
  playback: { ...playbackStore(db), ...playbackMarks(db) },
  playbackHidden: playbackHiddenStore(db),
  loudness: loudnessStore(db),
  playlists: playlistStore(db),
  playSessions: playSessionStore(db),
  podcasts: {
    ...podcastLookups(db),
    ...podcastLists(db),
    ...podcastOverview(db),
    ...podcastChanges(db),
    ...podcastFolders(db),
    ...feedStates(db),
    ...feedAddresses(db),
    ...listFilters(db),
  },
  podcastSettings: podcastSettingsStore(db),
  queue: queueStore(db),
  newEpisodes: newEpisodeStore(db),
  queueArrivals: queueArrivalStore(db),
  removals: removalStore(db),
  retention: retentionStore(db),
  savedQueues: savedQueueStore(db),
  people: peopleStore(db),
  search: searchStore(db),
  secondFactors: secondFactorStore(db),
  sessions: sessionStore(db),
  appSessions: appSessionStore(db),
  settings: settingsStore(db),
  sync: {
    ...syncState(db),
    ...syncFeeds(db),
    ...syncDirectory(db),
    ...syncEpisodes(db),
    ...deviceStore(db),
    ...subscriptionStore(db),
    ...subscriptionChanges(db),
    ...episodeActions(db),
    ...episodeActionChanges(db),
  },
  tags: tagStore(db),
  timeline: timelineStore(db),
  times: timeStore(db),
  transcriptions: { ...transcriptionLookups(db), ...transcriptionChanges(db) },
  troubles: troubleStore(db),
  upkeep: upkeepStore(db),
  users: { ...userLookups(db), ...userChanges(db), ...userAccess(db) },
  yourEpisodes: yourEpisodeStore(db),
})
