import { FeedAddress, Podcast } from '../../../shared/api/podcast'
import {
  PodcastSettings,
  PodcastSettingsEdit,
  Preferences,
  PreferencesEdit,
  type SettingMode,
} from '../../../shared/api/settings'
import { playbackRates } from '../../../shared/playback-rates'
import type { Context } from '../../context'
import type { Credentials } from '../../outbound/request'
import { invalidField, notFound } from '../../platform/problem'
import { allInherited, effective, type PodcastSettingsRow } from '../../store/podcast-settings'
import type { UserRow } from '../../store/users'
import { presentPodcast } from './podcasts.present'
import { fixedSettings, requireFormats } from './settings'
import type { SignedInRoutes } from '../core/signed-in'

/** What a podcast has otherwise than the server, and how each listener wants to hear it. */
export function podcastSettings(routes: SignedInRoutes, app: Context) {
  const { store } = app
  const require = (user: UserRow, uuid: string) => {
    const podcast = store.podcasts.findVisible(user, uuid)
    if (!podcast) throw notFound('podcast')
    return podcast
  }
  const present = (podcast: { id: number; uuid: string }): PodcastSettings => {
    const own = store.podcastSettings.of(podcast.id)
    return {
      podcastId: podcast.uuid,
      activated: Object.values(own).some(value => value !== null),
      ...effective(own, store.settings.current()),
      ...fixedSettings,
      autoTranscribe: false,
      maxNewPerRefresh: own.max_new_per_refresh,
      include: own.include,
      exclude: own.exclude,
      skipTrailers: own.skip_trailers === 1,
      userAgent: own.user_agent,
      autoUpdateMode: modeOf(own.auto_update),
      autoDownloadMode: modeOf(own.auto_download),
      autoCleanupMode: modeOf(own.auto_cleanup),
      deleteAfterListenedMode: modeOf(own.delete_after_listened),
    }
  }

  routes
    .get('/api/v1/podcasts/:id/settings', ({ user, params }) => present(require(user, params.id)), {
      role: 'uploader',
      response: PodcastSettings,
    })
    .put(
      '/api/v1/podcasts/:id/settings',
      ({ user, params, body }) => {
        const podcast = require(user, params.id)
        requireFormats(body)
        const userAgent = body.userAgent?.trim()
        if (userAgent && !/^[\x20-\x7e]+$/.test(userAgent)) throw invalidField('userAgent', 'plain ASCII')
        store.inTransaction(() => {
          store.podcastSettings.keep(podcast.id, merge(store.podcastSettings.of(podcast.id), body))
          if (body.username !== undefined || body.password !== undefined) keepCredential(podcast.id, body)
        })
        return present(podcast)
      },
      { role: 'uploader', body: PodcastSettingsEdit, response: PodcastSettings },
    )
    .put(
      '/api/v1/podcasts/:id/feed',
      async ({ user, links, params, body }) => {
        await app.changeFeed(user, require(user, params.id), body.rssFeedUrl)
        const row = store.podcasts.findFor(user, params.id)
        if (!row) throw notFound('podcast')
        return presentPodcast(row, links)
      },
      { role: 'uploader', body: FeedAddress, response: Podcast },
    )
    .get(
      '/api/v1/podcasts/:id/preferences',
      ({ user, params }) => store.podcastSettings.preferencesOf(user.id, require(user, params.id).id),
      { response: Preferences },
    )
    .put(
      '/api/v1/podcasts/:id/preferences',
      ({ user, params, body }) => {
        const { id } = require(user, params.id)
        if (body.speed && !playbackRates.some(rate => rate === body.speed))
          throw invalidField('speed', playbackRates.join(', '))
        const next = { ...store.podcastSettings.preferencesOf(user.id, id), ...body }
        store.podcastSettings.keepPreferences(user.id, id, next)
        return next
      },
      { body: PreferencesEdit, response: Preferences },
    )

  function keepCredential(podcastId: number, { username = '', password = '' }: PodcastSettingsEdit) {
    if (username === '' && password === '') store.podcasts.removeCredential(podcastId)
    else
      store.podcasts.setCredential(
        podcastId,
        app.secret.seal(JSON.stringify({ user: username, password } satisfies Credentials)),
      )
  }
}

const modeOf = (own: number | null): SettingMode => (own === null ? 'inherit' : own === 1 ? 'on' : 'off')

/** A mode decides, else the bool of its name; what is not named stays. */
function flagOf(old: number | null, mode: SettingMode | undefined, value: boolean | undefined): number | null {
  if (mode !== undefined) return mode === 'inherit' ? null : Number(mode === 'on')
  return value === undefined ? old : Number(value)
}

const textOf = (old: string | null, given: string | null | undefined) =>
  given === undefined ? old : given?.trim() || null

function merge(old: PodcastSettingsRow, edit: PodcastSettingsEdit): PodcastSettingsRow {
  if (edit.activated === false) return allInherited
  const number = (before: number | null, given: number | null | undefined) => (given === undefined ? before : given)
  return {
    auto_update: flagOf(old.auto_update, edit.autoUpdateMode, edit.autoUpdate),
    auto_download: flagOf(old.auto_download, edit.autoDownloadMode, edit.autoDownload),
    auto_cleanup: flagOf(old.auto_cleanup, edit.autoCleanupMode, edit.autoCleanup),
    delete_after_listened: flagOf(old.delete_after_listened, edit.deleteAfterListenedMode, edit.deleteAfterListened),
    auto_cleanup_days: number(old.auto_cleanup_days, edit.autoCleanupDays),
    podcast_prefill: number(old.podcast_prefill, edit.podcastPrefill),
    keep_last: number(old.keep_last, edit.keepLast),
    episode_numbering: flagOf(old.episode_numbering, undefined, edit.episodeNumbering),
    use_existing_filename: flagOf(old.use_existing_filename, undefined, edit.useExistingFilename),
    replace_invalid_characters: flagOf(old.replace_invalid_characters, undefined, edit.replaceInvalidCharacters),
    direct_paths: flagOf(old.direct_paths, undefined, edit.directPaths),
    replacement_strategy: edit.replacementStrategy ?? old.replacement_strategy,
    episode_format: edit.episodeFormat ?? old.episode_format,
    podcast_format: edit.podcastFormat ?? old.podcast_format,
    max_new_per_refresh: number(old.max_new_per_refresh, edit.maxNewPerRefresh),
    include: textOf(old.include, edit.include),
    exclude: textOf(old.exclude, edit.exclude),
    skip_trailers: edit.skipTrailers === undefined ? old.skip_trailers : edit.skipTrailers ? 1 : null,
    user_agent: textOf(old.user_agent, edit.userAgent),
  }
}
