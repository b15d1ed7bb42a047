import { SECOND } from '../../../../platform/clock'
import { parseJson } from '../../../core/body'

/** Times in milliseconds and numbers of the connections that apps keep for live events. */
export type SocketLimits = {
  /** Between two pings. */
  pingMs: number
  /** From a ping to its pong. */
  pongMs: number
  /** From the handshake to the sign-in. */
  signInMs: number
  /** From the websocket of an upgrade until it is closed. */
  upgradeMs: number
  /** Between two looks at all connections. */
  tickMs: number
  /** From a change to its event, with the changes that follow until then. */
  settleMs: number
  /** From a change of a podcast to its event, and between the events of two podcasts. */
  itemsMs: number
  /** For which clients that read keep waiting for those that do not. */
  drainMs: number
  connections: number
  perUser: number
  strangersPerAddress: number
}

/** Times and numbers as this server announces and keeps them. */
export const socketLimits: SocketLimits = {
  pingMs: 25 * SECOND,
  pongMs: 20 * SECOND,
  signInMs: 30 * SECOND,
  upgradeMs: 10 * SECOND,
  tickMs: SECOND,
  settleMs: 200,
  itemsMs: 2 * SECOND,
  drainMs: 5 * SECOND,
  connections: 1000,
  perUser: 50,
  strangersPerAddress: 100,
}

/** Bytes of one POST; the upgraded connection accepts less per frame. Announced to clients. */
export const MAX_POST_BYTES = 4096
/** Bytes that may wait for a client before it counts as one that does not read. */
export const MAX_BUFFERED = 1024 * 1024
/** Bytes of a frame: clients in use refuse more than 4 MiB. */
export const MAX_FRAME = 4_000_000
/** Packets that may wait for the next poll. */
export const MAX_WAITING = 1000
/** Packets that a client may send between two ticks. */
export const MAX_RECEIVED = 200

/** Standard close code after which a client reconnects later. */
export const TRY_AGAIN_LATER = 1013
/** Close code of a connection whose sign-in has ended. */
export const SIGN_IN_ENDED = 4401
/** Close code of a client that breaks the protocol. */
export const PROTOCOL_ERROR = 1002
/** Close code after a failure of the server. */
export const FAILED = 1011
export const NORMAL = 1000

/**
 * A packet of Socket.IO 5 (https://github.com/socketio/socket.io-protocol). `id`: digits of the answer that it wants.
 */
export type Message =
  | { kind: 'connect'; namespace: string }
  | { kind: 'disconnect'; namespace: string }
  | { kind: 'event'; namespace: string; id: string; name: string; values: readonly unknown[] }
  /** An answer, or something binary, which this server ignores. */
  | { kind: 'other' }

const form = /^([0-6])(?:(\/[^,]*),?)?(\d{0,15})/

/** Reads the packet in an Engine.IO message; null for what is not Socket.IO. */
export function readMessage(text: string): Message | null {
  const [start, kind, namespace = '/', id = ''] = form.exec(text) ?? []
  if (start === undefined) return null
  if (kind === '0') return { kind: 'connect', namespace }
  if (kind === '1') return { kind: 'disconnect', namespace }
  return kind === '2' ? readEvent(namespace, id, text.slice(start.length)) : { kind: 'other' }
}

function readEvent(namespace: string, id: string, json: string): Message | null {
  const values = parsed(json)
  if (!Array.isArray(values)) return null
  const [name, ...rest] = values as unknown[]
  return typeof name === 'string' ? { kind: 'event', namespace, id, name, values: rest } : null
}

function parsed(json: string): unknown {
  try {
    return parseJson(json)
  } catch {
    return null
  }
}

export const DISCONNECT = '1'
export const connectMessage = (id: string) => `0${JSON.stringify({ sid: id })}`
export const eventMessage = (name: string, ...values: readonly unknown[]) => `2${JSON.stringify([name, ...values])}`
/** The answer to an event that asked for one. */
export const answerMessage = (id: string) => `3${id}[]`
export const noNamespaceMessage = (namespace: string) =>
  `4${namespace},${JSON.stringify({ message: 'Invalid namespace' })}`
