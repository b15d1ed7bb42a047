import { rss, silentMp3 } from '../../test/support/builders'
import { serveBytes } from '../../test/support/feed-host'
import { feedOf, growingFeed, largeFeed, naturalFeed } from './library'

// The hosts of the bench, in a process of their own: ten origins, so that politeness towards one is not what is
// measured.

const ORIGINS = 10
let edition = 0
/** The name by which others reach this machine. */
const name = process.argv[2] ?? '127.0.0.1'
let answers = 0
let bodies = 0
let bytes = 0
const hasEditions = /^\/(large|changing|growing)\//
const cache = new Map<string, Uint8Array>()

const kinds: Record<string, (name: string, episodes: number) => string> = {
  large: name => largeFeed(name),
  changing: name => feedOf(name, 20, 60),
  small: name => feedOf(name, 20, 60),
  library: name => feedOf(name, 200, 200),
  natural: naturalFeed,
  growing: (name, episodes) => growingFeed(name, episodes, edition),
  media: title => rss({ title, items: [{ guid: title, enclosure: `http://${name}:${servers[0]!.port}/large.mp3` }] }),
}

const mp3: { bytes?: Uint8Array } = {}
/** An hour of silence, 64 MB. */
const sound = () => (mp3.bytes ??= silentMp3(4000))

function bodyOf(path: string): Uint8Array | null {
  const [, kind = '', title = '', episodes] = path.split('/')
  const key = hasEditions.test(path) ? `${path}#${edition}` : path
  const known = cache.get(key)
  if (known) return known
  const body = kinds[kind]?.(title, Number(episodes))
  if (body === undefined) return null
  const encoded = new TextEncoder().encode(body)
  cache.set(key, encoded)
  return encoded
}

const servers = Array.from({ length: ORIGINS }, () =>
  Bun.serve({
    hostname: name === '127.0.0.1' ? name : '0.0.0.0',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/edition') return Response.json({ edition: ++edition, prepared: prepare() })
      if (pathname === '/counts') return Response.json({ answers, bodies, bytes })
      if (pathname === '/reset') {
        answers = 0
        bodies = 0
        bytes = 0
        return new Response('ok')
      }
      if (pathname.startsWith('/hanging/') && edition > 0) await Bun.sleep(25_000)
      if (pathname === '/large.mp3') return serveBytes(request, sound(), 'audio/mpeg', '"sound"')
      const body = bodyOf(pathname.replace('/hanging/', '/small/'))
      if (!body) return new Response('', { status: 404 })
      answers++
      const etag = `"${hasEditions.test(pathname) ? edition : 0}"`
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
  const paths = [...cache.keys()].filter(key => hasEditions.test(key)).map(key => key.split('#')[0]!)
  for (const path of new Set(paths)) bodyOf(path)
  return paths.length
}

console.log(`origins=${servers.map(server => `http://${name}:${server.port}`).join(',')}`)
