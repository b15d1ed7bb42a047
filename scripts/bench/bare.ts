// A server that does nothing, or sends ranges of one file and nothing else: the cost of the runtime, with which ours is
// compared.
const { MEDIA_FILE } = process.env

function answer(request: Request): Response {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
  if (!MEDIA_FILE) return new Response('ok')
  const file = Bun.file(MEDIA_FILE)
  return from && to ? new Response(file.slice(Number(from), Number(to) + 1), { status: 206 }) : new Response(file)
}

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
console.log(`address=http://127.0.0.1:${server.port}/`)
