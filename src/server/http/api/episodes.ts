import type { SignedInRoutes } from '../core/signed-in'
import { t } from 'elysia'
import { Download } from '../../../shared/api/download'
import { EpisodeFavour, EpisodeWithExtras, type EpisodeExtras } from '../../../shared/api/episode'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { presentDownload } from './downloads.present'
import { presentEpisodeWithHistory } from './episodes.present'

const noExtras: EpisodeExtras = { persons: [], soundbites: [] }

export function episodes(routes: SignedInRoutes, app: Context) {
  const { store, downloads } = app
  const require = (user: UserRow, uuid: string) => {
    const episode = store.episodes.findVisible(user, uuid)
    if (!episode) throw notFound('episode')
    return episode
  }

  return (
    routes
      .get(
        '/api/v1/episodes/:eid',
        ({ user, links, params }) => {
          const row = store.episodes.findFor(user, params.eid)
          if (!row) throw notFound('episode')
          const extras = row.extras ? (JSON.parse(row.extras) as EpisodeExtras) : noExtras
          return { ...presentEpisodeWithHistory(row, links), extras }
        },
        { response: EpisodeWithExtras },
      )
      // In these two the path's id is an episode's, under its older names.
      .put(
        '/api/v1/podcasts/:id/episodes/favor',
        ({ user, params, body, set }) => {
          store.episodes.like(user.id, require(user, params.id).id, body.favored, app.now())
          set.status = 204
        },
        { body: EpisodeFavour },
      )
      .put(
        '/api/v1/podcasts/:id/episodes/download',
        async ({ user, params, set }) => {
          const episode = require(user, params.id)
          if (episode.file_path)
            return presentDownload(store.downloads.recordDone(episode.id, episode.file_size ?? 0, app.now()), null)
          const row = await downloads.request(episode, user.id)
          set.status = 202
          return presentDownload(row, downloads.live(row.id))
        },
        { role: 'uploader', response: { 200: Download, 202: Download } },
      )
      .delete(
        '/api/v1/episodes/:eid/download',
        async ({ user, params, set }) => {
          await downloads.remove(require(user, params.eid))
          set.status = 204
        },
        { role: 'uploader', body: t.Any() },
      )
  )
}
