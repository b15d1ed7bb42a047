import { t } from 'elysia'
import { Timeline } from '../../../shared/api/timeline'
import type { Context } from '../../context'
import type { UserRow } from '../../store/users'
import { readInstant } from '../core/instants'
import type { Links } from '../core/links'
import { cutPage, readCursor } from '../core/paging'
import { Flag, Limit, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode } from './episodes.present'
import { presentJoinedHistory } from './playback.present'
import { presentPodcast } from './podcasts.present'

const TimelineQuery = t.Object({
  favoredOnly: Flag,
  favoredEpisodes: Flag,
  notListened: Flag,
  lastTimestamp: t.Optional(t.String()),
  cursor: t.Optional(t.String({ maxLength: 200 })),
  limit: Limit(100, 20),
})

/** The episodes of all podcasts, newest first. */
export const timeline = (routes: SignedInRoutes, { store }: Context) =>
  routes.get(
    '/api/v1/podcasts/timeline',
    ({ user, links, query, set }) => {
      const { next, ...timeline } = readTimeline(store, user, links, query)
      if (next) set.headers['x-next-cursor'] = next
      return timeline
    },
    { query: TimelineQuery, response: Timeline },
  )

function readTimeline(
  store: Context['store'],
  user: UserRow,
  links: Links,
  query: (typeof TimelineQuery)['static'],
): Timeline & { next: string | null } {
  const after = readCursor(query.cursor)
  const filter = {
    favouritesOnly: readFlag('favoredOnly', query.favoredOnly),
    likedOnly: readFlag('favoredEpisodes', query.favoredEpisodes),
    unplayedOnly: readFlag('notListened', query.notListened),
    after,
    before: after ? undefined : readInstant('lastTimestamp', query.lastTimestamp),
  }
  const { rows, next } = cutPage(query.limit, !after, limit => store.timeline.pageFor(user, filter, limit))
  const podcasts = store.podcasts.mapFor(user, [...new Set(rows.map(row => row.podcast_uuid))])
  return {
    data: rows.map(row => {
      const podcast = presentPodcast(podcasts.get(row.podcast_uuid)!, links)
      return {
        podcast_episode: presentEpisode(row, links),
        podcast,
        history: presentJoinedHistory(row),
        favorite: podcast.favorites ? { favored: true } : null,
      }
    }),
    totalElements: store.timeline.countFor(user, filter),
    next,
  }
}
