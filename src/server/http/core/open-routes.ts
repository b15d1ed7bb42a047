import { type AnyElysia, Elysia } from 'elysia'
import type { Config } from '../../config'
import type { Context } from '../../context'
import { invalidField, noSuchPath, Problem } from '../../platform/problem'
import { jsonAnswers, commonHeaders } from './answers'
import type { Lists } from './lists'
import { ANSWER_SECONDS, discardBody, fieldOf, hasBody, MAX_BYTES_READ, requireShape, type Shape } from './body'
import { createGuard } from './guard'
import { answerProblem, databaseBusy, respond } from './problems'
import { partOf, type RequestCounts } from '../../statistics/statistics'
import { actingFor } from '../../platform/events'
import { addressOf, peerOf, serverUrlOf } from './links'
import type { Declared } from './check-answers'

/** The policy of everything that is not a page. The interface has its own, which its service worker needs too. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

type Options = {
  lists: Lists
  /** Whether a path, prefix included, accepts tokens alone and no cookie: pages of other sites gain nothing there. */
  acceptsTokensAlone: (path: string) => boolean
}

/** The server before anybody has signed in: guard, bodies and errors work the same for all routes. */
export function createOpenRoutes(context: Context, { lists, ...options }: Options) {
  const { config, bodySeconds, requestCounts } = context
  const app = createServer(config)
  declareAnswers(app)
  checkRequests(app, config, options)
  readWholeBodies(app, bodySeconds)
  waitForOtherWriters(app, context)
  countRequests(app, config, requestCounts)
  checkShapes(app)
  app.mapResponse({ as: 'global' }, jsonAnswers(lists))
  answerErrors(app, context)
  return app
}
export type OpenRoutes = ReturnType<typeof createServer>

const createServer = (config: Config) =>
  new Elysia({
    prefix: config.prefix,
    normalize: true,
    // One router for all: the server's own would be bypassed in memory, where tests send their requests.
    systemRouter: false,
    websocket: { maxPayloadLength: 1024, idleTimeout: 120 },
    serve: {
      idleTimeout: ANSWER_SECONDS,
      // With it a second instance would share the port instead of learning that it is in use.
      reusePort: false,
      maxRequestBodySize: MAX_BYTES_READ,
      ...(config.tls && { tls: { cert: Bun.file(config.tls.cert), key: Bun.file(config.tls.key) } }),
    },
  })

/** Sets the common headers, and refuses unreadable addresses and requests from other sites. */
function checkRequests(app: OpenRoutes, config: Config, { acceptsTokensAlone }: Omit<Options, 'lists'>) {
  const guard = createGuard(config)
  const api = `${config.prefix}/api/`
  const ui = `${config.prefix}/ui`
  app.onRequest(({ request, set, server }) => {
    const path = pathOf(request)
    Object.assign(set.headers, commonHeaders)
    if (!path.startsWith(ui)) set.headers['content-security-policy'] = NO_PAGE
    // The URL includes the Host header, which may be anything.
    if (!URL.canParse(request.url)) throw new Problem('bad-request', 'Invalid request URL')
    guard.requireOneHost(request)
    requireReadable(path)
    if (path.startsWith(api)) {
      set.headers['cache-control'] = 'no-store'
      // Addresses in responses carry a key unless a cookie came with the request.
      if (!config.isOpen) set.headers.vary = 'Cookie'
    }
    const serverUrl = serverUrlOf(request, peerOf(request, server), config)
    guard.requireOurHost(request, serverUrl)
    if (!acceptsTokensAlone(path)) guard.requireOurPage(request, serverUrl)
  })
}

const pathOf = ({ url }: Request) => url.slice(url.indexOf('/', 'https://'.length))

/** Throws for a path that is not UTF-8: the router would pass on the part that it cannot decode as null. */
function requireReadable(path: string) {
  if (!path.includes('%')) return
  try {
    decodeURIComponent(path.split('?', 1)[0]!)
  } catch {
    throw new Problem('bad-request', 'The request URL is not encoded as UTF-8')
  }
}

/** Reads every request body completely before the response is sent; a client that sends too much is disconnected. */
function readWholeBodies(app: OpenRoutes, bodySeconds: number) {
  const onceRead = async (request: Request, answer: Response | Promise<Response>) => {
    const response = await answer
    if (!(await discardBody({ request, server: app.server }, bodySeconds))) response.headers.set('Connection', 'close')
    return response
  }
  app.wrap(handle => (request: Request) => {
    const answer = handle(request) as unknown as Response | Promise<Response>
    return app.server && hasBody(request) ? onceRead(request, answer) : answer
  })
}

/** Counts every request by the part of the server that it is for, and lets events know on whose behalf they happen. */
function countRequests(app: OpenRoutes, config: Config, counts: RequestCounts) {
  let parts: Set<string> | null = null
  const inPart = (path: string) => partOf(path.slice(config.prefix.length))
  app.wrap(handle => (request: Request) => {
    const startedAt = performance.now()
    const count = (response: Response | undefined) => {
      parts ??= new Set(app.routes.map(route => inPart(route.path)))
      const start = request.url.indexOf('/', 'https://'.length)
      const end = request.url.indexOf('?', start)
      const part = inPart(request.url.slice(start, end === -1 ? undefined : end))
      // A request that became a socket has no response.
      const status = response?.status ?? 101
      counts.count(request.method, parts.has(part) ? part : 'other', status, performance.now() - startedAt)
      return response as Response
    }
    const address = () => addressOf(request, peerOf(request, app.server), config)
    const answer = actingFor(address, () => handle(request)) as unknown as Response | Promise<Response>
    return answer instanceof Promise ? answer.then(count) : count(answer)
  })
}

/** Holds back what changes something while another process writes, and refuses it with 503 where that takes too long. */
function waitForOtherWriters(app: OpenRoutes, { config, store, writeWaitMs }: Context) {
  const reads = new Set(['GET', 'HEAD', 'OPTIONS'])
  // Assistants read most of the time; a tool that changes something waits where it is called.
  const assistants = `${config.prefix}/mcp`
  app.wrap(handle => (request: Request) => {
    const answer = () => handle(request) as unknown as Response | Promise<Response>
    if (reads.has(request.method) || store.isWritable() || pathOf(request).startsWith(assistants)) return answer()
    return store
      .whenWritable(writeWaitMs)
      .then(isWritable => (isWritable ? answer() : respond(databaseBusy(), commonHeaders)))
  })
}

/** Refuses bodies that hold a list or a text where the route's schema expects an object; only after sign-in. */
function checkShapes(app: OpenRoutes) {
  let shapes: Map<string, Shape> | null = null
  app.onBeforeHandle({ as: 'global' }, ({ request, route }) => {
    if (request.method === 'GET') return
    shapes ??= new Map(
      app.routes.flatMap(({ method, path, hooks }) => {
        const { body } = hooks as { body?: Shape }
        return body ? [[`${method} ${path}`, body] as const] : []
      }),
    )
    const shape = shapes.get(`${request.method} ${route}`)
    if (shape) requireShape(request, shape)
  })
}

/** Answers every error in the one shape that the API has for them. */
function answerErrors(app: OpenRoutes, context: Context) {
  const { config } = context
  let calls: string[] | null = null
  /** 405 with the methods that the path accepts, 404 if it accepts none. */
  function notFoundOrMethod(method: string, path: string): Response {
    calls ??= app.routes.map(route => `${route.method} ${route.path}`)
    const allowed = methodsAt(path, calls)
    if (allowed === '' || allowed.split(', ').includes(method)) return respond(noSuchPath())
    const problem = new Problem('method-not-allowed', `Method ${method} is not allowed here, only ${allowed}`)
    return respond(problem, { Allow: allowed })
  }

  app.onError({ as: 'global' }, ({ error, code, request, path, set }) => {
    // Errors below the interface's path are no pages either.
    set.headers['content-security-policy'] = NO_PAGE
    if (code === 'NOT_FOUND') return notFoundOrMethod(request.method, path)
    if (code === 'VALIDATION')
      return respond(invalidField(fieldOf(error.valueError?.path), error.valueError?.message ?? 'invalid'))
    const cause = error instanceof Error && error.cause instanceof Problem ? error.cause : error
    if (code === 'PARSE' && !(cause instanceof Problem))
      return respond(new Problem('bad-request', 'The body is not valid JSON'))
    const response = answerProblem(cause, context)
    // It makes a podcast app ask for a password; elsewhere a browser would cover our page with its own dialog.
    if (response.status === 401 && path.startsWith(`${config.prefix}/rss`))
      response.headers.set('WWW-Authenticate', 'Basic realm="Castellan", charset="UTF-8"')
    return response
  })
}

type Hook = { response?: Declared }
type Register = (path: string, handler: unknown, hook?: Hook) => unknown

/**
 * Keeps the schemas of answers from Elysia, which would check and copy every answer: see docs/internals/decisions/0024.
 * The document of the API reads them as `declared`. Everywhere but in the executable, an answer that differs from its
 * schema fails.
 */
function declareAnswers(app: AnyElysia) {
  const methods = app as unknown as Record<string, Register>
  for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head']) {
    const register = methods[method]!.bind(app)
    methods[method] = (path, handler, { response, ...hook }: Hook = {}) =>
      register(path, handler, response === undefined ? hook : ({ ...hook, declared: response } as Hook))
  }
  // The bundler leaves the check out.
  if (process.env.NODE_ENV === 'production') return
  const { createAnswerCheck } = require('./check-answers') as typeof import('./check-answers')
  const check = createAnswerCheck(app)
  app.onAfterHandle({ as: 'global' }, ({ request, route, set, responseValue }) =>
    check(`${request.method} ${route}`, Number(set.status ?? 200), responseValue),
  )
}

const known = ['GET', 'POST', 'PUT', 'DELETE']

/** The methods that a path accepts, written as in an `Allow` header; '' if none. `calls` are like `GET /tags/:id`. */
export function methodsAt(path: string, calls: Iterable<string>): string {
  const found = new Set<string>()
  for (const call of calls) {
    const { method, pattern } = readCall(call)
    if (pattern !== null && !found.has(method) && pattern.test(path)) found.add(method)
  }
  return known
    .filter(method => found.has(method))
    .map(method => (method === 'GET' ? 'GET, HEAD' : method))
    .join(', ')
}

type ReadCall = { method: string; pattern: RegExp | null }
const readCalls = new Map<string, ReadCall>()

/** The method of a call, and what matches its paths: `:id` stands for one segment, `*` for the rest. */
function readCall(call: string): ReadCall {
  const before = readCalls.get(call)
  if (before) return before
  const [method, route] = call.split(' ') as [string, string]
  const pattern = route
    .replace(/\/$/, '')
    .replace(/:[^/]+/g, '[^/]+')
    .replace(/\*$/, '.*')
  const read = { method, pattern: known.includes(method) ? new RegExp(`^${pattern}/?$`) : null }
  readCalls.set(call, read)
  return read
}
