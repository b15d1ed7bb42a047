import type { Context } from '../../../context'
import { writeOpml } from '../../../opml/file'
import type { UserRow } from '../../../store/users'
import { createItems, type Items, readBeside } from './items'
import { type AppCall, type AppRequest, includes, notFound, readCount } from './protocol'
import { createRemembered } from './remembered'
import { genresOf, presentLibrary } from './shapes/library'
import type { CatalogueEntry, CatalogueOrder } from '../../../store/catalogue'
import { inParts, respondJson } from '../../core/answers'
import { decodeSegment } from '../../core/query'

/** The one library: itself, its podcasts, and its statistics. */
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

/** Refuses any library but the only one. */
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

const MAX_LARGEST = 10

function statsOf({ store }: Context, user: UserRow) {
  const { podcasts, files, bytes, seconds } = store.catalogue.totals(user)
  const counts = Map.groupBy(store.catalogue.facts(user).flatMap(genresOf), genre => genre)
  const largest = store.catalogue.order(user, { by: 'size', descending: true }).slice(0, MAX_LARGEST)
  return {
    largestItems: store.catalogue
      .podcasts(
        user,
        largest.map(({ id }) => id),
      )
      .map(({ uuid, title, visible_bytes }) => ({ id: uuid, title, size: visible_bytes })),
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

/** The library with its original feeds, except those that nobody else can read. */
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

/** Podcasts that are read and written at once: a millisecond or two of work. */
const PART = 200

/** The protocol's names for the orders of a list. */
const orders = new Map<string, CatalogueOrder>([
  ['addedAt', 'added'],
  ['birthtimeMs', 'added'],
  ['mtimeMs', 'changed'],
  ['size', 'size'],
  ['media.numTracks', 'episodes'],
  ['media.metadata.title', 'title'],
  ['media.metadata.author', 'author'],
])

/** Groups of the protocol that concern books and other things that this server never has. */
const never = new Set(['issues', 'feed-open', 'series', 'authors', 'narrators'])

/** A page of the library's podcasts, written in parts: other requests are answered in between. */
async function listItems({ store }: Context, items: Items, { user, query, request }: AppRequest) {
  const limit = readCount(query, 'limit', 0)
  const page = readCount(query, 'page', 0)
  const sort = query.get('sort')?.slice(0, 100) ?? null
  const filter = query.get('filter')?.slice(0, 1000) ?? null
  const isDescending = query.get('desc') === '1'
  const include = (query.get('include') ?? '').slice(0, 200).toLowerCase()
  const beside = readBeside(query)

  const found = orderOf(store, user, sort, isDescending, filter)
  const wanted = limit === 0 ? found : found.slice(page * limit, (page + 1) * limit)
  const texts: string[] = []
  const write = (part: readonly CatalogueEntry[]) => {
    const found = items.minified(
      user,
      part.map(({ id }) => id),
      beside,
    )
    // Between two parts podcasts may be removed.
    if (found.length > 0) texts.push(JSON.stringify(found).slice(1, -1))
  }
  await inParts(wanted, write, PART)
  const rest = {
    total: found.length,
    limit,
    page,
    sortBy: sort,
    sortDesc: isDescending,
    filterBy: filter,
    mediaType: 'podcast',
    minified: true,
    collapseseries: false,
    include,
    offset: page * limit,
  }
  return respondJson(request, `{"results":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`)
}

function orderOf(
  { catalogue }: Context['store'],
  user: UserRow,
  sort: string | null,
  descending: boolean,
  filter: string | null,
): CatalogueEntry[] {
  const { group, value } = readFilter(filter)
  if (never.has(group)) return []
  const found = catalogue.order(user, {
    by: orders.get(sort ?? '') ?? null,
    descending,
    tag: group === 'tags' ? value : undefined,
    language: group === 'languages' ? value : undefined,
    explicitOnly: group === 'explicit',
  })
  const ordered = sort === 'random' ? shuffled(found) : found
  return group === 'genres' ? ordered.filter(entry => genresOf(entry).includes(value)) : ordered
}

/** Reads `<group>.<value>`, the value in Base64 of UTF-8. */
function readFilter(filter: string | null): { group: string; value: string } {
  const [group = '', ...rest] = (filter ?? '').split('.')
  // An unencoded plus arrives as a space.
  const encoded = decodeSegment(rest.join('.')).replaceAll(' ', '+')
  return { group, value: Buffer.from(encoded, 'base64').toString() }
}

/** Shuffles. */
function shuffled<T>(list: readonly T[]): T[] {
  const places = crypto.getRandomValues(new Uint32Array(list.length))
  return list
    .map((entry, index) => ({ entry, place: places[index]! }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ entry }) => entry)
}
