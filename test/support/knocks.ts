import { spyOn } from 'bun:test'

/** An address of the internet, which nobody calls. */
export const PUBLIC = '93.184.216.34'

/** A port of every address of this machine, at which nobody should ever knock. */
export function listenForKnocks() {
  let knocks = 0
  const listener = Bun.listen({
    hostname: '::',
    port: 0,
    socket: {
      open(socket) {
        knocks++
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret')
      },
      data() {},
    },
  })
  return { port: listener.port, knocks: () => knocks, [Symbol.dispose]: () => listener.stop(true) }
}

/** Lists the hosts that the server calls. Calls that would leave this machine fail instead. */
export function watchCalls() {
  const called: string[] = []
  const real = globalThis.fetch
  const spy = spyOn(globalThis, 'fetch').mockImplementation((async (target: URL, init: RequestInit) => {
    called.push(target.hostname)
    if (!/^127|^\[::/.test(target.hostname)) throw new Error('not really called')
    return real(target, init)
  }) as never)
  return { called, [Symbol.dispose]: () => spy.mockRestore() }
}
