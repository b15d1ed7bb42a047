import type { CleanupReason } from '../../shared/api/settings'
import type { CheckFailureReason } from '../../shared/api/system'
import type { Database } from 'bun:sqlite'
import type { StorageName } from './file-place'
import { isGrowing } from './removals'
import { findDamage, findPageDamage } from './backup'

/** Pages written, or given back, by one step: some milliseconds, in which others wait to write. */
const PAGES = 64
/** Free pages that are left for what is written next: 4 MB. */
const FREE_PAGES = 1024

const INCREMENTAL = 2

/** Keeps the database small and quick to search; each step is a short transaction. */
export const upkeepStore = (db: Database) => ({
  /** Merges some pages of the search index; false when its parts are as few as they get. */
  mergeIndex: () => mergeSome(db, 'title_index') || mergeSome(db, 'text_index'),
  /** Gives free pages at the end of the file back to the disk; false when there are few. */
  shrinkFile(): boolean {
    if (pragma(db, 'auto_vacuum') !== INCREMENTAL) return false
    const free = pragma(db, 'freelist_count')
    if (free <= FREE_PAGES) return false
    db.query(`PRAGMA incremental_vacuum(${PAGES})`).all()
    return pragma(db, 'freelist_count') < free
  },
})

function pragma(db: Database, name: string): number {
  const row = db.query<Record<string, number>, []>(`PRAGMA ${name}`).get()!
  return row[name]!
}

/** FTS5 counts one change when there is nothing to merge. */
function mergeSome(db: Database, index: string): boolean {
  const before = totalChanges(db)
  db.query(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${PAGES})`).run()
  return totalChanges(db) - before > 1
}

const totalChanges = (db: Database) => db.query<{ total: number }, []>('SELECT total_changes() AS total').get()!.total

/** A file that should be on the disk; bytes. */
export type ExpectedFile = {
  id: number
  title: string
  file_path: string
  file_storage: StorageName
  file_size: number | null
}

/** Examines the whole database; slow, for `castellan doctor`. */
export const healthStore = (db: Database) => ({
  /** The first damage, except that of the search index, which can be rebuilt; null = none. */
  damage(): string | null {
    const { database } = findDamage(db)
    if (database !== null) return database
    const removed = new Set(
      db
        .query<{ of_table: string }, []>('SELECT of_table FROM removal')
        .all()
        .map(row => row.of_table),
    )
    const orphan = db
      .query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check')
      .all()
      .find(({ table, parent }) => !removed.has(parent) || !isGrowing(parent, table))
    return orphan ? `a row of ${orphan.table} belongs to a row of ${orphan.parent} that is gone` : null
  },
  /**
   * The first damaged page, in the words of SQLite; null = none. Reads all pages, but compares no index with its
   * table.
   */
  quickDamage: () => findPageDamage(db),
  /** Whether the search index lacks texts, or has texts that are gone. */
  isIndexDamaged: () => findDamage(db).index !== null,
  /** Empties the search index; the running server fills it again. */
  emptyIndex() {
    for (const index of ['title_index', 'text_index'])
      db.query(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`).run()
    db.query('UPDATE episode SET search_place = NULL').run()
    db.query('DELETE FROM reindexing').run()
  },
  /** The latest time in the library, in milliseconds; 0 = none. */
  latest: () =>
    db
      .query<{ at: number }, []>(
        `SELECT max(coalesce((SELECT max(checked_at) FROM podcast), 0), coalesce((SELECT max(updated_at) FROM playback), 0),
                    coalesce((SELECT max(created_at) FROM user), 0)) AS at`,
      )
      .get()!.at,
  files: () =>
    db
      .query<ExpectedFile, []>(
        `SELECT id, title, file_path, file_storage, file_size FROM episode INDEXED BY episode_downloaded
          WHERE file_path IS NOT NULL`,
      )
      .all(),
  covers: () =>
    db.query<{ id: number; digest: string }, []>('SELECT id, digest FROM cover WHERE digest IS NOT NULL').all(),
  forgetCover(id: number) {
    db.query('UPDATE cover SET digest = NULL, type = NULL, color = NULL, fetched_at = NULL WHERE id = ?').run(id)
  },
  admins: () => db.query<{ count: number }, []>("SELECT count(*) AS count FROM user WHERE role = 'admin'").get()!.count,
})

/** A file that is to be removed. */
export type CleanupRow = {
  id: number
  uuid: string
  eid: string
  title: string
  podcast_title: string
  file_size: number
  downloaded_at: number
  reason: CleanupReason
}

type RetentionRules = {
  now: number
  /** Days after its download until a file is removed. */
  days: number
  /** Whether podcasts without their own setting are cleaned up; null = yes. */
  autoCleanup: boolean | null
  /** Number of the newest files of a podcast that stay; null = all. */
  keepLast: number | null
  deleteAfterListened: boolean
  /** Episodes that somebody began since then and has not finished stay; milliseconds. */
  begunSince: number
  /** Ids of episodes that playlists keep downloaded. */
  kept: readonly number[]
}

/** Finds the files that the retention rules remove. */
export const retentionStore = (db: Database) => ({
  /** Oldest first. Files stay that somebody likes, has in a queue or playlist, or is in the middle of. */
  due: ({ now, days, autoCleanup, keepLast, deleteAfterListened, begunSince, kept }: RetentionRules) =>
    db
      .query<CleanupRow, Record<string, number | string | null>>(
        `WITH file AS (
           SELECT e.id, e.uuid, e.eid, e.title, e.podcast_id, coalesce(e.file_size, 0) AS file_size, e.downloaded_at,
                  row_number() OVER (PARTITION BY e.podcast_id ORDER BY e.published_at DESC, e.id DESC) AS place
             FROM episode e WHERE e.file_path IS NOT NULL
         )
         SELECT f.id, f.uuid, f.eid, f.title, p.title AS podcast_title, f.file_size, f.downloaded_at,
                CASE WHEN f.downloaded_at < $now - 86400000 * coalesce(s.auto_cleanup_days, $days) THEN 'age'
                     WHEN f.place > coalesce(s.keep_last, $keepLast) THEN 'count' ELSE 'listened' END AS reason
           FROM file f JOIN podcast p ON p.id = f.podcast_id LEFT JOIN podcast_settings s ON s.podcast_id = p.id
          WHERE coalesce(s.auto_cleanup, $autoCleanup, 1) = 1
            AND (f.downloaded_at < $now - 86400000 * coalesce(s.auto_cleanup_days, $days)
                 OR f.place > coalesce(s.keep_last, $keepLast)
                 OR (coalesce(s.delete_after_listened, $deleteAfterListened) = 1
                     AND EXISTS (SELECT 1 FROM playback h WHERE h.episode_id = f.id AND h.finished = 1)))
            AND NOT EXISTS (SELECT 1 FROM episode_like l WHERE l.episode_id = f.id)
            AND NOT EXISTS (SELECT 1 FROM queue_item q WHERE q.episode_id = f.id)
            AND NOT EXISTS (SELECT 1 FROM saved_queue_item k JOIN saved_queue v ON v.id = k.saved_queue_id
                             WHERE k.episode_id = f.id AND v.deleted_at IS NULL)
            AND NOT EXISTS (SELECT 1 FROM playlist_item i WHERE i.episode_id = f.id)
            AND f.id NOT IN (SELECT value FROM json_each($kept))
            AND NOT EXISTS (SELECT 1 FROM playback h
                             WHERE h.episode_id = f.id AND h.played = 1 AND h.finished = 0 AND h.updated_at > $begunSince)
          ORDER BY f.downloaded_at, f.id`,
      )
      .all({
        now,
        days,
        autoCleanup: autoCleanup === null ? null : Number(autoCleanup),
        keepLast,
        deleteAfterListened: Number(deleteAfterListened),
        begunSince,
        kept: JSON.stringify(kept),
      }),
})

export type Release = { version: string; url: string | null; notes: string | null }
/** `status` is that of the refusal; a failure leaves the release that an earlier check found. */
export type CheckFailure = { reason: CheckFailureReason; status: number | null }
type UpdateCheck = { checkedAt: number; release: Release | null; failure: CheckFailure | null }

type UpdateCheckRow = {
  checked_at: number
  version: string | null
  url: string | null
  notes: string | null
  failure: CheckFailure['reason'] | null
  status: number | null
}

/** The last check for a newer version. */
export const updateStore = (db: Database) => ({
  /** The last check of this address; null = it was never asked. */
  find(address: string): UpdateCheck | null {
    const row = db.query<UpdateCheckRow, [string]>('SELECT * FROM update_check WHERE address = ?').get(address)
    if (!row) return null
    const { checked_at: checkedAt, version, url, notes, failure: reason, status } = row
    return {
      checkedAt,
      release: version === null ? null : { version, url, notes },
      failure: reason && { reason, status },
    }
  },
  /** Notes the outcome of a check; what another address said is forgotten. */
  keep(address: string, { checkedAt, release, failure }: UpdateCheck) {
    db.query<null, Record<string, string | number | null>>(
      `INSERT OR REPLACE INTO update_check (id, address, checked_at, version, url, notes, failure, status)
       VALUES (1, $address, $checkedAt, $version, $url, $notes, $failure, $status)`,
    ).run({
      address,
      checkedAt,
      version: release?.version ?? null,
      url: release?.url ?? null,
      notes: release?.notes ?? null,
      failure: failure?.reason ?? null,
      status: failure?.status ?? null,
    })
  },
})

export type BegunRow = {
  kind: string
  key: string
  label: string
  deaths: number
  is_running: number
  begun_at: number
  set_aside_at: number | null
}

const MAX_LABEL = 300

/** Work that a start resumes, and what was set aside of it. */
export const begunWorkStore = (db: Database) => ({
  find: (kind: string, key: string): BegunRow | null =>
    db.query<BegunRow, [string, string]>('SELECT * FROM begun_work WHERE kind = ? AND key = ?').get(kind, key),
  /** `deaths`: those that count against an item of a batch that one interrupted. */
  begin({ kind, key, label, deaths }: { kind: string; key: string; label: string; deaths: number }, now: number) {
    db.query(
      `INSERT INTO begun_work (kind, key, label, deaths, is_running, begun_at) VALUES (?, ?, ?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET is_running = 1, begun_at = excluded.begun_at, label = excluded.label`,
    ).run(kind, key, label.slice(0, MAX_LABEL), deaths, now)
  },
  /** Forgets work that ended, or that a person wants tried again. Returns whether it was known. */
  remove: (kind: string, key: string): boolean =>
    db.query('DELETE FROM begun_work WHERE kind = ? AND key = ?').run(kind, key).changes > 0,
  /** Notes that an orderly stop interrupts what runs, and no death. */
  stopAll: () => db.query('UPDATE begun_work SET is_running = 0 WHERE is_running = 1').run(),
  /** Counts a death of everything that runs, and sets aside what has `most` of them. */
  countDeaths(most: number, now: number) {
    db.query('UPDATE begun_work SET deaths = deaths + 1, is_running = 0 WHERE is_running = 1').run()
    db.query('UPDATE begun_work SET set_aside_at = ? WHERE set_aside_at IS NULL AND deaths >= ?').run(now, most)
  },
  listSetAside: (): BegunRow[] =>
    db.query<BegunRow, []>('SELECT * FROM begun_work WHERE set_aside_at IS NOT NULL ORDER BY kind, label').all(),
})

type Figures = {
  podcasts: number
  podcasts_failing: number
  podcasts_overdue: number
  episodes: number
  media_files: number
  media_bytes: number
  users: number
  devices: number
  unindexed: number
}

/** Figures for monitoring, cheap enough to be read every few seconds. */
export const figureStore = (db: Database) => ({
  /** `overdueBefore`: feeds that were due before this time count as overdue; milliseconds. */
  all: (overdueBefore: number) =>
    db
      .query<Figures, [number]>(
        `SELECT (SELECT count(*) FROM podcast) AS podcasts,
                (SELECT count(*) FROM podcast WHERE error_code IS NOT NULL) AS podcasts_failing,
                (SELECT count(*) FROM podcast WHERE active = 1 AND gone = 0 AND next_check_at < ?) AS podcasts_overdue,
                (SELECT coalesce(sum(episode_count), 0) FROM podcast) AS episodes,
                (SELECT coalesce(sum(file_count), 0) FROM podcast) AS media_files,
                (SELECT coalesce(sum(file_bytes), 0) FROM podcast) AS media_bytes,
                (SELECT count(*) FROM user) AS users,
                (SELECT count(*) FROM device) AS devices,
                (SELECT count(*) FROM (SELECT 1 FROM episode INDEXED BY episode_unindexed WHERE search_place IS NULL
                                       LIMIT 100000)) AS unindexed`,
      )
      .get(overdueBefore)!,
  downloads: () =>
    db
      .query<{ state: string; total: number }, []>('SELECT state, count(*) AS total FROM download GROUP BY state')
      .all(),
  transcriptions: () =>
    db
      .query<{ state: string; total: number }, []>('SELECT state, count(*) AS total FROM transcription GROUP BY state')
      .all(),
})
