// What any server of this runtime costs: the measure for ours.
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('ok') })
console.log(`address=http://127.0.0.1:${server.port}/`)
