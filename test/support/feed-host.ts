import type { Server } from 'bun'

type Answer = Response | Promise<Response>
export type Handler = (request: Request, url: URL) => Answer

export type FeedHost = ReturnType<typeof startFeedHost>

/** A real web server on a loopback port, as podcast hosts are: it remembers what it was asked. `tls`: by https alone. */
export function startFeedHost(hostname = '127.0.0.1', tls: { cert: string; key: string } | null = null) {
  const routes = new Map<string, Handler>()
  const requests: { path: string; headers: Headers; status: number; sentBytes: number }[] = []
  const server: Server<undefined> = Bun.serve({
    hostname,
    port: 0,
    idleTimeout: 0,
    ...(tls && { tls }),
    async fetch(request) {
      const url = new URL(request.url)
      const handler = routes.get(url.pathname)
      const response = handler ? await handler(request, url) : new Response('nothing here', { status: 404 })
      const sentBytes = Number(response.headers.get('content-length') ?? 0)
      requests.push({ path: url.pathname, headers: request.headers, status: response.status, sentBytes })
      return response
    },
  })
  const origin = `${tls ? 'https' : 'http'}://${hostname}:${server.port}`

  return {
    origin,
    requests,
    requestsTo: (path: string) => requests.filter(request => request.path === path),
    /** Answers a path as `handler` says, from now on. */
    on(path: string, handler: Handler) {
      routes.set(path, handler)
      return `${origin}${path}`
    },
    /** A feed with validators: asked again with them, it answers 304. */
    feed(path: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
      const etag = `"${Bun.hash(body).toString(36)}"`
      routes.set(path, request =>
        request.headers.get('if-none-match') === etag
          ? new Response(null, { status: 304, headers: { ETag: etag } })
          : new Response(body as BodyInit, {
              headers: { ETag: etag, 'Content-Type': 'application/rss+xml', ...headers },
            }),
      )
      return `${origin}${path}`
    },
    /** A file that honours Range and If-Range. */
    file(path: string, bytes: Uint8Array, { type = 'audio/mpeg', etag = `"${Bun.hash(bytes).toString(36)}"` } = {}) {
      routes.set(path, request => serveBytes(request, bytes, type, etag))
      return `${origin}${path}`
    },
    stop: () => server.stop(true),
    [Symbol.dispose]: () => void server.stop(true),
  }
}

export function serveBytes(request: Request, bytes: Uint8Array, type: string, etag: string | null): Response {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '')
  const ifRange = request.headers.get('if-range')
  const headers = { 'Content-Type': type, 'Accept-Ranges': 'bytes', ...(etag && { ETag: etag }) }
  if (!range || (ifRange && ifRange !== etag))
    return new Response(bytes as BodyInit, { headers: { ...headers, 'Content-Length': String(bytes.byteLength) } })
  const from = Number(range[1])
  const to = range[2] ? Math.min(Number(range[2]), bytes.byteLength - 1) : bytes.byteLength - 1
  if (from >= bytes.byteLength)
    return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${bytes.byteLength}` } })
  return new Response(bytes.slice(from, to + 1) as BodyInit, {
    status: 206,
    headers: {
      ...headers,
      'Content-Range': `bytes ${from}-${to}/${bytes.byteLength}`,
      'Content-Length': String(to - from + 1),
    },
  })
}
