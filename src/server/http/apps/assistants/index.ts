import type { Context } from '../../../context'
import type { OpenRoutes } from '../../core/open-routes'

// Why: docs/internals/decisions/0008

/**
 * Tools for assistants, by the Model Context Protocol (https://modelcontextprotocol.io): its streamable HTTP without
 * sessions and streams, so each message is a `POST` with one JSON answer, and `GET` and `DELETE` are answered with 405.
 */
export function assistants(routes: OpenRoutes, app: Context) {
  type Serve = ReturnType<(typeof import('./serve'))['createServe']>
  let serve: Serve | null = null
  routes.post(
    '/mcp',
    async ({ request, server }) => {
      // Few people have an assistant.
      serve ??= (await import('./serve')).createServe(app)
      return serve({ request, server })
    },
    // The body stays unread until the caller is known.
    { parse: 'none' },
  )
}
