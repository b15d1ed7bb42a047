import type { Database } from 'bun:sqlite'
import { chapterStore } from './chapters'
import { coverStore } from './covers'
import { documentStore } from './documents'
import { downloadStore } from './downloads'
import { episodeStore } from './episodes'
import { openDatabase } from './open'
import { inviteStore } from './invites'
import { jobStore } from './jobs'
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
import { tagStore } from './tags'
import { timelineStore } from './timeline'
import { userStore } from './users'

export type Store = ReturnType<typeof createStore>

/** All tables of one database, by family. Every call is synchronous and never spans an `await`. */
export function openStore(path: string): Store {
  return createStore(openDatabase(path))
}

function createStore(db: Database) {
  return {
    chapters: chapterStore(db),
    covers: coverStore(db),
    documents: documentStore(db),
    downloads: downloadStore(db),
    episodes: episodeStore(db),
    invites: inviteStore(db),
    jobs: jobStore(db),
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
    tags: tagStore(db),
    timeline: timelineStore(db),
    users: userStore(db),

    /** Runs `work` as one transaction; `work` must not await. */
    inTransaction: <T>(work: () => T): T => db.transaction(work).immediate(),
    /** Grows when another process has written, as the command line does; not by our own writing. */
    dataVersion: () => db.query<{ data_version: number }, []>('PRAGMA data_version').get()!.data_version,
    isIntact: () => db.query<{ integrity_check: string }, []>('PRAGMA integrity_check').get()?.integrity_check === 'ok',
    /** The plan of a query, for tests that hold lists to their index. */
    explain: (sql: string) =>
      db
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(row => row.detail),
    close() {
      db.run('PRAGMA optimize')
      db.close()
    },
  }
}
