import type { Database } from 'bun:sqlite'
import { dropFile } from './episode-files'
import type { KnownEpisode } from './episodes'
import { knownColumns } from './feeds'
import type { FilePlace } from './file-place'

/** An episode with the time of the reading that added it. */
export type DatedEpisode = KnownEpisode & { first_seen_at: number }

/** Titles of two episodes that may be one, and of their podcast. */
export type UnsureTwin = { podcast: string; one: string; other: string }

/** Tables whose rows move to the remaining episode; if that has a row already, it stays. */
export const carried = [
  'bookmark',
  'clip',
  'download_request',
  'episode_action',
  'episode_like',
  'former_episode',
  'job_item',
  'kept_episode',
  'loudness',
  'marked_before',
  'notification',
  'play_session',
  'playback_hidden',
  'playlist_item',
  'queue_item',
  'saved_queue_item',
  'skip_mark',
] as const

/** Columns in which the feed describes an episode. */
export const described = `feed_guid, title, notes, link, author, enclosure_url, enclosure_type, enclosure_size, image_url, announced_at,
  announced_duration, season, number, type, explicit, chapters_url, transcripts, extras, in_feed, superseded, aside`

/** Merges episodes that are one. */
export const twinStore = (db: Database) => ({
  wereSought: (podcastId: number): boolean =>
    db.query<{ sought: number }, [number]>('SELECT twins_sought AS sought FROM podcast WHERE id = ?').get(podcastId)
      ?.sought !== 0,
  markSought(podcastId: number) {
    db.query('UPDATE podcast SET twins_sought = 1 WHERE id = ?').run(podcastId)
  },
  /** All but the trailers: these are recognised only by their address. */
  datedOf: (podcastId: number) =>
    db
      .query<DatedEpisode, [number]>(
        `SELECT ${knownColumns}, first_seen_at FROM episode WHERE podcast_id = ? AND aside = 0 ORDER BY published_at, id`,
      )
      .all(podcastId),
  noteUnsure(keptId: number, goneId: number) {
    db.query('INSERT OR IGNORE INTO unsure_twin (episode_id, other_id) VALUES (?, ?)').run(keptId, goneId)
  },
  /** Counts the pairs that may be one episode. */
  countUnsure: (): number => db.query<{ total: number }, []>('SELECT count(*) AS total FROM unsure_twin').get()!.total,
  listUnsure: (limit: number) =>
    db
      .query<UnsureTwin, [number]>(
        `SELECT p.title AS podcast, one.title AS one, other.title AS other
           FROM unsure_twin u CROSS JOIN episode one ON one.id = u.episode_id
          CROSS JOIN episode other ON other.id = u.other_id CROSS JOIN podcast p ON p.id = one.podcast_id
          ORDER BY u.episode_id LIMIT ?`,
      )
      .all(limit),
  /** Settles that all of these pairs are two episodes. */
  keepUnsureApart() {
    db.query(
      'INSERT OR IGNORE INTO episode_apart (episode_id, other_id) SELECT episode_id, other_id FROM unsure_twin',
    ).run()
    db.query('DELETE FROM unsure_twin').run()
  },
  /**
   * Makes two episodes one: the older row keeps its id and takes over what the feed says of the newer one and what
   * people did with it. "Played" wins over "not played", and the later position over the earlier one. One file stays;
   * returns the place of the other, which the caller has to note as forgotten in the same transaction. `isDescribed`:
   * the older row keeps what the feed says of it.
   */
  merge(keptId: number, goneId: number, isDescribed = false): FilePlace | null {
    const ids = { kept: keptId, gone: goneId }
    const forgotten = joinFiles(db, ids)
    for (const table of carried)
      db.query(`UPDATE OR IGNORE ${table} SET episode_id = $kept WHERE episode_id = $gone`).run(ids)
    joinPlayback(db, ids)
    // Without a digest the next reading stores the chapters and documents of the item as well.
    if (!isDescribed)
      db.query(
        `UPDATE episode
            SET (${described}) = (SELECT ${described} FROM episode WHERE id = $gone), digest = ''
          WHERE id = $kept`,
      ).run(ids)
    const newer = db.query<{ guid: string }, [number]>('DELETE FROM episode WHERE id = ? RETURNING guid').get(goneId)
    db.query(
      `UPDATE episode
          SET guid = iif(guid = feed_guid, guid, $guid),
              published_at = iif(announced_at IS NULL, published_at, min(announced_at, first_seen_at)),
              duration = iif(file_path IS NOT NULL AND duration > 0, duration, announced_duration)
        WHERE id = $kept`,
    ).run({ kept: keptId, guid: newer!.guid })
    return forgotten
  },
})

/**
 * Leaves the kept episode with one file and its download, or with a download that may still be running. Returns the
 * place of a second file.
 */
export function joinFiles(db: Database, ids: { kept: number; gone: number }): FilePlace | null {
  const file = db
    .query<FilePlace & { size: number; type: string; form: string | null; at: number; duration: number }, [number]>(
      `SELECT file_path AS path, file_storage AS storage, file_size AS size, file_type AS type, file_form AS form, downloaded_at AS at,
              duration
         FROM episode WHERE id = ? AND file_path IS NOT NULL`,
    )
    .get(ids.gone)
  if (!file) {
    db.query(
      `UPDATE OR IGNORE download SET episode_id = $kept
        WHERE episode_id = $gone AND NOT EXISTS (SELECT 1 FROM episode WHERE id = $kept AND file_path IS NOT NULL)`,
    ).run(ids)
    return null
  }
  dropFile(db, ids.gone)
  const { changes } = db
    .query(
      `UPDATE episode SET file_path = $path, file_storage = $storage, file_size = $size, file_type = $type,
              file_form = $form, downloaded_at = $at, duration = $duration
        WHERE id = $id AND file_path IS NULL`,
    )
    .run({ ...file, id: ids.kept })
  if (changes === 0) return { storage: file.storage, path: file.path }
  db.query('DELETE FROM download WHERE episode_id = ?').run(ids.kept)
  for (const table of ['download', 'transcription'])
    db.query(`UPDATE OR IGNORE ${table} SET episode_id = $kept WHERE episode_id = $gone`).run(ids)
  return null
}

function joinPlayback(db: Database, ids: { kept: number; gone: number }) {
  const later = (column: string) =>
    `CASE WHEN finished <> excluded.finished THEN iif(finished, ${column}, excluded.${column})
          WHEN excluded.updated_at > updated_at THEN excluded.${column} ELSE ${column} END`
  db.query(
    `INSERT INTO playback (user_id, episode_id, podcast_id, started, position, total, finished, device, updated_at)
     SELECT user_id, $kept, podcast_id, started, position, total, finished, device, updated_at
       FROM playback WHERE episode_id = $gone
         ON CONFLICT (user_id, episode_id) DO UPDATE
        SET position = ${later('position')}, total = ${later('total')}, device = ${later('device')},
            started = coalesce(started, excluded.started), finished = max(finished, excluded.finished),
            updated_at = max(updated_at, excluded.updated_at)`,
  ).run(ids)
  db.query(
    `INSERT INTO listened (user_id, hour, episode_id, podcast_id, seconds, saved, trimmed)
     SELECT user_id, hour, $kept, podcast_id, seconds, saved, trimmed FROM listened WHERE episode_id = $gone
         ON CONFLICT (user_id, hour, episode_id) DO UPDATE
        SET seconds = seconds + excluded.seconds,
            saved = coalesce(saved + excluded.saved, saved, excluded.saved),
            trimmed = coalesce(trimmed + excluded.trimmed, trimmed, excluded.trimmed)`,
  ).run(ids)
}
