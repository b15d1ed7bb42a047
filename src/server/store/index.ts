import type { Database } from 'bun:sqlite'
import { announcementStore } from './announcements'
import { appDataStore } from './app-data'
import { appPasswordStore } from './app-passwords'
import { writeBackup } from './backup'
import { bookmarkStore } from './bookmarks'
import { chapterStore } from './chapters'
import { coverStore } from './covers'
import { documentStore } from './documents'
import { downloadStore } from './downloads'
import { episodeStore } from './episodes'
import { figureStore } from './figures'
import { forgottenFileStore } from './forgotten-files'
import { healthStore } from './health'
import { openDatabase } from './open'
import { inviteStore } from './invites'
import { jobStore } from './jobs'
import { keptFileStore } from './kept-files'
import { listenedStore } from './listened'
import { notificationStore } from './notifications'
import { playbackStore } from './playback'
import { playlistStore } from './playlists'
import { podcastSettingsStore } from './podcast-settings'
import { podcastStore } from './podcasts'
import { queueStore } from './queue'
import { retentionStore } from './retention'
import { searchStore } from './search'
import { sessionStore } from './sessions'
import { settingsStore } from './settings'
import { syncStore } from './sync'
import { tagStore } from './tags'
import { timelineStore } from './timeline'
import { timeStore } from './times'
import { userStore } from './users'
import { createWriteLock, holdWhenWriting, type WriteLock } from './write-lock'

export type Store = ReturnType<typeof createStore>

/** All tables of one database, by family. Every call is synchronous and never spans an `await`. */
export function openStore(path: string, { checkpointPages, lock = createWriteLock() }: Options = {}): Store {
  const db = openDatabase(path, checkpointPages)
  holdWhenWriting(db, lock)
  return createStore(db, lock)
}

const TURNS_TO_CHECKPOINT = 16
const MOST_PATIENCE_MS = 50

type Options = {
  checkpointPages?: number
  /** Shared by the threads that write into the same database. */
  lock?: WriteLock
}

function createStore(db: Database, lock: WriteLock) {
  let turns = 0
  const inTransaction = <T>(work: () => T): T => lock.hold(() => db.transaction(work).immediate())

  return {
    announcements: announcementStore(db),
    appData: appDataStore(db),
    appPasswords: appPasswordStore(db),
    bookmarks: bookmarkStore(db),
    chapters: chapterStore(db),
    covers: coverStore(db),
    documents: documentStore(db),
    downloads: downloadStore(db),
    episodes: episodeStore(db),
    figures: figureStore(db),
    forgottenFiles: forgottenFileStore(db),
    health: healthStore(db),
    invites: inviteStore(db),
    jobs: jobStore(db),
    keptFiles: keptFileStore(db),
    listened: listenedStore(db),
    notifications: notificationStore(db),
    playback: playbackStore(db),
    playlists: playlistStore(db),
    podcasts: podcastStore(db),
    podcastSettings: podcastSettingsStore(db),
    queue: queueStore(db),
    retention: retentionStore(db),
    search: searchStore(db),
    sessions: sessionStore(db),
    settings: settingsStore(db),
    sync: syncStore(db),
    tags: tagStore(db),
    timeline: timelineStore(db),
    times: timeStore(db),
    users: userStore(db),

    /** Runs `work` as one transaction; `work` must not await. */
    inTransaction,
    /**
     * The same for one of many in a row, for the thread that has the time: whoever waits to write comes between them.
     * The log is moved into the database here, while others may write, not in some commit that keeps them waiting.
     */
    async inTurn<T>(work: () => T): Promise<T> {
      const result = inTransaction(work)
      if (++turns % TURNS_TO_CHECKPOINT === 0) db.run('PRAGMA wal_checkpoint(PASSIVE)')
      const goesOnAt = performance.now() + MOST_PATIENCE_MS
      do await Bun.sleep(0)
      while (lock.isWantedByOthers() && performance.now() < goesOnAt)
      return result
    },
    /** Grows when another process has written, as the command line does; not by our own writing. */
    dataVersion: () => db.query<{ data_version: number }, []>('PRAGMA data_version').get()!.data_version,
    /** All of it in one file, with the server's secret. Throws `BackupError`. */
    writeBackup: (secretPath: string, target: string) => writeBackup(db, secretPath, target),
    /** As long as the database is without its log. */
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
    /** Gives back what it remembers of the disk. */
    shrink: () => db.run('PRAGMA shrink_memory'),
    close() {
      lock.hold(() => db.run('PRAGMA optimize'))
      db.close()
    },
  }
}
