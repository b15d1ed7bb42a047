import { FeedAddress, Podcast } from '../../../shared/api/podcast'
import {
  PodcastSettings,
  PodcastSettingsEdit,
  Preferences,
  PreferencesEdit,
  type SettingMode,
} from '../../../shared/api/settings'
import type { Context } from '../../context'
import { effective } from '../../store/podcast-settings'
import type { SignedInRoutes } from '../core/signed-in'
import { presentPodcast } from './podcasts.present'
import { unsupported } from './settings'

/** The settings of a podcast that differ from those of the library, and each user's preferences for playing it. */
export function podcastSettings(routes: SignedInRoutes, app: Context) {
  const { store } = app
  routes
    .get(
      '/api/v1/podcasts/:id/settings',
      ({ user, params }) => present(store, store.podcasts.require(user, params.id)),
      {
        role: 'uploader',
        response: PodcastSettings,
      },
    )
    .put(
      '/api/v1/podcasts/:id/settings',
      ({ user, params, body }) => {
        const podcast = store.podcasts.require(user, params.id)
        app.podcastSettings.edit(podcast.id, body)
        return present(store, podcast)
      },
      { role: 'uploader', body: PodcastSettingsEdit, response: PodcastSettings },
    )
    .put(
      '/api/v1/podcasts/:id/feed',
      async ({ user, links, params, body }) => {
        await app.changeFeed(user, store.podcasts.require(user, params.id), body.rssFeedUrl)
        return presentPodcast(store.podcasts.requireFor(user, params.id), links)
      },
      { role: 'uploader', body: FeedAddress, response: Podcast },
    )
    .get(
      '/api/v1/podcasts/:id/preferences',
      ({ user, params }) => store.podcastSettings.preferencesOf(user.id, store.podcasts.require(user, params.id).id),
      { response: Preferences },
    )
    .put(
      '/api/v1/podcasts/:id/preferences',
      ({ user, params, body }) =>
        app.podcastSettings.editPreferences(user.id, store.podcasts.require(user, params.id).id, body),
      { body: PreferencesEdit, response: Preferences },
    )
}

/** The settings in force; the modes say which of them the podcast itself has. */
function present(store: Context['store'], podcast: { id: number; uuid: string }): PodcastSettings {
  const own = store.podcastSettings.of(podcast.id)
  return {
    podcastId: podcast.uuid,
    activated: Object.values(own).some(value => value !== null),
    ...effective(own, store.settings.current()),
    ...unsupported,
    maxNewPerRefresh: own.max_new_per_refresh,
    include: own.include,
    exclude: own.exclude,
    skipTrailers: own.skip_trailers === 1,
    autoTranscribe: own.auto_transcribe === 1,
    userAgent: own.user_agent,
    preferredForm: own.preferred_form,
    autoUpdateMode: modeOf(own.auto_update),
    autoDownloadMode: modeOf(own.auto_download),
    autoCleanupMode: modeOf(own.auto_cleanup),
    deleteAfterListenedMode: modeOf(own.delete_after_listened),
  }
}

const modeOf = (own: number | null): SettingMode => (own === null ? 'inherit' : own === 1 ? 'on' : 'off')
