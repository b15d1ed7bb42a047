import type { Context } from '../../../context'
import { noteActor } from '../../../platform/events'
import { inTime, parseJson, readText } from '../../core/body'
import { addressOf, type IncomingRequest, peerOf, serverUrlOf } from '../../core/links'
import { respondJson } from '../../core/answers'
import {
  type AppCall,
  AppRefusal,
  meantBy,
  notFound,
  type OpenCall,
  type OpenRequest,
  readCount,
  WrittenJson,
} from './protocol'
import { Problem } from '../../../platform/problem'
import { diskFault, logFailedRequest, statusOf } from '../../core/problems'
import { decodeSegment } from '../../core/query'
import { addingCalls, downloadingCalls } from './adding'
import { administrationCalls, type Online, statisticsCalls } from './sessions'
import { bookmarkCalls } from './bookmarks'
import { coverCalls, fileCalls, trackCalls } from './media'
import { itemCalls } from './item-calls'
import { libraryCalls, requireLibrary } from './libraries'
import { localCalls, playCalls } from './play'
import { noCalls } from './nothing'
import { createIdentify, openIdCalls, signInCalls, userCalls } from './sign-in'
import { progressCalls } from './progress'
import { playlistCalls } from './playlists'
import { searchCalls, shelfCalls } from './shelves'
import { statusCalls } from './status'
import type { UserRow } from '../../../store/users'
import { createItems } from './items'

/** Fits what an app listened to in a month without a network. */
const MAX_BYTES = 4 * 1024 * 1024
/** Small, because strangers may send it. */
const MAX_OPEN_BYTES = 16 * 1024

type Target = { changes: boolean } & ({ isOpen: true; answer: OpenCall[1] } | { isOpen: false; answer: AppCall[1] })

/** Answers requests of the apps, refusals and failures included. */
export function createServe(app: Context, builtInCover: string, online: Online) {
  const find = createRouter<Target>([
    ...createOpenCalls(app, builtInCover).map(([call, answer]) =>
      routeOf(call, { isOpen: true, changes: false, answer }),
    ),
    ...createAppCalls(app, online).map(([call, answer, effect]) =>
      routeOf(call, { isOpen: false, changes: effect === 'changes', answer }),
    ),
  ])
  const identify = createIdentify(app)

  const pathOf = ({ pathname }: URL) => meantBy(pathname.slice(app.config.prefix.length))

  async function serve({ request, server }: IncomingRequest): Promise<Response> {
    const url = new URL(request.url)
    const peer = peerOf(request, server)
    const shown = {
      request,
      server,
      query: url.searchParams,
      base: serverUrlOf(request, peer, app.config),
      address: () => addressOf(request, peer, app.config),
    }
    // HEAD asks for what GET would answer.
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const path = pathOf(url)
    const preflight = answerPreflight(request, path)
    if (preflight) return preflight
    const found = find(method, path)
    // A stranger learns nothing about the addresses behind the sign-in.
    const access =
      'target' in found && found.target.isOpen ? null : await identify(shown, 'target' in found && found.target.changes)
    if (access) noteActor(access.user)
    if ('allowed' in found) throw found.allowed.length === 0 ? notFound() : notAllowed(method)
    const { target, parts } = found
    if (access && method === 'DELETE') app.room.makeRoom()
    if (target.changes && request.method === 'HEAD') throw notAllowed('HEAD')
    const body = await readBody({ request, server }, app.bodySeconds, target.isOpen ? MAX_OPEN_BYTES : MAX_BYTES)
    const open: OpenRequest = { ...shown, parts, body }
    const answer = await (target.isOpen ? target.answer(open) : target.answer({ ...open, ...access! }))
    if (answer instanceof Response) return answer
    return respondJson(request, answer instanceof WrittenJson ? answer.text : JSON.stringify(answer))
  }

  return async (incoming: IncomingRequest): Promise<Response> => {
    const response = await serve(incoming).catch((error: unknown) => answerRefusal(error, app))
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    const cors = corsHeaders(incoming.request, pathOf(new URL(incoming.request.url)))
    for (const [name, value] of Object.entries(cors ?? {})) response.headers.append(name, value)
    return response
  }
}

function routeOf(call: string, target: Target): Route<Target> {
  const [method, path] = call.split(' ') as [string, string]
  return { method, path, target }
}

const notAllowed = (method: string) => new AppRefusal(405, `Method ${method} is not allowed here`)

/** Reads JSON whatever its type is called; null for none, and for what is not JSON. */
function readBody(incoming: IncomingRequest, seconds: number, limit: number): Promise<unknown> | null {
  const { request } = incoming
  if (!request.body) return null
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  return inTime(incoming, seconds, async () => {
    const text = await readText(request, limit)
    if (text === null) throw tooLarge(limit)
    try {
      return text.trim() === '' ? null : parseJson(text)
    } catch {
      return null
    }
  })
}

const tooLarge = (limit: number) => new AppRefusal(413, `The body is too large, the limit is ${limit} bytes`)

/** Pages of the official app, which its web view loads from these origins. */
const origins = new Set(['http://localhost', 'capacitor://localhost'])
const cover = /^\/api\/items\/[^/]+\/cover\/?$/

/** The headers that let a page of the app read a cover, which anybody may see; null for other pages and addresses. */
function corsHeaders({ method, headers }: Request, path: string): Record<string, string> | null {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method) || !cover.test(path)) return null
  const origin = headers.get('origin') ?? ''
  return { Vary: 'Origin', ...(origins.has(origin) && { 'Access-Control-Allow-Origin': origin }) }
}

/** The answer to a preflight, to which the headers are added; null if there is no permission to give. */
const answerPreflight = (request: Request, path: string): Response | null =>
  request.method === 'OPTIONS' && corsHeaders(request, path)?.['Access-Control-Allow-Origin']
    ? new Response('OK', { headers: { 'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS' } })
    : null

/** Answers an error as the apps expect it. They repeat whatever ends in 5xx, and go offline after a while. */
function answerRefusal(error: unknown, logs: Pick<Context, 'log' | 'room'>): Response {
  if (error instanceof AppRefusal)
    return error.json ? Response.json(error.json, { status: error.status }) : write(error.status, error.message)
  if (error instanceof Problem) return answerProblem(error)
  // The server is stopping. An app that got a 401 now would forget its sign-in.
  if (error instanceof RangeError && error.message.includes('closed database'))
    return write(503, 'The server is stopping')
  const fault = diskFault(error)
  if (fault?.code === 'database-busy') {
    const response = write(503, fault.message)
    response.headers.set('Retry-After', String(fault.retryAfter))
    return response
  }
  logFailedRequest(logs, 'request of an app failed', error)
  if (fault) return write(503, "The server's disk cannot be written to")
  return write(500, "Something went wrong. The server's log has the details.")
}

function answerProblem({ code, message, retryAfter }: Problem): Response {
  const status = statusOf(code)
  if (status === 401) return write(401, 'Unauthorized')
  const response = write(status, status === 404 ? 'Not Found' : message)
  if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter))
  return response
}

const write = (status: number, message: string): Response =>
  new Response(message, { status, headers: { 'Content-Type': 'text/plain;charset=utf-8' } })

/** A call that apps make: `GET /api/items/:item`; parts of a path that begin with a colon stand for one segment. */
type Route<T> = { method: string; path: string; target: T }

type Found<T> = { target: T; parts: Record<string, string> }
type Pattern<T> = { method: string; segments: readonly string[]; target: T }

/**
 * Finds calls by method and path. `allowed`: the methods that the path accepts, if the requested one is not among them.
 */
function createRouter<T>(routes: readonly Route<T>[]) {
  // Most paths have the same few names in front: those behind them are few enough to be tried one by one.
  const byStart = Map.groupBy(
    routes.map(({ method, path, target }): Pattern<T> => ({ method, segments: segmentsOf(path), target })),
    ({ segments }) => startOf(segments),
  )

  return (method: string, path: string): Found<T> | { allowed: string[] } => {
    const segments = segmentsOf(path)
    const matching = (byStart.get(startOf(segments)) ?? []).filter(pattern => fits(pattern.segments, segments))
    const best = matching.find(pattern => pattern.method === method)
    if (!best) return { allowed: matching.map(pattern => pattern.method) }
    return { target: best.target, parts: partsOf(best.segments, segments) }
  }
}

const segmentsOf = (path: string) =>
  path
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
    .slice(1)
const startOf = ([first = '', second = '']: readonly string[]) => (first === 'api' ? `api/${second}` : first)

/** A fixed segment never stands for a variable one: the routes name it first. */
const fits = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))

const partsOf = (pattern: readonly string[], segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pattern.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), decodeSegment(segments[index]!)]] : [])),
  )

/** Calls that strangers may make. */
export const createOpenCalls = (app: Context, builtInCover: string): readonly OpenCall[] => [
  ...statusCalls(app),
  ...signInCalls(app),
  ...openIdCalls(app),
  ...coverCalls(app, builtInCover),
  ...trackCalls(app),
]

/** Calls of an app that is signed in. A path with a name in a place comes before one with a variable there. */
export const createAppCalls = (app: Context, online: Online = () => []): readonly AppCall[] => [
  ...userCalls(app),
  ...libraryCalls(app),
  ...shelfCalls(app),
  ...recentCalls(app),
  ...searchCalls(app),
  ...itemCalls(app),
  ...playlistCalls(app),
  ...addingCalls(app),
  ...downloadingCalls(app),
  ...playCalls(app),
  ...localCalls(app),
  ...progressCalls(app),
  ...fileCalls(app),
  ...bookmarkCalls(app),
  ...statisticsCalls(app),
  ...administrationCalls(app, online),
  ...noCalls(),
]

const MAX_PAGE = 200
/** Nobody scrolls further, and what is beyond would have to be counted off first. */
const MAX_SKIPPED = 10_000

const unfinished = {
  favouritesOnly: false,
  likedOnly: false,
  unplayedOnly: false,
  unfinishedOnly: true,
  undatedLast: true,
}

/** The newest episodes of all podcasts that the user has not finished. */
function recentCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const { timeline } = app.store

  function newest(user: UserRow, limit: number, page: number) {
    const skipped = limit * page
    if (skipped > MAX_SKIPPED) return []
    return items.withPodcasts(user, timeline.idsFor(user, unfinished, limit, skipped))
  }

  return [
    [
      'GET /api/libraries/:library/recent-episodes',
      request => {
        requireLibrary(items, request)
        const limit = Math.min(readCount(request.query, 'limit', 50) || MAX_PAGE, MAX_PAGE)
        const page = readCount(request.query, 'page', 0)
        return { episodes: newest(request.user, limit, page), limit, page }
      },
    ],
  ]
}
