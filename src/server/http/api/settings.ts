import { t } from 'elysia'
import { JobStarted } from '../../../shared/api/job'
import { FeedAddress, Podcast } from '../../../shared/api/podcast'
import {
  CleanedUp,
  Cleanup,
  type Naming,
  NamingEdit,
  NamingPreview,
  OwnPreferences,
  PodcastSettings,
  PodcastSettingsEdit,
  Preferences,
  PreferencesEdit,
  Renames,
  Rescan,
  type SettingMode,
  Settings,
  SettingsEdit,
  type SettingsValues,
} from '../../../shared/api/settings'
import type { Context } from '../../context'
import { fill, requireFormat, sampleEpisode, samplePodcast, safeSegment } from '../../downloads/names'
import { requireFormats } from '../../library/podcast-settings'
import type { EpisodeForUser } from '../../store/episodes'
import { effective } from '../../store/podcast-settings'
import { mediaExtension } from '../../sync/addresses'
import type { SignedInRoutes } from '../core/signed-in'
import { presentPodcast } from './podcasts.present'

const MAX_LISTED = 200

/** Settings of unsupported features, which clients of PodFetch expect. */
const unsupported = { useOneCoverForAllEpisodes: false, nfoFormat: 'off', coverFilename: 'image' }

/** The settings of the library, and the cleanup that follows from them. */
export function settings(routes: SignedInRoutes, { store, config, retention, downloads, publish }: Context) {
  const present = (values: SettingsValues): Settings => ({
    ...values,
    maxParallelDownloads: values.parallelDownloads ?? config.parallelDownloads,
    ...unsupported,
    autoTranscodeOpus: false,
    sponsorblockEnabled: false,
  })
  const edit = (change: SettingsEdit) => {
    requireFormats(change)
    const before = store.settings.current()
    const values = store.settings.edit(change)
    const changes = (Object.keys(values) as (keyof SettingsValues)[]).flatMap(name =>
      name === 'id' || values[name] === before[name] ? [] : [{ name, before: before[name], after: values[name] }],
    )
    if (changes.length > 0) publish({ type: 'recorded', kind: 'settings-changed', facts: { changes } })
    // More downloads may be allowed now.
    downloads.pump()
    return present(values)
  }

  routes
    .get('/api/v1/settings', () => present(store.settings.current()), { response: Settings })
    .put('/api/v1/settings', ({ body }) => edit(body), { role: 'admin', body: SettingsEdit, response: Settings })
    .put('/api/v1/settings/name', ({ body }) => edit(body), { role: 'admin', body: NamingEdit, response: Settings })
    .get('/api/v1/settings/cleanup', () => presentCleanup(retention.due()), { role: 'admin', response: Cleanup })
    .put('/api/v1/settings/runcleanup', () => retention.sweep(), {
      role: 'admin',
      response: CleanedUp,
    })
}

const presentCleanup = (due: ReturnType<Context['retention']['due']>): Cleanup => ({
  total: due.length,
  freedBytes: due.reduce((sum, row) => sum + row.file_size, 0),
  episodes: due.slice(0, MAX_LISTED).map(row => ({
    id: row.uuid,
    episode_id: row.eid,
    name: row.title,
    podcastName: row.podcast_title,
    size: row.file_size,
    reason: row.reason,
  })),
})

/** The settings of a podcast that differ from those of the library, and each user's preferences for playing it. */
export function podcastSettings(routes: SignedInRoutes, app: Context) {
  const { store } = app
  routes
    .get(
      '/api/v1/podcasts/:id/settings',
      ({ user, params }) => presentPodcastSettings(store, store.podcasts.require(user, params.id)),
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
        return presentPodcastSettings(store, podcast)
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
    .get('/api/v1/podcasts/preferences', ({ user }) => store.podcastSettings.listOwn(user.id), {
      response: t.Array(OwnPreferences),
    })
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

/** The settings in force; the modes say which of them the podcast overrides. */
function presentPodcastSettings(store: Context['store'], podcast: { id: number; uuid: string }): PodcastSettings {
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
    keepNext: own.keep_next,
    autoUpdateMode: modeOf(own.auto_update),
    autoDownloadMode: modeOf(own.auto_download),
    autoCleanupMode: modeOf(own.auto_cleanup),
    deleteAfterListenedMode: modeOf(own.delete_after_listened),
  }
}

const modeOf = (own: number | null): SettingMode => (own === null ? 'inherit' : own === 1 ? 'on' : 'off')

const MAX_PREVIEWED = 5
const Content = t.Object({ content: t.String({ maxLength: 200 }) })

/** Names of files: previews them under other settings, and renames existing files. */
export function naming(routes: SignedInRoutes, app: Context) {
  const { store } = app
  routes
    .post(
      '/api/v1/episodes/formatting',
      ({ body }) => {
        requireFormat('content', body.content, 'episode')
        const name = safeSegment(fill(body.content, 'episode', sampleEpisode), 'episode')
        return new Response(name, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
      },
      { body: Content },
    )
    .post(
      '/api/v1/podcasts/formatting',
      ({ body }) => {
        requireFormat('content', body.content, 'podcast')
        return Response.json(safeSegment(fill(body.content, 'podcast', samplePodcast), 'podcast'))
      },
      { body: Content },
    )
    .post(
      '/api/v1/settings/naming/preview',
      ({ user, body }) => {
        requireFormats(body)
        const settings = { ...store.settings.current(), ...body }
        return store.timeline.pageFor(user, everything, MAX_PREVIEWED).map(episode => preview(app, episode, settings))
      },
      { body: NamingEdit, response: NamingPreview },
    )
    .post(
      '/api/v1/settings/rescan-episodes',
      ({ user, body: { dryRun, ...wishes }, set }) => {
        if (dryRun) return planRenames(app, wishes.applyFilenames)
        const { uuid, total } = app.rename.start(user.id, wishes)
        set.status = 202
        return { jobId: uuid, total }
      },
      { role: 'admin', body: Rescan, response: { 200: Renames, 202: JobStarted } },
    )
}

const everything = { favouritesOnly: false, likedOnly: false, unplayedOnly: false }

/** The path of an episode's file under other settings, as if no other file were there. */
function preview({ store, names }: Context, episode: EpisodeForUser, naming: Naming): NamingPreview[number] {
  const podcast = store.podcasts.find(episode.podcast_id)!
  const folder = names.folderFor(podcast, naming, () => false)
  const extension = `.${mediaExtension(episode.file_type ?? episode.enclosure_type)}`
  const path = names.pathFor(episode, { folder }, extension, () => false, naming)
  return { podcastName: podcast.title, episodeName: episode.title, path }
}

/** The renames of a rename run that has not started. */
function planRenames({ rename }: Context, applyFilenames: boolean): Renames {
  const { renames } = applyFilenames ? rename.plan() : { renames: [] }
  return { total: renames.length, renames: renames.slice(0, MAX_LISTED).map(({ from, to }) => ({ from, to })) }
}
