import { t } from 'elysia'
import { EpisodeHistory, History, Loudness, MeasuredLoudness, Progress } from '../../../shared/api/history'
import { LastWatched } from '../../../shared/api/timeline'
import type { Context } from '../../context'
import { readEnd, readInstant } from '../core/instants'
import { Flag, Limit, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode, presentHistory, presentJoinedHistory, presentUnplayed } from './episodes.present'
import { presentPodcast } from './podcasts.present'
import { Stats } from '../../../shared/api/system'
import { overview } from '../../statistics/statistics'
import type { UserRow } from '../../store/users'
import { type Links, mediaLink } from '../core/links'

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
    .get(
      '/api/v1/podcasts/episode/:id/loudness',
      ({ user, params }) => ({
        measured: store.loudness.find(user.id, store.episodes.require(user, params.id).id),
      }),
      { response: Loudness },
    )
    .put(
      '/api/v1/podcasts/episode/:id/loudness',
      ({ user, params, body, set }) => {
        store.loudness.save(user.id, store.episodes.require(user, params.id).id, body)
        set.status = 204
      },
      { body: MeasuredLoudness },
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

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const StatsQuery = t.Object({
  from: t.Optional(t.String()),
  to: t.Optional(t.String()),
  topLimit: t.Integer({ minimum: 1, maximum: 500, default: 5 }),
  tz: t.Optional(t.String({ maxLength: 60 })),
})

/** A user's listening over a span of time. */
export const statistics = (routes: SignedInRoutes, { store }: Context) =>
  routes.get('/api/v1/stats/overview', ({ user, links, query }) => listening(store, user, links, query), {
    query: StatsQuery,
    response: Stats,
  })

function listening(store: Context['store'], user: UserRow, links: Links, query: (typeof StatsQuery)['static']): Stats {
  const from = readInstant('from', query.from) ?? null
  const to = readEnd('to', query.to) ?? null
  const listened = overview(store, user, from, to, query.tz ?? 'UTC')
  return {
    from: query.from ?? null,
    to: query.to ?? null,
    listenedPodcasts: listened.podcasts.length,
    listenedEpisodes: listened.episodes,
    totalListenedSeconds: listened.seconds,
    savedSeconds: listened.saved,
    trimmedSeconds: listened.trimmed,
    measuredSince: listened.measuredSince,
    topPodcasts: listened.podcasts.slice(0, query.topLimit).map(({ id, seconds, episodes }) => {
      const podcast = store.podcasts.find(id)!
      return {
        podcastId: podcast.uuid,
        podcastName: podcast.title,
        imageUrl: mediaLink(links, `covers/podcasts/${podcast.uuid}`),
        listenedSeconds: seconds,
        listenedEpisodes: episodes,
      }
    }),
    activeWeekdays: weekdays.map((weekday, index) => ({
      dayIndex: index + 1,
      weekday,
      listenedSeconds: listened.weekdays[index]!,
    })),
    days: listened.days.map(({ date, seconds }) => ({ date, listenedSeconds: seconds })),
  }
}
