import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { staticPlugin } from '@elysiajs/static'
import type { Context } from '../../context'
import { noSuchPath } from '../../platform/problem'
import type { OpenRoutes } from './open-routes'
import { peerOf, prefixOf, type Peer } from './server-url'

const forEver = 'public, max-age=31536000, immutable'

const types: Record<string, string> = {
  css: 'text/css;charset=utf-8',
  js: 'text/javascript;charset=utf-8',
  json: 'application/json',
}

/**
 * The prebuilt interface. Its assets carry a hash in their names and are compressed twice, at the build; `index.html`
 * is never cached, and gets the path prefix in force when it is served.
 */
export async function userInterface(routes: OpenRoutes, app: Context, folder: string) {
  // Outside the executable the interface may be built anew while the server runs.
  const isBuiltIn = Bun.isStandaloneExecutable
  const read = () => (existsSync(join(folder, 'index.html')) ? readFileSync(join(folder, 'index.html'), 'utf8') : '')
  const builtIn = isBuiltIn ? preparePage(read()) : null
  // What is known of the OpenID provider is asked for now, and put into the policy of every page.
  app.signIn.providerOrigins()
  // The manifest, the icons and the service worker.
  const publicFiles = await staticPlugin({
    assets: join(folder, 'public'),
    prefix: '/ui/public',
    alwaysStatic: isBuiltIn,
    bunFullstack: false,
    silent: true,
    // The service worker stands beside the pages that it is for, not above them.
    headers: { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', 'Service-Worker-Allowed': '/' },
  })
  const serveAsset = async (request: Request, name: string) => {
    const type = types[/^[\w-]{1,100}\.(\w+)$/.exec(name)?.[1] ?? '']
    if (!type) throw noSuchPath()
    const takesBrotli = /\bbr\b/.test(request.headers.get('accept-encoding') ?? '')
    const file = Bun.file(join(folder, 'assets', takesBrotli ? `${name}.br` : name))
    if (!(await file.exists())) throw noSuchPath()
    return new Response(file, {
      headers: {
        'Content-Type': type,
        'Content-Encoding': takesBrotli ? 'br' : 'gzip',
        Vary: 'Accept-Encoding',
        'Cache-Control': forEver,
        'X-Content-Type-Options': 'nosniff',
      },
    })
  }
  const serve = (request: Request, peer: Peer) => {
    const { page, scriptHashes } = builtIn ?? preparePage(read())
    // The provider answers a silent renewal in a frame of our own page.
    const isRenewal = app.config.oidc !== null && new URL(request.url).searchParams.has('state')
    const prefix = prefixOf(request, peer, app.config)
    const html = page.replaceAll('="./', `="${prefix}/ui/`).replace('data-prefix=""', `data-prefix="${prefix}"`)
    return new Response(html, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
        'Content-Security-Policy': policyFor(scriptHashes, app.signIn.providerOrigins(), isRenewal),
        'X-Frame-Options': isRenewal ? 'SAMEORIGIN' : 'DENY',
      },
    })
  }
  routes
    .use(publicFiles)
    .get('/ui/assets/:name', ({ request, params }) => serveAsset(request, params.name))
    .get('/', ({ request, server, redirect }) =>
      redirect(`${prefixOf(request, peerOf(request, server), app.config)}/ui/`, 302),
    )
    .get('/ui', ({ request, server }) => serve(request, peerOf(request, server)))
    .get('/ui/', ({ request, server }) => serve(request, peerOf(request, server)))
    .get('/ui/*', ({ request, server, params }) => {
      // Whatever ends like a file is one that an old tab still asks for after an update.
      if (/\.\w+$/.test(params['*'])) throw noSuchPath()
      return serve(request, peerOf(request, server))
    })
}

/** The scripts within the page, by their hashes. */
const preparePage = (page: string) => ({
  page,
  scriptHashes: [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${new Bun.CryptoHasher('sha256').update(code!).digest('base64')}'`,
  ),
})

/** Scripts are our own files, and the one in the page that sets the theme before the first paint. */
function policyFor(scriptHashes: readonly string[], providers: readonly string[], isRenewal: boolean): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes].join(' '),
    "style-src 'self'",
    "img-src 'self' data: https: http:",
    "media-src 'self' blob:",
    ["connect-src 'self'", ...providers].join(' '),
    ...(providers.length > 0 ? [["frame-src 'self'", ...providers].join(' ')] : []),
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${isRenewal ? "'self'" : "'none'"}`,
  ].join('; ')
}
