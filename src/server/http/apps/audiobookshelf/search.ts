import type { Context } from '../../../context'
import { find } from '../../../search/find'
import { fold } from '../../../../shared/fold'
import type { UserRow } from '../../../store/users'
import { createItems, type Items } from './items'
import { requireLibrary } from './libraries'
import { type AppCall, AppRefusal, readCount } from './protocol'
import { genresOf } from './shapes/media'

const MAX_HITS = 50
const MAX_QUERY = 200

/** The texts that are searched: apps do not show which of them contains the words. */
const fields = new Set(['podcasts', 'titles', 'notes'] as const)

/** Searches the library. */
export function searchCalls(app: Context): AppCall[] {
  const items = createItems(app)
  return [
    [
      'GET /api/libraries/:library/search',
      request => {
        requireLibrary(items, request)
        const words = (request.query.get('q') ?? '').trim().slice(0, MAX_QUERY)
        if (words === '') throw new AppRefusal(400, 'Invalid request. Query param "q" must be a string')
        const limit = Math.min(readCount(request.query, 'limit', 12) || MAX_HITS, MAX_HITS)
        return search(app, items, request.user, words, limit)
      },
    ],
  ]
}

function search({ store }: Context, items: Items, user: UserRow, words: string, limit: number) {
  const { podcasts, episodes } = find(store, user, words, fields, {}, limit, null)
  const wanted = fold(words)
  const matches = ({ name }: { name: string }) => fold(name).includes(wanted)
  const genres = Map.groupBy(store.catalogue.facts(user).flatMap(genresOf), genre => genre)
  return {
    podcast: items
      .withoutEpisodes(
        user,
        podcasts.slice(0, limit).map(({ id }) => id),
      )
      .map(libraryItem => ({ libraryItem })),
    episodes: items
      .withExpandedItems(
        user,
        episodes.map(({ row }) => row.id),
      )
      .map(libraryItem => ({ libraryItem })),
    tags: store.catalogue
      .tags(user)
      .filter(matches)
      .slice(0, limit)
      .map(({ name, podcasts }) => ({ name, numItems: podcasts })),
    genres: [...genres]
      .map(([name, all]) => ({ name, numItems: all.length }))
      .filter(matches)
      .slice(0, limit),
  }
}
