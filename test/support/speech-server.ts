import { type AddressInfo, createServer, type Socket } from 'node:net'

export type Heard = { path: string; headers: Headers; fields: Record<string, string>; name: string; bytes: Uint8Array }
type Answer = Response | Promise<Response>

/** Three passages, as `verbose_json` has them. */
export const spoken = {
  task: 'transcribe',
  language: 'en',
  duration: 12,
  text: 'Welcome to the lighthouse. The foghorn was loud. Good night.',
  segments: [
    { id: 0, start: 0, end: 4.5, text: ' Welcome to the lighthouse.' },
    { id: 1, start: 4.5, end: 9, text: ' The foghorn was loud.' },
    { id: 2, start: 9, end: 12, text: ' Good night.' },
  ],
}

/** A speech server on a loopback port that takes whole forms and remembers them. `on` changes what it answers. */
export function startSpeechServer() {
  const heard: Heard[] = []
  let answer: (one: Heard) => Answer = () => Response.json(spoken)
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const form = await request.formData()
      const file = form.get('file') as unknown as File
      const fields = Object.fromEntries(
        [...form].filter(([name]) => name !== 'file').map(([name, value]) => [name, String(value)]),
      )
      const one = {
        path: new URL(request.url).pathname,
        headers: request.headers,
        fields,
        name: file.name,
        bytes: await file.bytes(),
      }
      heard.push(one)
      return answer(one)
    },
  })
  return {
    origin: `http://127.0.0.1:${server.port}`,
    heard,
    on: (next: typeof answer) => void (answer = next),
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/** A server that reads what it likes of a connection and answers with raw bytes. */
export async function startRawServer(onData: (socket: Socket, received: number) => void) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    let received = 0
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (data: Uint8Array) => onData(socket, (received += data.byteLength)))
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.size,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
