import type { Context } from '../../context'
import type { OpenRoutes } from '../core/open-routes'
import { join } from 'node:path'
import { noSuchPath } from '../../platform/problem'
import type { Description } from './describe'

/** Serves the description of the API, as a page and as an OpenAPI document. Its code is loaded at the first request. */
export function apiDocs(routes: OpenRoutes, { config }: Context) {
  let described: Description | null = null
  // Once: it takes as long as a hundred other requests, and strangers may ask for it.
  const describe = async () => (described ??= (await import('./describe')).describeApi(routes.routes, config.prefix))
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

const helpTypes: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
}

const helpPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the documents of this version, without sign-in: they help people who cannot sign in. */
export function help(routes: OpenRoutes, folder: string) {
  const serve = async (name: string) => {
    const type = helpTypes[/^[a-z-]{1,60}\.(\w+)$/.exec(name)?.[1] ?? '']
    // Names of other forms are no names of files: Bun throws for some.
    if (!type) throw noSuchPath()
    const file = Bun.file(join(folder, `${name}.gz`))
    if (!(await file.exists())) throw noSuchPath()
    const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip', 'Cache-Control': 'no-cache' }
    return new Response(file, { headers: { ...headers, 'Content-Security-Policy': helpPolicy } })
  }
  // Relative, whatever path a proxy adds.
  const lead = ({ url }: Request) => {
    const Location = `${new URL(url).pathname.endsWith('/') ? '' : 'help/'}first-evening.html`
    return new Response(null, { status: 302, headers: { Location } })
  }
  routes
    .get('/help', ({ request }) => lead(request))
    .get('/help/', ({ request }) => lead(request))
    .get('/help/:name', ({ params }) => serve(params.name))
}
