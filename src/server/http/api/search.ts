import { t } from 'elysia'
import { Episode, EpisodeWrapper } from '../../../shared/api/episode'
import { PersonListed, PersonPage, SearchResult } from '../../../shared/api/search'
import { searchFields } from '../../../shared/choices'
import type { Context } from '../../context'
import { find } from '../../search/find'
import type { UserRow } from '../../store/users'
import { readEnd, readInstant } from '../core/instants'
import { type Links, portraitLink } from '../core/links'
import {
  cutList,
  Flag,
  Limit,
  Offset,
  readCursor,
  readFlag,
  readSearchCursor,
  readWords,
  writeSearchCursor,
} from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode, presentEpisodeWithHistory } from './episodes.present'
import { presentPodcast } from './podcasts.present'
import { noSuchPath } from '../../platform/problem'
import { queryOf, titleTerms, wordsOf } from '../../search/words'
import type { FoundPerson } from '../../store/search'

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

const MAX_PODCASTS = 100
const Name = t.String({ minLength: 1, maxLength: 500 })
const Cursor = t.Optional(t.String({ maxLength: 200 }))

/** The people whom feeds name, and what they took part in. */
export function people(routes: SignedInRoutes, { store }: Context) {
  routes
    .get(
      '/api/v1/people',
      ({ user, links, query: { q, after = '', limit } }) => {
        const words = wordsOf(q ?? '')
        if (q && words.length === 0) return []
        const found =
          words.length > 0
            ? store.people.search(user, queryOf(titleTerms(words)), after, limit)
            : store.people.page(user, after, limit)
        return found.map(person => presentPerson(person, links))
      },
      {
        query: t.Object({
          q: t.Optional(t.String({ maxLength: 200 })),
          after: t.Optional(t.String({ maxLength: 500 })),
          limit: Limit(100, 60),
        }),
        response: t.Array(PersonListed),
      },
    )
    .get(
      '/api/v1/people/named',
      ({ user, links, query }) => {
        const person = requirePerson(store, user, query.name)
        const podcasts = store.people.podcastsOf(user, person.id, MAX_PODCASTS)
        return {
          ...presentPerson(person, links),
          episodes: store.people.countEpisodesOf(user, person.id),
          takesPartIn: podcasts.map(({ uuid, title }) => ({ id: uuid, name: title })),
        }
      },
      { query: t.Object({ name: Name }), response: PersonPage },
    )
    .get(
      '/api/v1/people/named/episodes',
      ({ user, links, query, set }) => {
        const { id } = requirePerson(store, user, query.name)
        const start = { after: readCursor(query.cursor), offset: query.offset }
        const read = (limit: number) => store.people.episodesOf(user, id, start, limit)
        const { rows, next } = cutList(query.limit, ({ published_at, id }) => ({ published_at, id }), read)
        if (next) set.headers['x-next-cursor'] = next
        return rows.map(row => presentEpisodeWithHistory(row, links))
      },
      {
        query: t.Object({ name: Name, cursor: Cursor, offset: Offset, limit: Limit(100, 50) }),
        response: t.Array(EpisodeWrapper),
      },
    )
}

/** Throws `not-found` if nothing that the user may see names this person. */
export function requirePerson(store: Context['store'], user: UserRow, name: string): FoundPerson {
  const person = store.people.find(user, name)
  if (!person) throw noSuchPath()
  return person
}

function presentPerson(found: FoundPerson, links: Links): PersonListed {
  const { name, podcasts, episodes, host_portrait, guest_portrait } = found
  const path = host_portrait ? `podcasts/${host_portrait}` : guest_portrait && `episodes/${guest_portrait}`
  return { name, podcasts, episodes, picture: path ? portraitLink(links, path) : null }
}
