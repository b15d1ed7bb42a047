import type { Database } from 'bun:sqlite'

const DAY = 86_400_000
/** Nothing is planned further ahead than a week. */
const HORIZON = 8 * DAY
const LEEWAY = 5 * 60_000
/** An authenticator app shows a code so long. */
const CODE_MS = 30_000

/** Repairs times in the future, left behind by a clock that was ahead. */
export const timeStore = (db: Database) => ({
  /**
   * Makes due now what is planned too far ahead, and sets positions from the future to now; answers the number of
   * rows.
   */
  pullBack(now: number): number {
    const late = { now, horizon: now + HORIZON }
    return [
      db
        .query('UPDATE podcast SET next_check_at = $now WHERE active = 1 AND gone = 0 AND next_check_at > $horizon')
        .run(late),
      db
        .query("UPDATE download SET next_attempt_at = $now WHERE state = 'waiting' AND next_attempt_at > $horizon")
        .run(late),
      db
        .query("UPDATE transcription SET next_attempt_at = $now WHERE state = 'waiting' AND next_attempt_at > $horizon")
        .run(late),
      db.query('UPDATE delivery SET due_at = $now WHERE due_at > $horizon').run(late),
      db.query('UPDATE document SET due_at = $now WHERE due_at > $horizon').run(late),
      db.query('UPDATE cover SET retry_at = NULL WHERE retry_at > $horizon').run({ horizon: late.horizon }),
      db.query('UPDATE cover SET fetched_at = $now WHERE fetched_at > $horizon').run(late),
      // Few rows each: those that people hid, and what apps played of late.
      db
        .query('UPDATE playback_hidden SET at = $now WHERE user_id IN (SELECT id FROM user) AND at > $leeway')
        .run({ now, leeway: now + LEEWAY }),
      db
        .query('UPDATE play_session SET updated_at = $now WHERE updated_at > $leeway')
        .run({ now, leeway: now + LEEWAY }),
      // Few rows each. Codes of now would count as used before, and the last use of a session would never be noted.
      db
        .query('UPDATE second_factor SET last_step = $step WHERE last_step > $step')
        .run({ step: Math.floor((now + LEEWAY) / CODE_MS) }),
      db.query('UPDATE session SET seen_at = $now WHERE seen_at > $leeway').run({ now, leeway: now + LEEWAY }),
      // Each has an index of its own.
      ...['played = 1', 'played = 0'].map(kind =>
        db
          .query(
            `UPDATE playback SET updated_at = $now
              WHERE user_id IN (SELECT id FROM user) AND ${kind} AND updated_at > $leeway`,
          )
          .run({ now, leeway: now + LEEWAY }),
      ),
    ].reduce((sum, { changes }) => sum + changes, 0)
  },
})
