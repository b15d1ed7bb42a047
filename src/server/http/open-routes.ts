import { Elysia } from 'elysia'
import type { Context } from '../context'
import { invalidField, noSuchPath, Problem } from '../problem'
import { readJson } from './body'
import { isForApps } from './gpodder/paths'
import { createGuard } from './guard'
import { answerProblem, respond } from './problems'
import { peerOf, serverUrlOf } from './server-url'

/** The body of a podcast app: its call reads it, once it is known who asks. */
const unread = {}

const MAX_BODY = 16 * 1024 * 1024

/** The server before anybody is known: guard, bodies and errors are the same for all routes. */
export function createOpenRoutes({ config, log }: Context) {
  const guard = createGuard(config)
  const api = `${config.prefix}/api/`
  const app = new Elysia({
    prefix: config.prefix,
    normalize: true,
    // One router, the same on a port as in memory, where the tests are.
    systemRouter: false,
    websocket: { maxPayloadLength: 1024, idleTimeout: 120 },
    serve: {
      idleTimeout: 255,
      // Otherwise a second instance would share the port instead of being told that it is in use.
      reusePort: false,
      maxRequestBodySize: MAX_BODY,
      ...(config.tls && { tls: { cert: Bun.file(config.tls.cert), key: Bun.file(config.tls.key) } }),
    },
  })
    .onRequest(({ request, set, server }) => {
      set.headers['x-content-type-options'] = 'nosniff'
      if (request.url.includes(api)) {
        set.headers['cache-control'] = 'no-store'
        // Addresses in answers carry a key unless the cookie does.
        if (!config.isOpen) set.headers.vary = 'Cookie'
      }
      // The Host is part of it, and may be anything.
      if (!URL.canParse(request.url)) throw new Problem('bad-request', 'The address of the request is none')
      guard(request, serverUrlOf(request, peerOf(request, server), config))
    })
    .onParse({ as: 'global' }, ({ request, path }) =>
      isForApps(path, config.prefix) ? (unread as never) : (readJson(request) as Promise<never>),
    )

  /** The path exists under other methods: 405 names them. */
  function notFoundOrMethod(method: string, path: string): Response {
    const others = new Set(app.routes.filter(route => fits(route.path, path)).map(route => route.method))
    others.delete(method)
    const allowed = [...others].filter(other => /^(GET|POST|PUT|DELETE)$/.test(other)).join(', ')
    if (allowed === '') return respond(noSuchPath())
    return respond(new Problem('method-not-allowed', `This address takes ${allowed}`), { Allow: allowed })
  }

  return app.onError({ as: 'global' }, ({ error, code, request, path }) => {
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

/** Whether a path is one of a route's: `:id` stands for one segment, `*` for the rest. */
const fits = (route: string, path: string) =>
  new RegExp(
    `^${route
      .replace(/\/$/, '')
      .replace(/:[^/]+/g, '[^/]+')
      .replace(/\*$/, '.*')}/?$`,
  ).test(path)

/** `/items/3/episode` as `items[3].episode`. */
const fieldOf = (path: string | undefined) =>
  (path ?? '')
    .split('/')
    .filter(Boolean)
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('') || 'body'
