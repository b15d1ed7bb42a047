import { MAX_BUFFERED, MAX_FRAME, MAX_RECEIVED, MAX_WAITING, NORMAL, PROTOCOL_ERROR, TRY_AGAIN_LATER } from './wire'

/** One end of a websocket. */
export type Frames = {
  send: (text: string) => void
  close: (code: number) => void
  /** Bytes that were sent and that the client has not read yet. */
  bufferedBytes: () => number
}

/** A websocket that is about to replace polling. */
export type Candidate = { frames: Frames; isProbed: boolean; until: number }

/** A connection of Engine.IO, over whichever transport. Times are milliseconds of a clock that never runs backwards. */
export type Session = {
  readonly id: string
  readonly address: string
  /** The websocket in use; null while the client polls. */
  frames: Frames | null
  candidate: Candidate | null
  /** Returns the poll that waits. */
  answerPoll: ((body: string) => void) | null
  /** Packets for the next poll. */
  outgoing: string[]
  outgoingBytes: number
  /** Packets received since the last tick. */
  received: number
  pingAt: number
  /** A pong is due by then; null while none is. */
  pongBy: number | null
  /** Signed in by then, or closed; null once it is. */
  signInBy: number | null
  isOver: boolean
  onMessage: (text: string) => void
  onEnd: () => void
}

export function sendMessage(session: Session, text: string) {
  // Memory would fill up for a client that does not read; it reconnects and fetches what it missed.
  if (bufferedBytes(session) > MAX_BUFFERED) end(session, TRY_AGAIN_LATER)
  else sendPacket(session, messagePacket(text))
}

/** Whether a client takes a text in one frame; its pages load longer ones when they are opened. */
export const isSendable = (text: string) => Buffer.byteLength(text) <= MAX_FRAME

export const bufferedBytes = ({ frames, outgoing, outgoingBytes }: Session) =>
  frames ? frames.bufferedBytes() : outgoing.length < MAX_WAITING ? outgoingBytes : Infinity

export function sendPacket(session: Session, packet: string) {
  if (session.isOver) return
  if (session.frames) return session.frames.send(packet)
  session.outgoing.push(packet)
  session.outgoingBytes += packet.length
  flush(session)
}

/** Sends the client what waits for it, if it can receive it now. */
export function flush(session: Session) {
  const { frames, answerPoll, outgoing } = session
  if (outgoing.length === 0 || !(frames ?? answerPoll)) return
  session.outgoing = []
  session.outgoingBytes = 0
  if (frames) outgoing.forEach(frames.send)
  else settlePoll(session, joinPackets(outgoing))
}

/** Ends the poll that waits, without news. */
export const releasePoll = (session: Session) => settlePoll(session, NOOP)

function settlePoll(session: Session, body: string) {
  const { answerPoll } = session
  session.answerPoll = null
  answerPoll?.(body)
}

/** Acts on a packet of the client. A packet that clients never send ends the session. */
export function receive(session: Session, text: string) {
  if (session.isOver) return
  const packet = readPacket(text)
  session.received += 1
  if (packet?.kind === 'message' && session.received <= MAX_RECEIVED) session.onMessage(packet.data)
  else if (packet?.kind === 'pong') session.pongBy = null
  else end(session, packet?.kind === 'close' ? NORMAL : PROTOCOL_ERROR)
}

export function end(session: Session, code: number) {
  if (session.isOver) return
  session.isOver = true
  session.candidate?.frames.close(code)
  session.candidate = null
  session.outgoing.push(CLOSE)
  if (session.frames) session.frames.close(code)
  else flush(session)
  session.onEnd()
}

/**
 * Packets of Engine.IO 4 (https://github.com/socketio/engine.io-protocol): a digit and text. In the bodies of polling
 * they follow each other; binary ones, which are not needed here, begin with a `b`.
 */
type Packet = { kind: (typeof kinds)[number]; data: string }

const kinds = ['open', 'close', 'ping', 'pong', 'message', 'upgrade', 'noop'] as const

const CLOSE = '1'
export const PING = '2'
export const PROBE = '2probe'
export const PROBE_ANSWER = '3probe'
export const UPGRADE = '5'
export const NOOP = '6'

export const openPacket = (handshake: object) => `0${JSON.stringify(handshake)}`
const messagePacket = (text: string) => `4${text}`

/** Reads a packet; null for anything else. */
function readPacket(text: string): Packet | null {
  const kind = kinds[text.charCodeAt(0) - 48]
  return kind === undefined ? null : { kind, data: text.slice(1) }
}

const SEPARATOR = '\u001E'

const joinPackets = (packets: readonly string[]) => packets.join(SEPARATOR)
/** The packets of a body, without binary ones. */
export const splitPackets = (body: string) => body.split(SEPARATOR).filter(packet => !packet.startsWith('b'))
