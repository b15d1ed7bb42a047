// A server that does nothing: the cost of the runtime, with which ours is compared.
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('ok') })
console.log(`address=http://127.0.0.1:${server.port}/`)
