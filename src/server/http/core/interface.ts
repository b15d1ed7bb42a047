import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { staticPlugin } from '@elysiajs/static'
import type { Config } from '../../config'
import type { Context } from '../../context'
import { noSuchPath } from '../../platform/problem'
import type { OpenRoutes } from './open-routes'
import { type Peer, peerOf, prefixOf } from './links'

const FOR_EVER = 'public, max-age=31536000, immutable'

const types: Record<string, string> = {
  css: 'text/css;charset=utf-8',
  js: 'text/javascript;charset=utf-8',
  json: 'application/json',
}

/**
 * Serves the prebuilt interface. Names of assets carry a hash, and the build compresses each twice; `index.html` is
 * never cached, and is served with the path prefix in force.
 */
export async function userInterface(routes: OpenRoutes, app: Context, folder: string) {
  const servePage = createPages(app, folder)
  // Asks the OpenID provider for its addresses now, because the policy of every page names them.
  app.signIn.providerOrigins()
  leadToPages(routes, app.config)
  routes
    .use(await publicFiles(folder))
    .get('/ui/assets/:name', ({ request, params }) => serveAsset(folder, request, params.name))
    .get('/', ({ request, server, redirect }) =>
      redirect(`${prefixOf(request, peerOf(request, server), app.config)}/ui/`, 302),
    )
    .get('/ui', ({ request, server }) => servePage(request, peerOf(request, server)))
    .get('/ui/', ({ request, server }) => servePage(request, peerOf(request, server)))
    .get('/ui/*', ({ request, server, params }) => {
      // After an update an old tab still asks for files of its version; a page in their place would confuse it.
      if (/\.\w+$/.test(params['*'])) throw noSuchPath()
      return servePage(request, peerOf(request, server))
    })
}

/**
 * Leads a browser that opens `/login` or `/invite/{id}` to the page below `/ui`. Anything else that asks there is a
 * program: foreign apps sign in at the first.
 */
function leadToPages(routes: OpenRoutes, config: Config) {
  routes.onRequest(({ request, server }) => {
    const start = request.url.indexOf('/', 'https://'.length) + config.prefix.length
    if (!request.url.startsWith('/login', start) && !request.url.startsWith('/invite/', start)) return
    if (request.method !== 'GET' || !isNavigation(request)) return
    const { pathname, search } = new URL(request.url)
    const [page] = /^\/(login|invite\/[^/]+)(?=\/?$)/.exec(pathname.slice(config.prefix.length)) ?? []
    if (page === undefined) return
    const Location = `${prefixOf(request, peerOf(request, server), config)}/ui${page}${search}`
    return new Response(null, { status: 302, headers: { Location, Vary: 'Accept' } })
  })
}

/** Whether a browser asks for a page, and not a program or a script for data. */
const isNavigation = ({ headers }: Request) =>
  (headers.get('accept') ?? '').includes('text/html') && (headers.get('sec-fetch-mode') ?? 'navigate') === 'navigate'

/** Manifest, icons and service worker. */
const publicFiles = (folder: string) =>
  staticPlugin({
    assets: join(folder, 'public'),
    prefix: '/ui/public',
    alwaysStatic: Bun.isStandaloneExecutable,
    bunFullstack: false,
    silent: true,
    // The service worker serves pages outside its own folder.
    headers: { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', 'Service-Worker-Allowed': '/' },
  })

/** Serves an asset of the interface, compressed as the caller accepts it. */
export async function serveAsset(folder: string, request: Request, name: string): Promise<Response> {
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
      'Cache-Control': FOR_EVER,
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/**
 * Serves `index.html`. The executable contains it; otherwise it is read again, as a build may replace it in the
 * meantime.
 */
function createPages({ config, signIn }: Context, folder: string) {
  const read = () => readPage(folder)
  // A page that is open under another address hands media of this one to speakers and televisions.
  const media = config.serverUrl ? [new URL(config.serverUrl).origin] : []
  const redirects = config.bucket?.redirect === true
  if (redirects) media.push(new URL(config.bucket.endpoint).origin)
  const builtIn = Bun.isStandaloneExecutable ? preparePage(read()) : null
  return (request: Request, peer: Peer) => {
    const { page, scriptHashes } = builtIn ?? preparePage(read())
    // The provider answers a silent renewal in a frame within our own page.
    const isRenewal = config.oidc !== null && new URL(request.url).searchParams.has('state')
    const prefix = prefixOf(request, peer, config)
    const html = page
      .replaceAll('="./', `="${prefix}/ui/`)
      .replace('data-prefix=""', `data-prefix="${prefix}"`)
      .replace('data-redirects=""', `data-redirects="${redirects}"`)
    return new Response(html, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
        'Content-Security-Policy': policyFor({ scriptHashes, providers: signIn.providerOrigins(), media }, isRenewal),
        'X-Frame-Options': isRenewal ? 'SAMEORIGIN' : 'DENY',
      },
    })
  }
}

const readPage = (folder: string) =>
  existsSync(join(folder, 'index.html')) ? readFileSync(join(folder, 'index.html'), 'utf8') : ''

/** Serves the page before the setup: its addresses are relative, as nobody knows yet what a proxy does to the path. */
export function serveSetupPage(folder: string): Response {
  const { page, scriptHashes } = preparePage(readPage(folder))
  return new Response(page.replace('data-prefix=""', 'data-prefix="auto"'), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policyFor({ scriptHashes, providers: [], media: [] }, false),
    },
  })
}

/** A page with the hashes of its inline scripts. */
const preparePage = (page: string) => ({
  page,
  scriptHashes: [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${new Bun.CryptoHasher('sha256').update(code!).digest('base64')}'`,
  ),
})

type Origins = { scriptHashes: readonly string[]; providers: readonly string[]; media: readonly string[] }

/** The policy of the interface. Scripts are our own files and the inline one that sets the theme before first paint. */
function policyFor({ scriptHashes, providers, media }: Origins, isRenewal: boolean): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes].join(' '),
    "style-src 'self'",
    "img-src 'self' data: https: http:",
    ["media-src 'self' blob:", ...media].join(' '),
    "connect-src 'self'",
    ...(providers.length > 0 ? [["frame-src 'self'", ...providers].join(' ')] : []),
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${isRenewal ? "'self'" : "'none'"}`,
  ].join('; ')
}
