import { io, type Socket } from 'socket.io-client'
import type { TestApp } from './app'
import { login } from './audiobookshelf-app'

type Options = { transports?: ('polling' | 'websocket')[]; path?: string; headers?: Record<string, string> }

/** A client of the socket as apps use it, which keeps every event. `origin` may end in a prefix. */
export function liveApp(origin: string, { transports = ['websocket'], path, headers }: Options = {}) {
  const { pathname, origin: host } = new URL(origin)
  const socket: Socket = io(host, {
    path: path ?? `${pathname.replace(/\/$/, '')}/socket.io/`,
    transports,
    forceNew: true,
    reconnectionDelay: 10,
    reconnectionDelayMax: 50,
    ...(headers && { extraHeaders: headers }),
  })
  const events: { name: string; data: any }[] = []
  const waiting = new Set<() => void>()
  socket.onAny((name: string, data: unknown) => {
    events.push({ name, data })
    for (const check of waiting) check()
  })
  /** The first event of a name that fits, past or future. */
  function event(name: string, fits: (data: any) => boolean = () => true): Promise<any> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const check = () => {
      const found = events.find(one => one.name === name && fits(one.data))
      if (!found) return
      waiting.delete(check)
      resolve(found.data)
    }
    waiting.add(check)
    check()
    return promise
  }
  const once = (name: string) => new Promise<any>(resolve => socket.once(name, resolve))
  return {
    socket,
    events,
    event,
    once,
    /** Settles when the first connection has changed from polling to a websocket. */
    upgraded: new Promise<void>(resolve => socket.io.engine.once('upgrade', () => resolve())),
    connected: socket.connected ? Promise.resolve() : once('connect'),
    /** Signs in, and gives the answer. */
    async auth(token: string): Promise<{ name: string; data: any }> {
      const before = events.length
      socket.emit('auth', token)
      const { promise, resolve } = Promise.withResolvers<{ name: string; data: any }>()
      const check = () => {
        const found = events.slice(before).find(({ name }) => name === 'init' || name === 'auth_failed')
        if (!found) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
      return promise
    },
    transport: () => socket.io.engine.transport.name,
    close: () => void socket.close(),
    [Symbol.dispose]: () => void socket.close(),
  }
}
export type LiveApp = ReturnType<typeof liveApp>

/** A client that is signed in. */
export async function signedInLiveApp(server: TestApp, origin: string, username: string, options?: Options) {
  const { accessToken } = (await login(server, username)).json.user
  const app = liveApp(origin, options)
  await app.connected
  await app.auth(accessToken)
  return Object.assign(app, { token: accessToken as string })
}
