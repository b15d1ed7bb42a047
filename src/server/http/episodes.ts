import { Elysia, t } from 'elysia'
import { Download } from '../../shared/api/download'
import { EpisodeFavour, EpisodeWithExtras, type EpisodeExtras } from '../../shared/api/episode'
import type { Context } from '../context'
import { notFound } from '../problem'
import { identity } from './identity'
import { presentDownload, presentWrapper } from './present'

const noExtras: EpisodeExtras = { persons: [], soundbites: [] }

export const episodes = (app: Context) => {
  const { store, downloads } = app
  const require = (uuid: string) => {
    const episode = store.episodes.findByUuid(uuid)
    if (!episode) throw notFound('episode')
    return episode
  }

  return (
    new Elysia()
      .use(identity(app))
      .get(
        '/episodes/:eid',
        ({ user, base, params }) => {
          const row = store.episodes.findFor(user.id, params.eid)
          if (!row) throw notFound('episode')
          const extras = row.extras ? (JSON.parse(row.extras) as EpisodeExtras) : noExtras
          return { ...presentWrapper(row, base), extras }
        },
        { response: EpisodeWithExtras },
      )
      // In these two the path's id is an episode's, under its older names.
      .put(
        '/podcasts/:id/episodes/favor',
        ({ user, params, body, set }) => {
          store.episodes.like(user.id, require(params.id).id, body.favored, app.now())
          set.status = 204
        },
        { body: EpisodeFavour },
      )
      .put(
        '/podcasts/:id/episodes/download',
        async ({ user, params, set }) => {
          const episode = require(params.id)
          if (episode.file_path)
            return presentDownload(store.downloads.doneRowOf(episode.id, episode.file_size ?? 0, app.now()), null)
          const row = await downloads.request(episode, user.id)
          set.status = 202
          return presentDownload(row, downloads.live(row.id))
        },
        { response: { 200: Download, 202: Download } },
      )
      .delete(
        '/episodes/:eid/download',
        async ({ params, set }) => {
          await downloads.remove(require(params.eid))
          set.status = 204
        },
        { body: t.Any() },
      )
  )
}
