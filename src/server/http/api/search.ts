import { t } from 'elysia'
import { Episode } from '../../../shared/api/episode'
import { SearchResult, type SearchField } from '../../../shared/api/search'
import type { Context } from '../../context'
import { invalidField, notFound } from '../../platform/problem'
import { find, stageNames, type SearchCursor } from '../../search/find'
import type { UserRow } from '../../store/users'
import type { Links } from '../core/links'
import { readEnd, readInstant } from '../core/instants'
import { presentEpisode, presentEpisodeWithHistory } from './episodes.present'
import { presentPodcast } from './podcasts.present'
import { Flag, Limit, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'

export const fields: readonly SearchField[] = ['podcasts', 'titles', 'notes', 'chapters', 'transcripts']

export function search(routes: SignedInRoutes, { store }: Context) {
  const best = (user: UserRow, links: Links, words: string) =>
    find(store, user, words, new Set(fields), {}, 100, null).episodes.map(({ row }) => presentEpisode(row, links))

  routes
    .get(
      '/api/v1/search',
      ({ user, links, query, set }) => {
        const podcast = query.podcastId === undefined ? null : store.podcasts.findVisible(user, query.podcastId)
        if (query.podcastId !== undefined && !podcast) throw notFound('podcast')
        const filter = {
          podcastId: podcast?.id,
          downloaded: readFlag('downloaded', query.downloaded),
          unplayed: readFlag('unplayed', query.unplayed),
          from: readInstant('from', query.from),
          to: readEnd('to', query.to),
        }
        const wanted = readFields(query.in)
        const found = find(store, user, query.q, wanted, filter, query.limit, readCursor(query.cursor))
        if (found.next) set.headers['x-next-cursor'] = `${found.next.stage}.${found.next.before}`
        return {
          podcasts: found.podcasts.map(row => presentPodcast(row, links)),
          episodes: found.episodes.map(({ row, ...hit }) => ({
            ...presentEpisodeWithHistory(row, links),
            podcastName: row.podcast_title,
            ...hit,
          })),
        }
      },
      {
        query: t.Object({
          q: t.String({ minLength: 1, maxLength: 200 }),
          in: t.Optional(t.Union([t.String(), t.Array(t.String())])),
          podcastId: t.Optional(t.String({ maxLength: 100 })),
          downloaded: Flag,
          unplayed: Flag,
          from: t.Optional(t.String()),
          to: t.Optional(t.String()),
          cursor: t.Optional(t.String({ maxLength: 50 })),
          limit: Limit(100, 30),
        }),
        response: SearchResult,
      },
    )
    // The words stand where a podcast's id stands elsewhere; "episode" would be taken for the beginning of another path.
    .get('/api/v1/podcasts/:id/query', ({ user, links, params }) => best(user, links, decoded(params.id)), {
      response: t.Array(Episode),
    })
    .get('/api/v1/podcasts/episode/query', ({ user, links }) => best(user, links, 'episode'), {
      response: t.Array(Episode),
    })
}

function readFields(given: string | string[] | undefined): Set<SearchField> {
  if (given === undefined) return new Set(fields)
  const names = [given].flat().flatMap(part => part.split(','))
  const known = names.filter((name): name is SearchField => fields.includes(name as SearchField))
  if (known.length < names.length) throw invalidField('in', fields.join(', '))
  return new Set(known)
}

function readCursor(text: string | undefined): SearchCursor | null {
  if (text === undefined) return null
  const [, name, before] = /^([a-z]+)\.(\d{1,16})$/.exec(text) ?? []
  const stage = stageNames.find(known => known === name)
  if (!stage || !before) throw invalidField('cursor', 'the X-Next-Cursor of an earlier response')
  return { stage, before: Number(before) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
