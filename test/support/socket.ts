/** A client of the socket, as soon as it is open or refused. */
export async function connect(origin: string, headers: Record<string, string> = {}, query = '') {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws${query}`, { headers } as never)
  const frames: { type: string; [field: string]: unknown }[] = []
  const opened = Promise.withResolvers<boolean>()
  const waiting = new Set<() => void>()
  socket.onmessage = message => {
    frames.push(JSON.parse(message.data as string))
    for (const check of waiting) check()
  }
  socket.onopen = () => opened.resolve(true)
  const closed = Promise.withResolvers<number>()
  socket.onclose = event => {
    opened.resolve(false)
    closed.resolve(event.code)
  }
  const frame = (type: string) => {
    const { promise, resolve } = Promise.withResolvers<(typeof frames)[number]>()
    const check = () => {
      const found = frames.find(candidate => candidate.type === type)
      if (found) resolve(found)
    }
    waiting.add(check)
    check()
    return promise
  }
  return { socket, frames, frame, closed: closed.promise, isOpen: await opened.promise }
}

/** The status that a handshake is answered with. */
export async function handshake(origin: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname, port, host } = new URL(origin)
  const { promise, resolve } = Promise.withResolvers<string>()
  const lines = Object.entries({
    Host: host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const connection = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_, bytes) => resolve(bytes.toString()), close: () => resolve('') },
  })
  connection.write(`GET ${new URL(origin).pathname.replace(/\/$/, '')}/ws HTTP/1.1\r\n${lines.join('')}\r\n`)
  const answer = await promise
  connection.end()
  return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])
}
