import type { ErrorCode } from '../../shared/error-code'
import type { Database } from 'bun:sqlite'
import { hasFeed } from './folder-feeds'
import type { PodcastFacts, Validators } from './podcasts'

/** Result of checking a feed; times in milliseconds. */
type CheckOutcome = {
  checkedAt: number
  nextCheckAt: number
  intervalMs: number | null
  failures: number
  error: { code: ErrorCode; message: string } | null
  warnings: boolean
  gone: boolean
}

/** The time of the next check of a feed that somebody asked for: it comes before all that are due. */
export const ASKED = 0

/** The state of feeds between two checks. */
export const feedStates = (db: Database) => ({
  /** Ids of the podcasts whose feeds are due, longest waiting first. */
  due: (now: number, autoUpdate: boolean, limit: number) =>
    db
      .query<{ id: number }, [number, number, number]>(
        `SELECT id FROM podcast p LEFT JOIN podcast_settings s ON s.podcast_id = p.id
          WHERE active = 1 AND gone = 0 AND next_check_at <= ? AND coalesce(s.auto_update, ?) = 1
          ORDER BY next_check_at LIMIT ?`,
      )
      .all(now, Number(autoUpdate), limit)
      .map(row => row.id),
  /**
   * Asks for a check, which any process may make: the next one recorded is the answer. A feed that is gone gets one,
   * too.
   */
  ask(id: number) {
    db.query(
      `UPDATE podcast SET next_check_at = ${ASKED}, gone = 0 WHERE id = ? AND active = 1 AND ${hasFeed('podcast')}`,
    ).run(id)
  },
  /** Ids of the podcasts whose feeds somebody asked to check. */
  asked: () =>
    db
      .query<{ id: number }, []>(`SELECT id FROM podcast WHERE active = 1 AND gone = 0 AND next_check_at <= ${ASKED}`)
      .all()
      .map(row => row.id),
  describe(id: number, title: string, facts: PodcastFacts) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE podcast
          SET title = iif(renamed, title, $title), author = $author, summary = $summary, language = $language,
              keywords = $keywords, link = $link, guid = $guid, medium = $medium, explicit = $explicit,
              serial = $serial, image_url = $image_url, extras = $extras, built_at = $built_at,
              feed_items = $feed_items, feed_unplayable = $feed_unplayable,
              guid_evidence = $guid_evidence
        WHERE id = $id`,
    ).run({ id, title, ...facts })
  },
  guidEvidenceOf: (id: number) =>
    db.query<Pick<PodcastFacts, 'guid_evidence'>, [number]>('SELECT guid_evidence FROM podcast WHERE id = ?').get(id)
      ?.guid_evidence ?? null,
  /** Keeps the validators of a document that was read to its end: only they may make a request conditional. */
  keepValidators(id: number, { etag, lastModified, digest }: Validators, wholeAt: number) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE podcast
          SET etag = $etag, last_modified = $lastModified, body_digest = $digest, fetched_whole_at = $wholeAt
        WHERE id = $id`,
    ).run({ id, etag, lastModified, digest, wholeAt })
  },
  recordCheck(id: number, { error, warnings, gone, ...times }: CheckOutcome) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE podcast
          SET checked_at = $checkedAt, next_check_at = $nextCheckAt, interval_ms = $intervalMs,
              failures = $failures, error_code = $code, error_message = $message,
              error_since = iif($code IS NULL, NULL, coalesce(error_since, $checkedAt)),
              warnings = $warnings, gone = $gone
        WHERE id = $id`,
    ).run({
      id,
      ...times,
      code: error?.code ?? null,
      message: error?.message ?? null,
      warnings: Number(warnings),
      gone: Number(gone),
    })
  },
})
