import type { Database } from 'bun:sqlite'
import type { PreferredForm } from '../../shared/api/playables'
import type {
  InheritedValues,
  Naming,
  Preferences,
  ReplacementStrategy,
  SettingsValues,
} from '../../shared/api/settings'

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

const noPreferences: Preferences = {
  speed: null,
  boost: null,
  skipIntro: 0,
  skipOutro: 0,
  skipMarked: false,
  queueNew: null,
  queueMost: 3,
  form: null,
}

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
      .query<Omit<Preferences, 'skipMarked'> & { skipMarked: number }, [number, number]>(
        `SELECT speed, boost, skip_intro AS skipIntro, skip_outro AS skipOutro, skip_marked AS skipMarked,
                queue_new AS queueNew, queue_most AS queueMost, form
           FROM podcast_preference WHERE user_id = ? AND podcast_id = ?`,
      )
      .get(userId, podcastId)
    return row ? { ...row, skipMarked: row.skipMarked === 1 } : noPreferences
  },
  /** A preference that is left out is as usual. */
  keepPreferences(userId: number, podcastId: number, preferences: Partial<Preferences>) {
    const { skipMarked, ...others } = { ...noPreferences, ...preferences }
    db.query<null, { userId: number; podcastId: number; skipMarked: number } & Omit<Preferences, 'skipMarked'>>(
      `INSERT OR REPLACE INTO podcast_preference
              (user_id, podcast_id, speed, boost, skip_intro, skip_outro, skip_marked, queue_new, queue_most, form)
       VALUES ($userId, $podcastId, $speed, $boost, $skipIntro, $skipOutro, $skipMarked, $queueNew, $queueMost, $form)`,
    ).run({ userId, podcastId, skipMarked: Number(skipMarked), ...others })
  },
})
