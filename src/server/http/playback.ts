import { Elysia, t } from 'elysia'
import { History, Progress } from '../../shared/api/history'
import { LastWatched } from '../../shared/api/timeline'
import type { Context } from '../context'
import { recordPlayback } from '../playback/record'
import { notFound } from '../problem'
import { identity } from './identity'
import { readInstant } from './paging'
import { presentEpisode, presentHeard, presentHistory, presentPodcast } from './present'
import { Flag, Limit, readFlag } from './query'

export const playback = (app: Context) => {
  const { store } = app
  const require = (uuid: string) => {
    const episode = store.episodes.findByUuid(uuid)
    if (!episode) throw notFound('episode')
    return episode
  }

  return new Elysia({ prefix: '/podcasts/episode' })
    .use(identity(app))
    .post(
      '/',
      ({ user, body }) => {
        const episode = require(body.podcastEpisodeId)
        const saved = recordPlayback(app, user.id, episode, {
          position: body.time,
          started: body.started,
          total: body.total,
          at: readInstant('timestamp', body.timestamp),
          device: body.device,
          finished: body.finished,
        })
        return presentHistory(episode, saved)
      },
      { body: Progress, response: History },
    )
    .get(
      '/lastwatched',
      ({ user, base, query }) => {
        const rows = store.playback.listRecent(user.id, query.limit, readFlag('includeFinished', query.includeFinished))
        const podcasts = new Map(store.podcasts.listFor(user.id).map(row => [row.id, row]))
        return rows.flatMap(row => {
          const podcast = podcasts.get(row.podcast_id)
          const episode = presentHeard(row)
          return podcast && episode
            ? [{ podcastEpisode: presentEpisode(row, base), podcast: presentPodcast(podcast, base), episode }]
            : []
        })
      },
      { query: t.Object({ limit: Limit(200, 50), includeFinished: Flag }), response: t.Array(LastWatched) },
    )
    .get(
      '/:id',
      ({ user, params }) => {
        const episode = require(params.id)
        const heard = store.playback.find(user.id, episode.id)
        // Never played is an answer that clients know: they begin at 0.
        if (!heard) throw notFound('history')
        return presentHistory(episode, heard)
      },
      { response: History },
    )
}
