import type { Context } from '../../context'
import { MINUTE } from '../../platform/clock'
import type { UserRow } from '../../store/users'
import type { Links } from './links'

// Why: docs/internals/decisions/0024

/** Lists that clients ask for again and again. */
const revalidated = [
  '/podcasts',
  '/podcasts/brief',
  '/podcasts/search',
  '/podcasts/favored',
  '/podcasts/timeline',
  '/podcasts/:id',
  '/podcasts/:id/episodes',
  '/podcasts/episode/lastwatched',
  '/episodes/yours',
  '/episodes/yours/:list',
  '/tags',
  '/playlist',
  '/playlist/:id',
  '/playlists',
  '/queue',
  '/notifications/unread',
]
/** A list with what is not stored: how far each download is. */
const live = '/downloads'

const MAX_BYTES = 4 * 1024 * 1024
const MAX_BYTES_OF_ONE = 1024 * 1024
const MAX_ADDRESS = 500
const MAX_ANSWERS = 1000

type Body = string | Uint8Array<ArrayBuffer>
type Kept = { version: string; headers: Record<string, string>; cursor: string | null; body: Body | null }
type Asked = { key: string; version: string }

type ListRequest = {
  request: Request
  route: string
  set: { headers: Record<string, string | number> }
  user: UserRow
  links: Links
}

export type Lists = ReturnType<typeof createLists>

/**
 * Remembers lists while nothing is written into the database, by this process or another: the same list is answered
 * without a query, by 304 to those that have it.
 */
export function createLists({ config, store, now }: Pick<Context, 'config' | 'store' | 'now'>) {
  const routeOf = (path: string) => `${config.prefix}/api/v1${path}`
  const stored = new Set(revalidated.map(routeOf))
  const all = new Set([...stored, routeOf(live)])
  const kept = new Map<string, Kept>()
  const asked = new WeakMap<Request, Asked>()
  let bytes = 0

  function forget(key: string) {
    bytes -= sizeOf(kept.get(key)?.body ?? null)
    kept.delete(key)
  }

  return {
    /** Whether a request is for a list with a validator. */
    isList: (request: Request, route: string) => request.method === 'GET' && all.has(route),
    /** Answers a list as before if nothing was written since. Call after sign-in, and before the list is read. */
    recall({ request, route, set, user, links }: ListRequest): Response | undefined {
      if (request.method !== 'GET' || !stored.has(route) || request.url.length > MAX_ADDRESS) return
      const encoding = request.headers.get('accept-encoding') ?? ''
      const key = [user.id, links.key === null, links.base, encoding, request.url].join('\n')
      // Read before the list is, so that later writes count. The minute: some lists say what is today, or still to come.
      const version = `${store.written()} ${Math.floor(now() / MINUTE)}`
      const known = kept.get(key)
      if (known?.version !== version) {
        asked.set(request, { key, version })
        return
      }
      if (known.cursor !== null) set.headers['x-next-cursor'] = known.cursor
      if (isKnown(request, known.headers['ETag']!)) return new Response(null, { status: 304, headers: known.headers })
      if (known.body !== null) return new Response(known.body, { headers: known.headers })
      // Only its validator was kept, for a client that had it.
      asked.set(request, { key, version })
    },
    /** Keeps an answer until something is written. `body`: as it was sent; null if it is too long. */
    keep(request: Request, answer: Omit<Kept, 'version'>) {
      const found = asked.get(request)
      if (!found) return
      forget(found.key)
      const body = sizeOf(answer.body) > MAX_BYTES_OF_ONE ? null : answer.body
      kept.set(found.key, { ...answer, body, version: found.version })
      bytes += sizeOf(body)
      for (const oldest of kept.keys()) {
        if (bytes <= MAX_BYTES && kept.size <= MAX_ANSWERS) return
        forget(oldest)
      }
    },
  }
}

const sizeOf = (body: Body | null) => body?.length ?? 0

/** Whether the client has the answer with this validator. */
export const isKnown = ({ headers }: Request, etag: string) =>
  headers
    .get('if-none-match')
    ?.split(',')
    .some(known => known.trim() === etag) ?? false
