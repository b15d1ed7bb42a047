import type { PodcastSettingsEdit, Preferences, PreferencesEdit, SettingMode } from '../../shared/api/settings'
import { MAX_RATE, MIN_RATE, RATE_STEPS, roundRate } from '../../shared/limits'
import { requireFormat } from '../downloads/names'
import { readUserAgent } from '../feeds/fetch/address'
import type { Credentials } from '../outbound/credentials'
import { invalidField } from '../platform/problem'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import { allInherited, type PodcastSettingsRow } from '../store/podcast-settings'

type Needs = { store: Store; secret: Secret }

/** Settings of one podcast, the credentials of its feed, and each user's preferences for playing it. */
export const createPodcastSettings = ({ store, secret }: Needs) => ({
  /** Changes the settings that the edit names. Throws `invalid-field` and `invalid-format`. */
  edit(podcastId: number, edit: PodcastSettingsEdit) {
    requireFormats(edit)
    readUserAgent(edit.userAgent)
    store.inTransaction(() => {
      store.podcastSettings.keep(podcastId, merge(store.podcastSettings.of(podcastId), edit))
      if (edit.username !== undefined || edit.password !== undefined) keepCredential(podcastId, edit)
    })

    function keepCredential(podcastId: number, { username = '', password = '' }: PodcastSettingsEdit) {
      if (username === '' && password === '') return store.podcasts.removeCredential(podcastId)
      const credentials: Credentials = { user: username, password }
      store.podcasts.setCredential(podcastId, secret.seal(JSON.stringify(credentials)))
    }
  },

  /** Changes the preferences that the edit names, and returns all of them. Throws `invalid-field`. */
  editPreferences(userId: number, podcastId: number, edit: PreferencesEdit): Preferences {
    if (typeof edit.speed === 'number' && roundRate(edit.speed) !== edit.speed)
      throw invalidField('speed', `${MIN_RATE} to ${MAX_RATE}, in steps of ${1 / RATE_STEPS}`)
    const next = { ...store.podcastSettings.preferencesOf(userId, podcastId), ...edit }
    store.podcastSettings.keepPreferences(userId, podcastId, next)
    return next
  },
})

/** The settings of a podcast after an edit; fields that it does not name stay, null inherits a number. */
function merge(old: PodcastSettingsRow, edit: PodcastSettingsEdit): PodcastSettingsRow {
  if (edit.activated === false) return allInherited
  return {
    auto_update: flagOf(old.auto_update, edit.autoUpdateMode, edit.autoUpdate),
    auto_download: flagOf(old.auto_download, edit.autoDownloadMode, edit.autoDownload),
    auto_cleanup: flagOf(old.auto_cleanup, edit.autoCleanupMode, edit.autoCleanup),
    delete_after_listened: flagOf(old.delete_after_listened, edit.deleteAfterListenedMode, edit.deleteAfterListened),
    auto_cleanup_days: numberOf(old.auto_cleanup_days, edit.autoCleanupDays),
    podcast_prefill: numberOf(old.podcast_prefill, edit.podcastPrefill),
    keep_last: numberOf(old.keep_last, edit.keepLast),
    episode_numbering: flagOf(old.episode_numbering, undefined, edit.episodeNumbering),
    use_existing_filename: flagOf(old.use_existing_filename, undefined, edit.useExistingFilename),
    replace_invalid_characters: flagOf(old.replace_invalid_characters, undefined, edit.replaceInvalidCharacters),
    direct_paths: flagOf(old.direct_paths, undefined, edit.directPaths),
    replacement_strategy: edit.replacementStrategy ?? old.replacement_strategy,
    episode_format: edit.episodeFormat ?? old.episode_format,
    podcast_format: edit.podcastFormat ?? old.podcast_format,
    max_new_per_refresh: numberOf(old.max_new_per_refresh, edit.maxNewPerRefresh),
    include: textOf(old.include, edit.include),
    exclude: textOf(old.exclude, edit.exclude),
    skip_trailers: switchOf(old.skip_trailers, edit.skipTrailers),
    auto_transcribe: switchOf(old.auto_transcribe, edit.autoTranscribe),
    preferred_form: edit.preferredForm === undefined ? old.preferred_form : edit.preferredForm,
    keep_next: numberOf(old.keep_next, edit.keepNext),
    user_agent: textOf(old.user_agent, edit.userAgent),
  }
}

/** A mode overrides the boolean of the same name. */
function flagOf(old: number | null, mode: SettingMode | undefined, value: boolean | undefined): number | null {
  if (mode !== undefined) return mode === 'inherit' ? null : Number(mode === 'on')
  return value === undefined ? old : Number(value)
}

/** A switch that the library has no default for: null is off. */
const switchOf = (old: number | null, value: boolean | undefined) => (value === undefined ? old : value ? 1 : null)

const numberOf = (old: number | null, value: number | null | undefined) => (value === undefined ? old : value)

const textOf = (old: string | null, value: string | null | undefined) =>
  value === undefined ? old : value?.trim() || null

/** Checks the formats by which files are named. Throws `invalid-format`, which names the field. */
export function requireFormats({ episodeFormat, podcastFormat }: { episodeFormat?: string; podcastFormat?: string }) {
  if (episodeFormat !== undefined) requireFormat('episodeFormat', episodeFormat, 'episode')
  if (podcastFormat !== undefined) requireFormat('podcastFormat', podcastFormat, 'podcast')
}
