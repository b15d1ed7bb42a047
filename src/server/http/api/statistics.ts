import { t } from 'elysia'
import { Stats } from '../../../shared/api/system'
import type { Context } from '../../context'
import { overview } from '../../statistics/statistics'
import type { UserRow } from '../../store/users'
import { readEnd, readInstant } from '../core/instants'
import { mediaLink, type Links } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'

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
