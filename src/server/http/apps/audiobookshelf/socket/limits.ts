import { SECOND } from '../../../../platform/clock'

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
  /** The same for whole podcasts, and between two of them. */
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
