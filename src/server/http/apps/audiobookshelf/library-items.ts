import type { Context } from '../../../context'
import type { CatalogueEntry, CatalogueOrder } from '../../../store/catalogue'
import type { UserRow } from '../../../store/users'
import { respondJson } from '../../core/answers'
import { inParts } from '../../core/in-parts'
import { decodeSegment } from '../../core/query'
import { readBeside, type Items } from './items'
import { readCount, type AppRequest } from './protocol'
import { genresOf } from './shapes/media'

/** Podcasts that are read and written at once: a millisecond or two of work. */
const PART = 200

/** Names of the protocol for the orders of a list. */
const orders = new Map<string, CatalogueOrder>([
  ['addedAt', 'added'],
  ['birthtimeMs', 'added'],
  ['mtimeMs', 'changed'],
  ['size', 'size'],
  ['media.numTracks', 'episodes'],
  ['media.metadata.title', 'title'],
  ['media.metadata.author', 'author'],
])

/** Groups of the protocol that concern books and what this server never has. */
const never = new Set(['issues', 'feed-open', 'series', 'authors', 'narrators'])

/** A page of the library's podcasts, written in parts: other requests are answered in between. */
export async function listItems({ store }: Context, items: Items, { user, query, request }: AppRequest) {
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
  // A plus that was not encoded arrives as a space.
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
