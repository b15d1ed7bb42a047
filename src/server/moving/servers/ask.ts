import { inflate, TooLarge } from '../../feeds/parse/decode'
import { readBody } from '../../outbound/body'
import { isOfProxy, OutboundError } from '../../outbound/error'
import type { Incoming, Outbound } from '../../outbound/request'
import type { Reach } from '../../outbound/reach'
import { MINUTE } from '../../platform/clock'
import { MoveRefused, tooMany } from '../item'

const MAX_BYTES = 64 * 1024 * 1024
/** An object takes twenty times the bytes of its text. */
const MAX_OBJECTS = 2_000_000

/** A server that is asked for a person's library. */
export type Server = {
  outbound: Outbound
  reach: Reach
  /** Its address, without a slash at the end. */
  base: string
  /** The credentials of the person, sent to this origin only. */
  headers: Record<string, string>
  signal: AbortSignal
}

/** An answer: its status, the value of its JSON (undefined = it is not JSON), and the cookies that it sets. */
export type Answered = { status: number; value: unknown; url: string; cookies: string[] }

/** Asks for a value. Throws `MoveRefused` unless it arrives. */
export async function requireAnswer(server: Server, path: string): Promise<unknown> {
  const { status, value } = await ask(server, path)
  return requireValue(server, path, status, value)
}

export function requireValue({ base }: Server, path: string, status: number, value: unknown): unknown {
  const { host } = new URL(base)
  const call = path.split('?', 1)[0]!
  const detail = `${status} ${call}`
  if (status === 401 || status === 403)
    throw new MoveRefused('move-server-refused', `${host} refuses this user name or password`, { host })
  if (status >= 300 && status < 400) throw movedAway(host)
  if (status !== 200) throw badAnswer({ base }, `answered ${status} to ${call}. Try again later.`, detail)
  if (value === undefined) throw badAnswer({ base }, `gave an unexpected answer to ${call}`, detail)
  return value
}

export function badAnswer({ base }: Pick<Server, 'base'>, what: string, detail: string) {
  const { host } = new URL(base)
  return new MoveRefused('move-server-answer', `${host} ${what}`, { host, detail })
}

/** `target`: the host to which it redirects. */
export const movedAway = (host: string, target = '') =>
  new MoveRefused(
    'move-server-moved',
    target === ''
      ? `${host} redirects to another address. Give the one that it leads to.`
      : `The server redirects to ${target}. Give that address.`,
    { host, detail: target },
  )

/** The refusal of a server that cannot be reached. */
export function unreached(error: OutboundError): MoveRefused {
  const { code, host, status } = error
  const own =
    code === 'address-not-allowed'
      ? code
      : code === 'timeout'
        ? 'upstream-timeout'
        : isOfProxy(code)
          ? 'proxy-failed'
          : 'feed-unreachable'
  return new MoveRefused(own, `${host}: ${error.message}`, { host, ...(status !== null && { detail: String(status) }) })
}

/** Sends a GET, or a POST if there is a body, and reads the answer within bounds. Throws `MoveRefused`. */
export async function ask(server: Server, path: string, body: string | null = null): Promise<Answered> {
  const { outbound, reach, base, headers, signal } = server
  const outgoing = {
    reach,
    signal,
    timeoutMs: MINUTE,
    headers: {
      Accept: 'application/json',
      'Accept-Encoding': 'gzip',
      ...(body !== null && { 'Content-Type': 'application/json' }),
    },
    privateHeaders: headers,
  }
  try {
    const incoming =
      body === null ? await outbound.get(base + path, outgoing) : await outbound.post(base + path, body, outgoing)
    return await read(incoming)
  } catch (error) {
    if (error instanceof TooLarge)
      throw new MoveRefused('too-large-upstream', `${new URL(base).host} sends more than ${error.limit} at once`, {
        limit: error.limit,
      })
    if (error instanceof OutboundError) throw unreached(error)
    const { host } = new URL(base)
    if (signal.aborted) throw new MoveRefused('upstream-timeout', `${host} takes too long. Try again later.`, { host })
    throw error
  }
}

async function read({ response, url }: Incoming): Promise<Answered> {
  const { status } = response
  const host = new URL(url).hostname
  const cookies = response.headers.getSetCookie()
  if (status !== 200) {
    await response.body?.cancel()
    return { status, value: undefined, url, cookies }
  }
  const limits = { maxBytes: MAX_BYTES, idleMs: MINUTE, totalMs: 5 * MINUTE, host }
  const bytes = inflate(await readBody(response, limits), response.headers.get('content-encoding') ?? '', MAX_BYTES)
  return { status, value: parse(bytes), url, cookies }
}

function parse(bytes: Uint8Array): unknown {
  let objects = 0
  for (const byte of bytes) if (byte === 0x7b || byte === 0x5b) objects++
  if (objects > MAX_OBJECTS) throw tooMany(`The server sent more than ${MAX_OBJECTS} entries at once`, MAX_OBJECTS)
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

/** The time that a server has for everything. */
export const TOTAL_MS = 60 * MINUTE
