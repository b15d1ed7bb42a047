import { createServer, request as send, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { basic } from './app'

type Options = {
  /** The credentials that the proxy demands; null = none. */
  credentials?: { user: string; password: string } | null
  /** A status with which it refuses everything; `hang` = it says nothing. */
  answer?: number | 'hang' | null
  /** The origin that tunnels lead to, if it is another one. */
  secure?: string
}

/** A small real proxy that forwards http and tunnels by CONNECT. It resolves every name to `origin`. */
export async function startForwardProxy(origin: string, options: Options = {}) {
  const { credentials = null } = options
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const { hostname, port } = new URL(origin)
  const tunnel = new URL(options.secure ?? origin)
  const expected = credentials && basic(credentials.user, credentials.password)
  /** The status of a refusal; null = none. */
  const refuse = ({ headers, method, url }: IncomingMessage) => {
    requests.push(`${method} ${url}`)
    if (options.answer) return options.answer
    return expected === null || headers['proxy-authorization'] === expected ? null : 407
  }

  const server = createServer((incoming, response) => {
    const refusal = refuse(incoming)
    if (refusal === 'hang') return
    if (refusal !== null) return void response.writeHead(refusal).end()
    const { pathname, search } = new URL(incoming.url!)
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = incoming.headers
    const { method } = incoming
    const onward = { hostname, port, method, path: pathname + search, headers, agent: false as const }
    const forwarded = send(onward, answered => {
      response.writeHead(answered.statusCode!, answered.headers)
      answered.on('data', chunk => response.write(chunk))
      answered.on('end', () => (answered.complete ? response.end() : response.destroy()))
      answered.on('error', () => response.destroy())
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => {})
    const refusal = refuse(incoming)
    if (refusal === 'hang') return
    if (refusal !== null) return void socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`)
    const onward = connect(Number(tunnel.port), tunnel.hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket)
      socket.pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  })
  server.on('connection', socket => sockets.add(socket))
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    /** Its host and port. */
    host,
    address: `http://${host}`,
    /** The requests that it got, as `GET http://pod.example/`. */
    requests,
    /** Answers otherwise from now on. */
    answer: (answer: Options['answer']) => void (options.answer = answer),
    [Symbol.dispose]: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
