import type { Context } from '../../../context'
import type { PlayedEntry } from '../../../store/catalogue'
import type { UserRow } from '../../../store/users'
import { createItems, readBeside, type Items } from './items'
import { requireLibrary } from './libraries'
import { type AppCall, type AppRequest, readCount } from './protocol'

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
