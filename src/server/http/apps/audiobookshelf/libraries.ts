import type { Context } from '../../../context'
import { writeOpml } from '../../../opml/write'
import type { UserRow } from '../../../store/users'
import { createItems, type Items } from './items'
import { listItems } from './library-items'
import { includes, notFound, readCount, type AppCall, type AppRequest } from './protocol'
import { createRemembered } from './remembered'
import { genresOf } from './shapes/media'
import { presentLibrary } from './shapes/library'

/** The one library: itself, its podcasts, and what can be counted of it. */
export function libraryCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const { catalogue } = app.store
  const remembered = createRemembered(app)
  const present = () => presentLibrary(items.ids, app.store.users.find(app.admin.id)?.created_at ?? app.now())
  const ofLibrary = (answer: (request: AppRequest) => unknown) => (request: AppRequest) => {
    requireLibrary(items, request)
    return answer(request)
  }

  function withStats(user: UserRow) {
    const { podcasts, files, bytes, seconds } = catalogue.totals(user)
    return {
      ...present(),
      stats: { totalDuration: seconds, numAudioFiles: files, totalItems: podcasts, totalSize: bytes },
    }
  }

  return [
    [
      'GET /api/libraries',
      ({ user, query }) => ({ libraries: [includes(query, 'stats') ? withStats(user) : present()] }),
    ],
    [
      'GET /api/libraries/:library',
      ofLibrary(({ user, query }) =>
        includes(query, 'filterdata')
          ? {
              filterdata: filterData(app, user),
              issues: 0,
              numUserPlaylists: app.store.playlists.listFor(user.id).length,
              library: present(),
            }
          : present(),
      ),
    ],
    ['GET /api/libraries/:library/filterdata', ofLibrary(({ user }) => filterData(app, user))],
    ['GET /api/libraries/:library/items', ofLibrary(asked => remembered(asked, () => listItems(app, items, asked)))],
    ['GET /api/libraries/:library/stats', ofLibrary(({ user }) => statsOf(app, user))],
    ['GET /api/libraries/:library/series', ofLibrary(emptyPage)],
    ['GET /api/libraries/:library/collections', ofLibrary(emptyPage)],
    [
      'GET /api/libraries/:library/authors',
      ofLibrary(request => (request.query.has('limit') ? emptyPage(request) : { authors: [] })),
    ],
    ['GET /api/libraries/:library/narrators', ofLibrary(() => ({ narrators: [] }))],
    ['GET /api/libraries/:library/podcast-titles', ofLibrary(({ user }) => titlesOf(app, items, user))],
    ['GET /api/tags', ({ user }) => ({ tags: filterData(app, user).tags })],
    ['GET /api/genres', ({ user }) => ({ genres: filterData(app, user).genres })],
    ['GET /api/libraries/:library/opml', ofLibrary(({ user }) => opmlOf(app, user))],
  ]
}

/** Refuses any other library than the one that there is. */
export function requireLibrary({ ids }: Items, { parts }: Pick<AppRequest, 'parts'>) {
  if (parts.library !== ids.libraryId) throw notFound('Library not found')
}

/** Names of the library that an app can filter by. */
function filterData({ store, now }: Context, user: UserRow) {
  const facts = store.catalogue.facts(user)
  return {
    authors: [],
    genres: namesOf(facts.flatMap(genresOf)),
    tags: store.catalogue.tags(user).map(({ name }) => name),
    series: [],
    narrators: [],
    languages: namesOf(facts.flatMap(({ language }) => language ?? [])),
    publishers: [],
    publishedDecades: [],
    bookCount: 0,
    authorCount: 0,
    seriesCount: 0,
    podcastCount: facts.length,
    numIssues: 0,
    loadedAt: now(),
  }
}

const namesOf = (names: readonly string[]) => [...new Set(names)].sort()

function statsOf({ store }: Context, user: UserRow) {
  const { podcasts, files, bytes, seconds } = store.catalogue.totals(user)
  const counts = Map.groupBy(store.catalogue.facts(user).flatMap(genresOf), genre => genre)
  return {
    largestItems: [],
    totalGenres: counts.size,
    genresWithCount: [...counts]
      .map(([genre, all]) => ({ genre, count: all.length }))
      .sort((a, b) => b.count - a.count),
    totalItems: podcasts,
    longestItems: [],
    totalSize: bytes,
    totalDuration: seconds,
    numAudioTracks: files,
  }
}

const emptyPage = ({ query }: AppRequest) => ({
  results: [],
  total: 0,
  limit: readCount(query, 'limit', 0),
  page: readCount(query, 'page', 0),
  sortDesc: false,
  minified: true,
  include: '',
})

const titlesOf = ({ store }: Context, { ids: { libraryId } }: Items, user: UserRow) => ({
  podcasts: store.catalogue
    .titles(user)
    .map(({ uuid, title }) => ({ title, itunesId: null, libraryItemId: uuid, libraryId })),
})

/** The library with its original feeds, without those that nobody else can read. */
function opmlOf({ store, now }: Context, user: UserRow): Response {
  const outlines = store.catalogue.publicFeeds(user).map(({ title, feed_url }) => ({
    title,
    xmlUrl: feed_url,
    categories: [],
  }))
  return new Response(writeOpml('Castellan', now(), outlines), {
    headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  })
}
