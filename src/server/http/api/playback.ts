import { t } from 'elysia'
import { EpisodeHistory, History, Progress } from '../../../shared/api/history'
import { LastWatched } from '../../../shared/api/timeline'
import type { Context } from '../../context'
import { readInstant } from '../core/instants'
import { Flag, Limit, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode } from './episodes.present'
import { presentHistory, presentJoinedHistory, presentUnplayed } from './playback.present'
import { presentPodcast } from './podcasts.present'

/** Positions in episodes, as players report and read them. */
export function playback(routes: SignedInRoutes, { store, playback, hide }: Context) {
  routes
    .post(
      '/api/v1/podcasts/episode',
      ({ user, body }) => {
        const episode = store.episodes.require(user, body.podcastEpisodeId)
        const saved = playback.record(user.id, episode, {
          position: body.time,
          started: body.started,
          total: body.total,
          at: readInstant('timestamp', body.timestamp),
          device: body.device,
          finished: body.finished,
          sender: body.sender,
          ...(body.saved !== undefined && { skipped: { saved: body.saved, trimmed: body.trimmed ?? 0 } }),
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
        const episode = store.episodes.require(user, params.id)
        const played = store.playback.find(user.id, episode.id)
        return played ? presentHistory(episode, played) : presentUnplayed(episode)
      },
      { response: EpisodeHistory },
    )
    .put('/api/v1/podcasts/episode/:id/hidden', ({ user, params, set }) => {
      hide(user.id, store.episodes.require(user, params.id), true)
      set.status = 204
    })
    .delete('/api/v1/podcasts/episode/:id/hidden', ({ user, params, set }) => {
      hide(user.id, store.episodes.require(user, params.id), false)
      set.status = 204
    })
}
