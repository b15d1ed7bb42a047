import { t } from 'elysia'
import { Episode } from '../../../shared/api/episode'
import { SearchResult } from '../../../shared/api/search'
import { searchFields } from '../../../shared/choices'
import type { Context } from '../../context'
import { find } from '../../search/find'
import type { UserRow } from '../../store/users'
import { readEnd, readInstant } from '../core/instants'
import type { Links } from '../core/links'
import { Flag, Limit, readFlag, readWords } from '../core/query'
import { readSearchCursor, writeSearchCursor } from '../core/paging'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode, presentEpisodeWithHistory } from './episodes.present'
import { presentPerson } from './people'
import { presentPodcast } from './podcasts.present'

const MAX_BEST = 100

const SearchQuery = t.Object({
  q: t.String({ minLength: 1, maxLength: 200 }),
  in: t.Optional(t.Union([t.String(), t.Array(t.String())])),
  podcastId: t.Optional(t.String({ maxLength: 100 })),
  downloaded: Flag,
  unplayed: Flag,
  from: t.Optional(t.String()),
  to: t.Optional(t.String()),
  cursor: t.Optional(t.String({ maxLength: 50 })),
  limit: Limit(100, 30),
})

/** Searches the library. */
export function search(routes: SignedInRoutes, { store }: Context) {
  routes
    .get(
      '/api/v1/search',
      ({ user, links, query, set }) => {
        const found = findPage(store, user, query)
        const next = writeSearchCursor(found.next)
        if (next) set.headers['x-next-cursor'] = next
        return {
          podcasts: found.podcasts.map(row => presentPodcast(row, links)),
          people: found.people.map(row => presentPerson(row, links)),
          episodes: found.episodes.map(({ row, ...hit }) => ({
            ...presentEpisodeWithHistory(row, links),
            podcastName: row.podcast_title,
            ...hit,
          })),
          hasTranscripts: store.documents.hasTranscripts(),
        }
      },
      { query: SearchQuery, response: SearchResult },
    )
    // The words stand in place of a podcast's id.
    .get('/api/v1/podcasts/:id/query', ({ user, links, params }) => findBest(store, user, links, params.id), {
      response: t.Array(Episode),
    })
    // The router would take the word "episode" for the beginning of another path.
    .get('/api/v1/podcasts/episode/query', ({ user, links }) => findBest(store, user, links, 'episode'), {
      response: t.Array(Episode),
    })
}

function findPage(store: Context['store'], user: UserRow, query: (typeof SearchQuery)['static']) {
  const filter = {
    podcastId: query.podcastId === undefined ? undefined : store.podcasts.require(user, query.podcastId).id,
    downloaded: readFlag('downloaded', query.downloaded),
    unplayed: readFlag('unplayed', query.unplayed),
    from: readInstant('from', query.from),
    to: readEnd('to', query.to),
  }
  const searched = query.in === undefined ? searchFields : readWords('in', query.in, searchFields)
  return find(store, user, query.q, new Set(searched), filter, query.limit, readSearchCursor(query.cursor))
}

/** The best hits for a few words, in all fields. */
const findBest = (store: Context['store'], user: UserRow, links: Links, words: string): Episode[] =>
  find(store, user, words, new Set(searchFields), {}, MAX_BEST, null).episodes.map(({ row }) =>
    presentEpisode(row, links),
  )
