import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'

/**
 * Fetches one hop from hosts that close the connection before the body is whole. The runtime's own `fetch` then drops
 * the bytes that it had received; here every byte is handed on before the body fails. `path`: the whole address that a
 * proxy is asked for, when `target` is one.
 */
export function fetchPatiently(target: URL, init: RequestInit, serverName: string, path?: string): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = target.protocol === 'https:' ? requestSecure : requestPlain
  const { signal } = init
  const sent = request(
    target,
    {
      headers: init.headers as Record<string, string>,
      agent: false,
      ...(path !== undefined && { path }),
      ...(signal && { signal }),
      servername: serverName,
    },
    incoming => {
      const status = incoming.statusCode ?? 502
      const hasBody = status !== 204 && status !== 304
      const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      )
      const stop = () => void sent.destroy()
      resolve(new Response(hasBody ? bodyOf(incoming, stop) : null, { status, headers }))
    },
  )
  sent.on('error', reject)
  sent.end()
  return promise
}

/** Chunks that are received before anybody wants them. */
const MAX_AHEAD = 64

function bodyOf(incoming: IncomingMessage, stop: () => void): ReadableStream<Uint8Array> {
  const chunks: Uint8Array[] = []
  let end: { error: Error | null } | null = null
  let wake = () => {}
  const finish = (error: Error | null) => {
    end ??= { error }
    wake()
  }
  incoming.on('data', (chunk: Uint8Array) => {
    chunks.push(new Uint8Array(chunk))
    // The reader may write them to a slower disk.
    if (chunks.length >= MAX_AHEAD) incoming.pause()
    wake()
  })
  incoming.on('end', () => finish(incoming.complete ? null : new Error('The connection was closed')))
  incoming.on('aborted', () => finish(new Error('The connection was closed')))
  incoming.on('error', finish)
  incoming.on('close', () => finish(new Error('The connection was closed')))

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (chunks.length === 0 && !end) await new Promise<void>(resolve => (wake = resolve))
        const chunk = chunks.shift()
        if (chunks.length === 0) incoming.resume()
        if (chunk) controller.enqueue(chunk)
        else if (end?.error) controller.error(end.error)
        else controller.close()
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  )
}
