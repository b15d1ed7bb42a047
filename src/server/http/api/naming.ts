import { t } from 'elysia'
import { JobStarted } from '../../../shared/api/job'
import { NamingEdit, NamingPreview, Renames, Rescan, type Naming } from '../../../shared/api/settings'
import type { Context } from '../../context'
import { fill, requireFormat, sampleEpisode, samplePodcast } from '../../downloads/formats'
import { safeSegment } from '../../downloads/naming'
import { requireFormats } from '../../library/formats'
import type { EpisodeForUser } from '../../store/episodes'
import { mediaExtension } from '../../sync/private-addresses'
import type { SignedInRoutes } from '../core/signed-in'

const MAX_LISTED = 200
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
