import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const CHUNK = 64 * 1024

/**
 * A host of one file, sent at a pace, with its length, Range and If-Range as good hosts have them. `Bun.serve` would
 * leave the length of a streamed body out. `pauseMs` is asked before every 64 KB.
 */
export async function startSlowHost(bytes: Uint8Array, pauseMs: () => number) {
  let requests = 0
  const server = createServer(async (request, response) => {
    requests++
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(from > 0 ? 206 : 200, {
      'Content-Type': 'audio/mpeg',
      'Content-Length': bytes.byteLength - from,
      ETag: '"slow"',
      ...(from > 0 && { 'Content-Range': `bytes ${from}-${bytes.byteLength - 1}/${bytes.byteLength}` }),
    })
    for (let at = from; at < bytes.byteLength && !response.destroyed; at += CHUNK) {
      response.write(bytes.subarray(at, at + CHUNK))
      const pause = pauseMs()
      if (pause > 0) await Bun.sleep(pause)
    }
    response.end()
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/slow.mp3`,
    requests: () => requests,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
