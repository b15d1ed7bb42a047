import { Elysia } from 'elysia'
import type { Context } from './context'
import { readJson } from './http/body'
import { builtInCoverIn, covers } from './http/covers'
import { downloads } from './http/downloads'
import { episodes } from './http/episodes'
import { createGuard } from './http/guard'
import { userInterface } from './http/interface'
import { playback } from './http/playback'
import { podcasts } from './http/podcasts'
import { answerProblem, respond } from './http/problems'
import { peerOf, serverUrlOf } from './http/server-url'
import { socket } from './http/socket'
import { stream } from './http/stream'
import { system } from './http/system'
import { timeline } from './http/timeline'
import { invalidField, noSuchPath, Problem } from './problem'

export type App = Awaited<ReturnType<typeof createApp>>

/** The route table. Every answer of the API is `no-store`; every error has one shape. */
export async function createApp(context: Context, uiFolder: string) {
  const { config, log } = context
  const guard = createGuard(config)

  const api = new Elysia({ prefix: '/api/v1' })
    .onAfterHandle(({ set }) => {
      set.headers['cache-control'] = 'no-store'
    })
    .use(system(context))
    .use(timeline(context))
    .use(playback(context))
    .use(episodes(context))
    .use(podcasts(context))
    .use(downloads(context))

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
      maxRequestBodySize: 16 * 1024 * 1024,
      ...(config.tls && { tls: { cert: Bun.file(config.tls.cert), key: Bun.file(config.tls.key) } }),
    },
  })
    .onRequest(({ request, set, server }) => {
      set.headers['x-content-type-options'] = 'nosniff'
      guard(request, serverUrlOf(request, peerOf(request, server), config))
    })
    .onParse({ as: 'global' }, ({ request }) => readJson(request) as Promise<never>)
    .onError({ as: 'global' }, ({ error, code, request, path }) => {
      if (code === 'NOT_FOUND') return notFoundOrMethod(request.method, path)
      if (code === 'VALIDATION')
        return respond(invalidField(fieldOf(error.valueError?.path), error.valueError?.message ?? 'invalid'))
      const cause = error instanceof Error && error.cause instanceof Problem ? error.cause : error
      if (code === 'PARSE' && !(cause instanceof Problem))
        return respond(new Problem('bad-request', 'The body is no readable JSON'))
      return answerProblem(cause, log)
    })
    .get(
      '/healthz',
      () => new Response('ok', { headers: { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' } }),
    )
    .use(api)
    .use(stream(context))
    .use(covers(context, builtInCoverIn(uiFolder)))
    .use(socket(context))
    .use(await userInterface(context, uiFolder))

  /** The path exists under other methods: 405 names them. */
  function notFoundOrMethod(method: string, path: string): Response {
    const others = new Set(app.routes.filter(route => fits(route.path, path)).map(route => route.method))
    others.delete(method)
    const allowed = [...others].filter(other => /^(GET|POST|PUT|DELETE)$/.test(other)).join(', ')
    if (allowed === '') return respond(noSuchPath())
    return respond(new Problem('method-not-allowed', `This address takes ${allowed}`), { Allow: allowed })
  }
  return app
}

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
