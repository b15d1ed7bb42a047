import type { SignedInRoutes } from '../core/signed-in'
import { t } from 'elysia'
import { Timeline } from '../../../shared/api/timeline'
import type { Context } from '../../context'
import { cutPage, readCursor } from '../core/paging'
import { readInstant } from '../core/instants'
import { presentEpisode } from './episodes.present'
import { presentJoinedHistory } from './playback.present'
import { presentPodcast } from './podcasts.present'
import { Flag, Limit, readFlag } from '../core/query'

export const timeline = (routes: SignedInRoutes, app: Context) =>
  routes.get(
    '/api/v1/podcasts/timeline',
    ({ user, links, query, set }) => {
      const after = readCursor(query.cursor)
      const filter = {
        favouritesOnly: readFlag('favoredOnly', query.favoredOnly),
        likedOnly: readFlag('favoredEpisodes', query.favoredEpisodes),
        unplayedOnly: readFlag('notListened', query.notListened),
        after,
        before: after ? undefined : readInstant('lastTimestamp', query.lastTimestamp),
      }
      const page = cutPage(query.limit, !after, limit => app.store.timeline.pageFor(user, filter, limit))
      const wanted = [...new Set(page.rows.map(row => row.podcast_uuid))]
      const podcasts = app.store.podcasts.mapFor(user, wanted)
      if (page.next) set.headers['x-next-cursor'] = page.next
      return {
        data: page.rows.map(row => {
          const podcast = presentPodcast(podcasts.get(row.podcast_uuid)!, links)
          return {
            podcast_episode: presentEpisode(row, links),
            podcast,
            history: presentJoinedHistory(row),
            favorite: podcast.favorites ? { favored: true } : null,
          }
        }),
        totalElements: app.store.timeline.countFor(user, filter),
      }
    },
    {
      query: t.Object({
        favoredOnly: Flag,
        favoredEpisodes: Flag,
        notListened: Flag,
        lastTimestamp: t.Optional(t.String()),
        cursor: t.Optional(t.String({ maxLength: 200 })),
        limit: Limit(100, 20),
      }),
      response: Timeline,
    },
  )
