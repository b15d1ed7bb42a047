import { t } from 'elysia'
import { YourCounts, YourEpisode, YourList } from '../../../shared/api/your-episodes'
import type { Context } from '../../context'
import type { YourEpisodeRow } from '../../store/your-episodes'
import { writeInstant } from '../core/instants'
import type { Links } from '../core/links'
import { cutList, readCursor } from '../core/paging'
import { Limit } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisodeWithHistory } from './episodes.present'

/** A user's own episodes: liked, bookmarked, in progress, downloaded and played, each the latest first. */
export function yourEpisodes(routes: SignedInRoutes, { store }: Context) {
  routes
    .get('/api/v1/episodes/yours', ({ user }) => store.yourEpisodes.countsFor(user), { response: YourCounts })
    .get(
      '/api/v1/episodes/yours/:list',
      ({ user, links, params, query, set }) => {
        const after = readCursor(query.cursor)
        const { rows, next } = cutList(query.limit, placeOf, limit =>
          store.yourEpisodes.pageFor(user, params.list, after, limit),
        )
        if (next) set.headers['x-next-cursor'] = next
        return rows.map(row => present(row, links))
      },
      {
        params: t.Object({ list: YourList }),
        query: t.Object({ cursor: t.Optional(t.String({ maxLength: 200 })), limit: Limit(100, 50) }),
        response: t.Array(YourEpisode),
      },
    )
}

const placeOf = (row: YourEpisodeRow) => ({ published_at: row.listed_at, id: row.listed_id })

const present = (row: YourEpisodeRow, links: Links): YourEpisode => ({
  ...presentEpisodeWithHistory(row, links),
  at: writeInstant(row.listed_at),
  bookmark:
    row.bookmark_uuid === null
      ? null
      : {
          id: row.bookmark_uuid,
          episode: row.uuid,
          time: row.bookmark_time!,
          note: row.bookmark_note,
          createdAt: writeInstant(row.listed_at),
        },
})
