/** A client of the socket's transports that says whatever it likes. `origin` may end in a prefix. */
export function engineAt(origin: string, more = '') {
  const address = (query: string) => `${origin.replace(/\/$/, '')}/socket.io/?${query}${more}`
  const call = async (query: string, init?: RequestInit) => {
    const response = await fetch(address(query), init)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const inSession = (sid: string) => `EIO=4&transport=polling&sid=${sid}`
  return {
    address,
    call,
    /** The handshake of polling, as text. */
    open: () => call('EIO=4&transport=polling'),
    async sid(): Promise<string> {
      return JSON.parse((await call('EIO=4&transport=polling')).text.slice(1)).sid
    },
    poll: (sid: string, signal?: AbortSignal) => call(inSession(sid), signal ? { signal } : {}),
    post: (sid: string, body: BodyInit, init: RequestInit = {}) =>
      call(inSession(sid), { method: 'POST', body, ...init }),
    socket: (query = 'EIO=4&transport=websocket', headers: Record<string, string> = {}) =>
      rawSocket(address(query).replace('http', 'ws'), headers),
  }
}

export type RawSocket = Awaited<ReturnType<typeof rawSocket>>

/** A websocket as soon as it is open or refused, which keeps its frames. */
async function rawSocket(address: string, headers: Record<string, string>) {
  const socket = new WebSocket(address, { headers } as never)
  const frames: string[] = []
  const waiting = new Set<() => void>()
  const opened = Promise.withResolvers<boolean>()
  const closed = Promise.withResolvers<number>()
  const check = () => {
    for (const look of waiting) look()
  }
  socket.onmessage = ({ data }) => {
    frames.push(data as string)
    check()
  }
  socket.onopen = () => opened.resolve(true)
  socket.onclose = ({ code }) => {
    opened.resolve(false)
    closed.resolve(code)
  }
  const isOpen = await opened.promise
  return {
    socket,
    frames,
    isOpen,
    closed: closed.promise,
    send: (text: string | Uint8Array<ArrayBuffer>) => socket.send(text),
    /** The first frame that begins so, past or future. */
    frame(start: string): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<string>()
      const look = () => {
        const found = frames.find(frame => frame.startsWith(start))
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
      return promise
    },
    close: () => socket.close(),
    [Symbol.dispose]: () => socket.close(),
  }
}
