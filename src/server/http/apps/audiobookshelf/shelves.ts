import type { Context } from '../../../context'
import type { PlayedEntry } from '../../../store/catalogue'
import type { UserRow } from '../../../store/users'
import { createItems, type Items, readBeside } from './items'
import { requireLibrary } from './libraries'
import { type AppCall, AppRefusal, type AppRequest, readCount } from './protocol'
import { find } from '../../../search/find'
import { fold } from '../../../../shared/fold'
import { genresOf } from './shapes/library'

const MAX_ENTITIES = 50

const everything = { favouritesOnly: false, likedOnly: false, unplayedOnly: false, undatedLast: true }

/** The shelves of an app's first page. */
export function shelfCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const { catalogue, timeline } = app.store

  function shelvesOf({ user, query }: AppRequest) {
    const limit = Math.min(readCount(query, 'limit', 10) || 10, MAX_ENTITIES)
    const newest = timeline.idsFor(user, everything, limit)
    const added = catalogue.order(user, { by: 'added', descending: true })
    return [
      shelf('continue-listening', 'Continue Listening', playedOf(items, user, catalogue.begun(user, limit))),
      shelf(
        'newest-episodes',
        'Newest Episodes',
        items.withEpisodes(user, newest).map(({ item }) => item),
      ),
      {
        ...shelf(
          'recently-added',
          'Recently Added',
          items.minified(
            user,
            added.slice(0, limit).map(({ id }) => id),
            readBeside(query),
          ),
        ),
        type: 'podcast',
      },
      shelf('listen-again', 'Listen Again', playedOf(items, user, catalogue.finished(user, limit))),
    ].filter(({ entities }) => entities.length > 0)
  }

  return [
    [
      'GET /api/libraries/:library/personalized',
      request => {
        requireLibrary(items, request)
        return shelvesOf(request)
      },
    ],
  ]
}

const shelf = (id: string, label: string, entities: readonly object[]) => ({
  id,
  label,
  labelStringKey: `Label${label.replaceAll(' ', '')}`,
  type: 'episode',
  entities,
  total: entities.length,
})

/** Podcasts with an episode that was played, and when that was. */
export function playedOf(items: Items, user: UserRow, entries: readonly PlayedEntry[]) {
  const times = new Map(entries.map(({ id, at }) => [id, Math.floor(at)]))
  const found = items.withEpisodes(
    user,
    entries.map(({ id }) => id),
  )
  return found.map(({ id, item }) => ({ ...item, progressLastUpdate: times.get(id)! }))
}

const MAX_HITS = 50
const MAX_QUERY = 200

/** The texts that are searched: apps do not show which of them contains the words. */
const searchFields = new Set(['podcasts', 'titles', 'notes'] as const)

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
  const { podcasts, episodes } = find(store, user, words, searchFields, {}, limit, null)
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
