import { feedOf, largeFeed } from './library'

// The hosts of the bench, in a process of their own: ten origins, so that politeness towards one is not what is
// measured.

const ORIGINS = 10
let edition = 0
let bodies = 0
let bytes = 0
const cache = new Map<string, Uint8Array>()

function bodyOf(path: string): Uint8Array | null {
  const [, kind, name] = path.split('/')
  const key = kind === 'large' || kind === 'changing' ? `${path}#${edition}` : path
  const known = cache.get(key)
  if (known) return known
  const body =
    kind === 'large'
      ? largeFeed(name!)
      : kind === 'changing'
        ? feedOf(name!, 20, 60)
        : kind === 'small'
          ? feedOf(name!, 20, 60)
          : kind === 'library'
            ? feedOf(name!, 200, 200)
            : null
  if (body === null) return null
  const encoded = new TextEncoder().encode(body)
  cache.set(key, encoded)
  return encoded
}

const servers = Array.from({ length: ORIGINS }, () =>
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/edition') return Response.json({ edition: ++edition, prepared: prepare() })
      if (pathname === '/counts') return Response.json({ bodies, bytes })
      if (pathname === '/reset') {
        bodies = 0
        bytes = 0
        return new Response('ok')
      }
      if (pathname.startsWith('/hanging/') && edition > 0) await Bun.sleep(25_000)
      const body = bodyOf(pathname.replace('/hanging/', '/small/'))
      if (!body) return new Response('', { status: 404 })
      const etag = `"${/^\/(large|changing)\//.test(pathname) ? edition : 0}"`
      if (request.headers.get('if-none-match') === etag)
        return new Response(null, { status: 304, headers: { ETag: etag } })
      bodies++
      bytes += body.byteLength
      return new Response(body as BodyInit, { headers: { ETag: etag, 'Content-Type': 'application/rss+xml' } })
    },
  }),
)

/** Makes the new edition of what was asked for before, so that the making is not measured. */
function prepare(): number {
  const paths = [...cache.keys()].filter(key => /^\/(large|changing)\//.test(key)).map(key => key.split('#')[0]!)
  for (const path of new Set(paths)) bodyOf(path)
  return paths.length
}

console.log(`origins=${servers.map(server => `http://127.0.0.1:${server.port}`).join(',')}`)
