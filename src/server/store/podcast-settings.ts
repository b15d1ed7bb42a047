import type { Database } from 'bun:sqlite'
import { fold } from '../../shared/fold'
import type { PreferredForm } from '../../shared/api/playables'
import type {
  InheritedValues,
  Naming,
  OwnPreferences,
  Preferences,
  ReplacementStrategy,
  SettingsValues,
} from '../../shared/api/settings'
import { findPodcast, type PodcastRow } from './podcasts'

/** Settings of one podcast; null = inherited from the server. */
export type PodcastSettingsRow = {
  auto_update: number | null
  auto_download: number | null
  auto_cleanup: number | null
  delete_after_listened: number | null
  auto_cleanup_days: number | null
  podcast_prefill: number | null
  keep_last: number | null
  episode_numbering: number | null
  use_existing_filename: number | null
  replace_invalid_characters: number | null
  direct_paths: number | null
  replacement_strategy: ReplacementStrategy | null
  episode_format: string | null
  podcast_format: string | null
  max_new_per_refresh: number | null
  include: string | null
  exclude: string | null
  skip_trailers: number | null
  user_agent: string | null
  auto_transcribe: number | null
  preferred_form: PreferredForm | null
  keep_next: number | null
}

export const allInherited: PodcastSettingsRow = {
  auto_update: null,
  auto_download: null,
  auto_cleanup: null,
  delete_after_listened: null,
  auto_cleanup_days: null,
  podcast_prefill: null,
  keep_last: null,
  episode_numbering: null,
  use_existing_filename: null,
  replace_invalid_characters: null,
  direct_paths: null,
  replacement_strategy: null,
  episode_format: null,
  podcast_format: null,
  max_new_per_refresh: null,
  include: null,
  exclude: null,
  skip_trailers: null,
  user_agent: null,
  auto_transcribe: null,
  preferred_form: null,
  keep_next: null,
}
const names = Object.keys(allInherited) as (keyof PodcastSettingsRow)[]

const flag = (own: number | null, inherited: boolean) => (own === null ? inherited : own === 1)

/** The settings that apply to a podcast. */
export function effective(own: PodcastSettingsRow, server: SettingsValues): InheritedValues {
  return {
    autoUpdate: flag(own.auto_update, server.autoUpdate),
    autoDownload: flag(own.auto_download, server.autoDownload),
    autoCleanup: flag(own.auto_cleanup, server.autoCleanup),
    deleteAfterListened: flag(own.delete_after_listened, server.deleteAfterListened),
    autoCleanupDays: own.auto_cleanup_days ?? server.autoCleanupDays,
    podcastPrefill: own.podcast_prefill ?? server.podcastPrefill,
    keepLast: own.keep_last ?? server.keepLast,
    ...effectiveNaming(own, server),
  }
}

export const effectiveNaming = (own: PodcastSettingsRow, server: Naming): Naming => ({
  episodeNumbering: flag(own.episode_numbering, server.episodeNumbering),
  useExistingFilename: flag(own.use_existing_filename, server.useExistingFilename),
  replaceInvalidCharacters: flag(own.replace_invalid_characters, server.replaceInvalidCharacters),
  directPaths: flag(own.direct_paths, server.directPaths),
  replacementStrategy: own.replacement_strategy ?? server.replacementStrategy,
  episodeFormat: own.episode_format ?? server.episodeFormat,
  podcastFormat: own.podcast_format ?? server.podcastFormat,
})

type Flags = { skipSilence: number | null; skipMarked: number; notify: number | null; inTimeline: number }
type Stored = Omit<Preferences, keyof Flags> & Flags

const noPreferences: Preferences = {
  speed: null,
  boost: null,
  skipIntro: 0,
  skipOutro: 0,
  skipSilence: null,
  skipMarked: false,
  queueNew: null,
  queueMost: 3,
  form: null,
  notify: null,
  inTimeline: true,
}

/** A switch that may be left to its default. */
const chosen = (flag: number | null) => (flag === null ? null : flag === 1)

/** Settings of podcasts, and each user's preferences for playing them. */
export const podcastSettingsStore = (db: Database) => ({
  of: (podcastId: number): PodcastSettingsRow =>
    db
      .query<PodcastSettingsRow, [number]>(`SELECT ${names.join(', ')} FROM podcast_settings WHERE podcast_id = ?`)
      .get(podcastId) ?? allInherited,
  keep(podcastId: number, settings: PodcastSettingsRow) {
    if (names.every(name => settings[name] === null)) {
      db.query('DELETE FROM podcast_settings WHERE podcast_id = ?').run(podcastId)
      return
    }
    db.query<null, Record<string, string | number | null>>(
      `INSERT OR REPLACE INTO podcast_settings (podcast_id, ${names.join(', ')})
       VALUES ($podcastId, ${names.map(name => `$${name}`).join(', ')})`,
    ).run({ podcastId, ...settings })
  },

  preferencesOf(userId: number, podcastId: number): Preferences {
    const row = db
      .query<Stored, [number, number]>(
        `SELECT speed, boost, skip_intro AS skipIntro, skip_outro AS skipOutro, skip_silence AS skipSilence,
                skip_marked AS skipMarked, queue_new AS queueNew, queue_most AS queueMost, form, notify,
                in_timeline AS inTimeline
           FROM podcast_preference WHERE user_id = ? AND podcast_id = ?`,
      )
      .get(userId, podcastId)
    if (!row) return noPreferences
    return {
      ...row,
      skipSilence: chosen(row.skipSilence),
      skipMarked: row.skipMarked === 1,
      notify: chosen(row.notify),
      inTimeline: row.inTimeline === 1,
    }
  },
  /** Podcasts for which the user has chosen how they sound, or whose new episodes are queued for them. */
  listOwn: (userId: number) =>
    db
      .query<Omit<OwnPreferences, 'skipSilence'> & Pick<Flags, 'skipSilence'>, [number]>(
        `SELECT p.uuid AS podcastId, x.speed, x.skip_silence AS skipSilence, x.queue_new AS queueNew
           FROM podcast_preference x JOIN podcast p ON p.id = x.podcast_id
          WHERE x.user_id = ? AND (x.speed IS NOT NULL OR x.skip_silence IS NOT NULL OR x.queue_new IS NOT NULL)`,
      )
      .all(userId)
      .map((row): OwnPreferences => ({ ...row, skipSilence: chosen(row.skipSilence) })),
  /** A preference that is left out has its default. */
  keepPreferences(userId: number, podcastId: number, preferences: Partial<Preferences>) {
    const { skipSilence, skipMarked, notify, inTimeline, ...others } = { ...noPreferences, ...preferences }
    db.query<null, { userId: number; podcastId: number } & Stored>(
      `INSERT OR REPLACE INTO podcast_preference
              (user_id, podcast_id, speed, boost, skip_intro, skip_outro, skip_silence, skip_marked, queue_new,
               queue_most, form, notify, in_timeline)
       VALUES ($userId, $podcastId, $speed, $boost, $skipIntro, $skipOutro, $skipSilence, $skipMarked, $queueNew,
               $queueMost, $form, $notify, $inTimeline)`,
    ).run({
      userId,
      podcastId,
      skipSilence: skipSilence === null ? null : Number(skipSilence),
      skipMarked: Number(skipMarked),
      notify: notify === null ? null : Number(notify),
      inTimeline: Number(inTimeline),
      ...others,
    })
  },
})

type NewPodcast = {
  title: string
  folder: string
  feedUrl: string
  privacy: number
  userId: number
  now: number
  /** When its feed is due; at once unless given. */
  dueAt?: number
}

/** Changes that people make to podcasts. */
export const podcastChanges = (db: Database) => ({
  add({ dueAt, ...podcast }: NewPodcast): PodcastRow {
    const { id } = db
      .query<{ id: number }, Record<string, string | number>>(
        `INSERT INTO podcast (uuid, title, folder, feed_url, private, added_by, added_at, next_check_at)
         VALUES ($uuid, $title, $folder, $feedUrl, $privacy, $userId, $now, $dueAt) RETURNING id`,
      )
      .get({ uuid: crypto.randomUUID(), dueAt: dueAt ?? podcast.now, ...podcast })!
    return findPodcast(db, id)!
  },
  /** Sets a title that the feed no longer overwrites. */
  rename(id: number, title: string) {
    db.query('UPDATE podcast SET title = ?, renamed = 1 WHERE id = ?').run(title, id)
  },
  setImage(id: number, url: string | null) {
    db.query('UPDATE podcast SET image_url = ? WHERE id = ?').run(url, id)
  },
  /** Activating a podcast also clears a stop: its feed is due at once. */
  setActive(id: number, active: boolean, now: number) {
    db.query<null, Record<string, number>>(
      `UPDATE podcast
          SET active = $active, gone = iif($active, 0, gone), failures = iif($active, 0, failures),
              next_check_at = iif($active, $now, next_check_at)
        WHERE id = $id`,
    ).run({ id, active: Number(active), now })
  },
  /** Makes a podcast a favourite or not; returns whether that changed anything. */
  favour(userId: number, podcastId: number, favoured: boolean, now: number): boolean {
    if (!favoured)
      return db.query('DELETE FROM favourite WHERE user_id = ? AND podcast_id = ?').run(userId, podcastId).changes > 0
    return (
      db
        .query('INSERT OR IGNORE INTO favourite (user_id, podcast_id, created_at) VALUES (?, ?, ?)')
        .run(userId, podcastId, now).changes > 0
    )
  },
})

// Cached: every list and every search reads all titles of the library, which are nearly always the same.
const MAX_REMEMBERED = 20_000

const foldedTitles = new Map<string, string>()
let ranks = new Map<string, number>()

/** Folds a title, remembering the result. */
export function foldedTitle(title: string): string {
  const known = foldedTitles.get(title)
  if (known !== undefined) return known
  if (foldedTitles.size >= MAX_REMEMBERED) foldedTitles.clear()
  const text = fold(title)
  foldedTitles.set(title, text)
  return text
}

/** Sorts by title, with numbers by their value. Titles that differ only in case or accents keep their order. */
export function sortByTitle<T extends { title: string }>(rows: readonly T[]): T[] {
  if (!rows.every(({ title }) => ranks.has(title))) rank(rows)
  return rows.toSorted((a, b) => ranks.get(a.title)! - ranks.get(b.title)!)
}

function rank(rows: readonly { title: string }[]) {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  const known = ranks.size < MAX_REMEMBERED ? [...ranks.keys()] : []
  const titles = [...new Set([...known, ...rows.map(({ title }) => title)])].sort(compare)
  let place = 0
  ranks = new Map(
    titles.map((title, index) => {
      if (index > 0 && compare(titles[index - 1]!, title) !== 0) place = index
      return [title, place]
    }),
  )
}
