import { t } from 'elysia'
import { JobStarted } from '../../../shared/api/job'
import {
  CleanedUp,
  Cleanup,
  NamingEdit,
  NamingPreview,
  Renames,
  Rescan,
  Settings,
  SettingsEdit,
  type SettingsValues,
} from '../../../shared/api/settings'
import type { Context } from '../../context'
import { fill, requireFormat, sampleEpisode, samplePodcast } from '../../downloads/formats'
import { safeSegment } from '../../downloads/naming'
import { mediaExtension } from '../../sync/private-addresses'
import type { SignedInRoutes } from '../core/signed-in'

const MOST_NAMED = 200
const SHOWN = 5
const Content = t.Object({ content: t.String({ maxLength: 200 }) })

/** What the server does by itself, what is kept, and what files are called. */
export function settings(routes: SignedInRoutes, app: Context) {
  const { store, config, retention, rename, names } = app
  const present = (values: SettingsValues): Settings => ({
    ...values,
    maxParallelDownloads: config.parallelDownloads,
    ...fixedSettings,
    autoTranscodeOpus: false,
    sponsorblockEnabled: false,
  })
  const edit = (change: SettingsEdit) => {
    requireFormats(change)
    return present(store.settings.edit(change))
  }

  routes
    .get('/api/v1/settings', () => present(store.settings.current()), { response: Settings })
    .put('/api/v1/settings', ({ body }) => edit(body), { role: 'admin', body: SettingsEdit, response: Settings })
    .put('/api/v1/settings/name', ({ body }) => edit(body), { role: 'admin', body: NamingEdit, response: Settings })
    .get(
      '/api/v1/settings/cleanup',
      () => {
        const due = retention.due()
        return {
          total: due.length,
          freedBytes: due.reduce((sum, row) => sum + row.file_size, 0),
          episodes: due.slice(0, MOST_NAMED).map(row => ({
            id: row.uuid,
            episode_id: row.eid,
            name: row.title,
            podcastName: row.podcast_title,
            size: row.file_size,
            reason: row.reason,
          })),
        }
      },
      { role: 'admin', response: Cleanup },
    )
    .put('/api/v1/settings/runcleanup', () => retention.sweep(), {
      role: 'admin',
      body: t.Any(),
      response: CleanedUp,
    })
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
        const naming = { ...store.settings.current(), ...body }
        const newest = store.timeline.pageFor(user, everything, SHOWN)
        return newest.map(episode => {
          const podcast = store.podcasts.find(episode.podcast_id)!
          const folder = names.folderFor(podcast, naming, () => false)
          const extension = `.${mediaExtension(episode.file_type ?? episode.enclosure_type)}`
          const path = names.pathFor(episode, { folder }, extension, () => false, naming)
          return { podcastName: podcast.title, episodeName: episode.title, path }
        })
      },
      { body: NamingEdit, response: NamingPreview },
    )
    .post(
      '/api/v1/settings/rescan-episodes',
      ({ user, body, set }) => {
        const { dryRun, ...wish } = body
        if (dryRun) {
          const { renames } = wish.applyFilenames ? rename.plan() : { renames: [] }
          return { total: renames.length, renames: renames.slice(0, MOST_NAMED).map(({ from, to }) => ({ from, to })) }
        }
        const { uuid, total } = rename.start(user.id, wish)
        set.status = 202
        return { jobId: uuid, total }
      },
      { role: 'admin', body: Rescan, response: { 200: Renames, 202: JobStarted } },
    )
}

const everything = { favouritesOnly: false, likedOnly: false, unplayedOnly: false }

/** Of features that there are not. */
export const fixedSettings = { useOneCoverForAllEpisodes: false, nfoFormat: 'off', coverFilename: 'image' }

/** Throws `invalid-format` and names the field. */
export function requireFormats({ episodeFormat, podcastFormat }: { episodeFormat?: string; podcastFormat?: string }) {
  if (episodeFormat !== undefined) requireFormat('episodeFormat', episodeFormat, 'episode')
  if (podcastFormat !== undefined) requireFormat('podcastFormat', podcastFormat, 'podcast')
}
