import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { staticPlugin } from '@elysiajs/static'
import type { Context } from '../context'
import { noSuchPath } from '../problem'
import type { OpenRoutes } from './open-routes'
import { peerOf, prefixOf, type Peer } from './server-url'

const forEver = 'public, max-age=31536000, immutable'

/**
 * The prebuilt interface. Its assets carry a hash in their names and are compressed once, at the build; `index.html`
 * is never cached, and gets the path prefix in force when it is served.
 */
export async function userInterface(routes: OpenRoutes, app: Context, folder: string) {
  // Outside the executable the interface may be built anew while the server runs.
  const isBuiltIn = Bun.isStandaloneExecutable
  const read = () => (existsSync(join(folder, 'index.html')) ? readFileSync(join(folder, 'index.html'), 'utf8') : '')
  const builtIn = isBuiltIn ? preparePage(read()) : null
  const assets = await staticPlugin({
    assets: join(folder, 'assets'),
    prefix: '/ui/assets',
    alwaysStatic: isBuiltIn,
    bunFullstack: false,
    etag: false,
    silent: true,
    headers: { 'Content-Encoding': 'gzip', 'Cache-Control': forEver, 'X-Content-Type-Options': 'nosniff' },
  })
  const serve = (request: Request, peer: Peer) => {
    const { page, policy } = builtIn ?? preparePage(read())
    const prefix = prefixOf(request, peer, app.config)
    const html = page.replaceAll('="./', `="${prefix}/ui/`).replace('data-prefix=""', `data-prefix="${prefix}"`)
    return new Response(html, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
        'X-Frame-Options': 'DENY',
        'Referrer-Policy': 'same-origin',
        'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      },
    })
  }
  routes
    .use(assets)
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

const preparePage = (page: string) => ({ page, policy: policyFor(page) })

/** Scripts are our own files, and the one in the page that sets the theme before the first paint. */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${new Bun.CryptoHasher('sha256').update(code!).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`.trim(),
    "style-src 'self'",
    "img-src 'self' data: https: http:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
