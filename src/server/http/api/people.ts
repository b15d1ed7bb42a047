import { t } from 'elysia'
import { EpisodeWrapper } from '../../../shared/api/episode'
import { PersonListed, PersonPage } from '../../../shared/api/search'
import type { Context } from '../../context'
import { noSuchPath } from '../../platform/problem'
import { queryOf, titleTerms, wordsOf } from '../../search/words'
import type { FoundPerson } from '../../store/search'
import type { UserRow } from '../../store/users'
import { portraitLink, type Links } from '../core/links'
import { cutList, readCursor } from '../core/paging'
import { Limit, Offset } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisodeWithHistory } from './episodes.present'

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

export function presentPerson(found: FoundPerson, links: Links): PersonListed {
  const { name, podcasts, episodes, host_portrait, guest_portrait } = found
  const path = host_portrait ? `podcasts/${host_portrait}` : guest_portrait && `episodes/${guest_portrait}`
  return { name, podcasts, episodes, picture: path ? portraitLink(links, path) : null }
}
