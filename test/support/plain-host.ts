import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Options = {
  /** Whether it says how long the file is. */
  saysLength?: boolean
  /** Bytes after which it waits until `release` is called; null = it sends everything at once. */
  holdsAt?: number | null
  type?: string
}

/**
 * A host of one file that answers every request with the whole file from its start, as some do. `Bun.serve` would leave
 * the length of a streamed body out.
 */
export async function startPlainHost(
  bytes: Uint8Array,
  { saysLength = true, holdsAt = null, type = 'audio/mpeg' }: Options = {},
) {
  let requests = 0
  let held = Promise.withResolvers<void>()
  const responses = new Set<ServerResponse>()
  const server = createServer(async (_, response) => {
    requests++
    responses.add(response)
    response.writeHead(200, { 'Content-Type': type, ...(saysLength && { 'Content-Length': bytes.byteLength }) })
    if (holdsAt !== null) {
      response.write(bytes.subarray(0, holdsAt))
      await held.promise
    }
    response.end(bytes.subarray(holdsAt ?? 0))
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/plain.mp3`,
    requests: () => requests,
    /** Sends the rest. */
    release: () => held.resolve(),
    /** Breaks off what it is sending, and holds the next answer again. */
    breakOff() {
      for (const response of responses) response.destroy()
      responses.clear()
      held = Promise.withResolvers()
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
