import type { SignedInRoutes } from '../core/signed-in'
import { t } from 'elysia'
import { EpisodeHistory, History, Progress } from '../../../shared/api/history'
import { LastWatched } from '../../../shared/api/timeline'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { readInstant } from '../core/instants'
import { presentEpisode } from './episodes.present'
import { presentJoinedHistory, presentHistory, presentUnplayed } from './playback.present'
import { presentPodcast } from './podcasts.present'
import { Flag, Limit, readFlag } from '../core/query'

export function playback(routes: SignedInRoutes, app: Context) {
  const { store } = app
  const require = (user: UserRow, uuid: string) => {
    const episode = store.episodes.findVisible(user, uuid)
    if (!episode) throw notFound('episode')
    return episode
  }

  routes
    .post(
      '/api/v1/podcasts/episode',
      ({ user, body }) => {
        const episode = require(user, body.podcastEpisodeId)
        const saved = app.playback.record(user.id, episode, {
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
      '/api/v1/podcasts/episode/lastwatched',
      ({ user, links, query }) => {
        const rows = store.playback.listRecent(user, query.limit, readFlag('includeFinished', query.includeFinished))
        const podcasts = store.podcasts.mapFor(user, [...new Set(rows.map(row => row.podcast_uuid))])
        return rows.flatMap(row => {
          const podcast = podcasts.get(row.podcast_uuid)
          const episode = presentJoinedHistory(row)
          return podcast && episode
            ? [{ podcastEpisode: presentEpisode(row, links), podcast: presentPodcast(podcast, links), episode }]
            : []
        })
      },
      { query: t.Object({ limit: Limit(200, 50), includeFinished: Flag }), response: t.Array(LastWatched) },
    )
    .get(
      '/api/v1/podcasts/episode/:id',
      ({ user, params }) => {
        const episode = require(user, params.id)
        const heard = store.playback.find(user.id, episode.id)
        return heard ? presentHistory(episode, heard) : presentUnplayed(episode)
      },
      { response: EpisodeHistory },
    )
}
