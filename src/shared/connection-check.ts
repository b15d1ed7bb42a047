import type { SetupView } from './api/setup'

/** The parts of a connection that a proxy may spoil, in the order of the report. */
export const connectionParts = ['address', 'range', 'body', 'socket'] as const
export type ConnectionPart = (typeof connectionParts)[number]
export type ConnectionFinding = { part: ConnectionPart; isRight: boolean }

/** The text that the server sends in parts. */
export const RANGE_TEXT = '0123456789'
/** Bytes of a request body, more than nginx allows by default. */
export const BODY_BYTES = 2_000_000

type Needs = {
  /** The public address, with a slash at the end. */
  base: string
  view: Pick<SetupView, 'serverUrl'>
  fetch: (url: string, options: RequestInit) => Promise<Response>
}

/** Checks what a proxy between here and the server lets through. Never throws. */
export async function checkConnection(needs: Needs): Promise<ConnectionFinding[]> {
  const { base, view } = needs
  const results: Record<ConnectionPart, boolean> = {
    address: view.serverUrl === base,
    range: await answers(needs, 'range', { headers: { Range: 'bytes=2-5' } }, [206, RANGE_TEXT.slice(2, 6)]),
    body: await answers(needs, 'body', { method: 'POST', body: 'x'.repeat(BODY_BYTES) }, [200, String(BODY_BYTES)]),
    socket: await echoes(`${base.replace(/^http/, 'ws')}ws`),
  }
  return connectionParts.map(part => ({ part, isRight: results[part] }))
}

async function answers({ base, fetch }: Needs, name: string, options: RequestInit, [status, text]: [number, string]) {
  try {
    const response = await fetch(`${base}api/v1/setup/${name}`, options)
    return response.status === status && (await response.text()) === text
  } catch {
    return false
  }
}

const SOCKET_MS = 10_000

function echoes(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), SOCKET_MS)
  try {
    const socket = new WebSocket(url)
    socket.addEventListener('open', () => socket.send('ping'))
    socket.addEventListener('message', ({ data }) => resolve(data === 'ping'))
    socket.addEventListener('error', () => resolve(false))
    socket.addEventListener('close', () => resolve(false))
    void promise.then(() => socket.close())
  } catch {
    resolve(false)
  }
  return promise.finally(() => clearTimeout(timer))
}
