import type { Context } from '../../context'
import type { OpenRoutes } from '../core/open-routes'

/** Serves the description of the API, as a page and as an OpenAPI document. Its code is loaded at the first request. */
export function apiDocs(routes: OpenRoutes, { config }: Context) {
  const describe = async () => (await import('./describe')).describeApi(routes.routes, config.prefix)
  routes
    .get('/api-docs', async () => {
      const { policy, writePage } = await import('./page')
      return new Response(writePage(await describe()), {
        headers: {
          'Content-Type': 'text/html;charset=utf-8',
          'Content-Security-Policy': policy,
          'Referrer-Policy': 'no-referrer',
        },
      })
    })
    .get('/api-docs/openapi.json', async () => Response.json(await describe()))
}
