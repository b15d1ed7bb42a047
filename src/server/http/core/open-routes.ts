import { Elysia } from 'elysia'
import type { Context } from '../../context'
import { invalidField, noSuchPath, Problem } from '../../platform/problem'
import { ANSWER_SECONDS, discardBody, fieldOf, hasBody, MOST_READ, requireShape } from './body'
import type { Shape } from './shape'
import { createGuard } from './guard'
import { methodsAt } from './methods'
import { answerProblem, respond } from './problems'
import { peerOf, serverUrlOf } from './server-url'

/** On every answer; one that needs another says so itself. */
const onAll = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}
/** What is no page of ours is no page at all. The interface has a policy of its own, which its service worker lives by. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

/** The server before anybody is known: guard, bodies and errors are the same for all routes. */
export function createOpenRoutes({ config, log, bodySeconds }: Context) {
  const guard = createGuard(config)
  const api = `${config.prefix}/api/`
  const ui = `${config.prefix}/ui`
  const app = new Elysia({
    prefix: config.prefix,
    normalize: true,
    // One router, the same on a port as in memory, where the tests are.
    systemRouter: false,
    websocket: { maxPayloadLength: 1024, idleTimeout: 120 },
    serve: {
      idleTimeout: ANSWER_SECONDS,
      // Otherwise a second instance would share the port instead of being told that it is in use.
      reusePort: false,
      maxRequestBodySize: MOST_READ,
      ...(config.tls && { tls: { cert: Bun.file(config.tls.cert), key: Bun.file(config.tls.key) } }),
    },
  }).onRequest(({ request, set, server }) => {
    const path = request.url.slice(request.url.indexOf('/', 'https://'.length))
    Object.assign(set.headers, onAll)
    if (!path.startsWith(ui)) set.headers['content-security-policy'] = NO_PAGE
    // The Host is part of it, and may be anything.
    if (!URL.canParse(request.url)) throw new Problem('bad-request', 'The address of the request is none')
    requireReadable(path)
    if (path.startsWith(api)) {
      set.headers['cache-control'] = 'no-store'
      // Addresses in answers carry a key unless the cookie does.
      if (!config.isOpen) set.headers.vary = 'Cookie'
    }
    guard(request, serverUrlOf(request, peerOf(request, server), config))
  })

  /** Whatever the answer, its client has said all by then, or is cut off. */
  const onceRead = async (request: Request, answer: Response | Promise<Response>) => {
    const response = await answer
    if (!(await discardBody({ request, server: app.server }, bodySeconds))) response.headers.set('Connection', 'close')
    return response
  }
  app.wrap(handle => (request: Request) => {
    const answer = handle(request) as unknown as Response | Promise<Response>
    return app.server && hasBody(request) ? onceRead(request, answer) : answer
  })

  let shapes: Map<string, Shape> | null = null
  // Once it is known who asks, and that they may.
  app.onBeforeHandle({ as: 'global' }, ({ request, route }) => {
    shapes ??= new Map(
      app.routes.flatMap(({ method, path, hooks }) => {
        const { body } = hooks as { body?: Shape }
        return body ? [[`${method} ${path}`, body] as const] : []
      }),
    )
    const shape = shapes.get(`${request.method} ${route}`)
    if (shape) requireShape(request, shape)
  })

  let calls: string[] | null = null
  /** The path exists under other methods: 405 names them. */
  function notFoundOrMethod(method: string, path: string): Response {
    calls ??= app.routes.map(route => `${route.method} ${route.path}`)
    const allowed = methodsAt(path, calls)
    if (allowed === '' || allowed.split(', ').includes(method)) return respond(noSuchPath())
    return respond(new Problem('method-not-allowed', `This address takes ${allowed}`), { Allow: allowed })
  }

  return app.onError({ as: 'global' }, ({ error, code, request, path, set }) => {
    // Below the interface as well.
    set.headers['content-security-policy'] = NO_PAGE
    if (code === 'NOT_FOUND') return notFoundOrMethod(request.method, path)
    if (code === 'VALIDATION')
      return respond(invalidField(fieldOf(error.valueError?.path), error.valueError?.message ?? 'invalid'))
    const cause = error instanceof Error && error.cause instanceof Problem ? error.cause : error
    if (code === 'PARSE' && !(cause instanceof Problem))
      return respond(new Problem('bad-request', 'The body is no readable JSON'))
    const response = answerProblem(cause, log)
    // A podcast app asks its user then; a browser would open a dialog over our own.
    if (response.status === 401 && path.startsWith(`${config.prefix}/rss`))
      response.headers.set('WWW-Authenticate', 'Basic realm="Castellan", charset="UTF-8"')
    return response
  })
}
export type OpenRoutes = ReturnType<typeof createOpenRoutes>

/** The router would hand over a part of the path that it cannot decode as null. */
function requireReadable(path: string) {
  if (!path.includes('%')) return
  try {
    decodeURIComponent(path.split('?', 1)[0]!)
  } catch {
    throw new Problem('bad-request', 'The address is not encoded as UTF-8')
  }
}
