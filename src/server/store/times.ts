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
   * Makes due now what is planned too far ahead, and sets positions from the future to now: up to `most` rows of each
   * kind. Returns the number of rows.
   */
  pullBack(now: number, most: number): number {
    /** `rows`: the condition on a time `$latest` that is too late. `key`: the columns that tell rows apart. */
    const change = (table: string, set: string, rows: string, latest: number, key = 'id', to = now) =>
      db
        .query(`UPDATE ${table} SET ${set} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${rows} LIMIT $most)`)
        .run({ latest, most, ...(set.includes('$to') && { to }) }).changes
    const [horizon, leeway] = [now + HORIZON, now + LEEWAY]
    const step = Math.floor(leeway / CODE_MS)
    const ofUsers = 'user_id IN (SELECT id FROM user)'
    const ofUserAndEpisode = 'user_id, episode_id'
    return [
      change('podcast', 'next_check_at = $to', 'active = 1 AND gone = 0 AND next_check_at > $latest', horizon),
      change('download', 'next_attempt_at = $to', "state = 'waiting' AND next_attempt_at > $latest", horizon),
      change('transcription', 'next_attempt_at = $to', "state = 'waiting' AND next_attempt_at > $latest", horizon),
      change('delivery', 'due_at = $to', 'due_at > $latest', horizon),
      change('document', 'due_at = $to', 'due_at > $latest', horizon),
      change('cover', 'retry_at = NULL', 'retry_at > $latest', horizon),
      change('cover', 'fetched_at = $to', 'fetched_at > $latest', horizon),
      change('playback_hidden', 'at = $to', `${ofUsers} AND at > $latest`, leeway, ofUserAndEpisode),
      change('play_session', 'updated_at = $to', 'updated_at > $latest', leeway, 'uuid'),
      // Codes of now would count as used before, and the last use of a session would never be noted.
      change('second_factor', 'last_step = $to', 'last_step > $latest', step, 'user_id', step),
      change('session', 'seen_at = $to', 'seen_at > $latest', leeway),
      // Each has its own index.
      ...['played = 1', 'played = 0'].map(kind =>
        change(
          'playback',
          'updated_at = $to',
          `${ofUsers} AND ${kind} AND updated_at > $latest`,
          leeway,
          ofUserAndEpisode,
        ),
      ),
    ].reduce((sum, changes) => sum + changes, 0)
  },
})
